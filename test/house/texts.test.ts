// What people read in the web client, in mails and in notices is said in their language: no text stands in the code but those that the languages know.
// So are the errors of the server: their texts are checked by their types (KnownTexts in kernel/lib/errors.ts), those of rules here.
import { describe, expect, test } from "bun:test";
import { Glob } from "bun";
import { z } from "zod";
import { domains } from "@/domains.ts";
import { systemGroups } from "@/foundation/permissions/schema.ts";
import areas from "@/text/language/texts.json";
import { root, sourceTree, textOf } from "../support/source-tree.ts";

const known = new Set(Object.values(areas).flatMap((area) => Object.keys(area)));
/** Names of keys, and an example of what one types. */
const sameEverywhere = new Set(["Ctrl K", "from:Mel channel:harbour has:link is:unread"]);

/** The texts in a file of the client that are not said by way of the catalogue. */
function strayTexts(source: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/(^|\s)\/\/.*$/gm, "$1");
  const strings = [...code.matchAll(/(new Error\(\s*)?("(?:[^"\\\n]|\\.)*")/g)]
    .filter(([, isForDevelopers]) => isForDevelopers === undefined)
    .map(([, , literal = '""']) => literal.slice(1, -1).replaceAll('\\"', '"'))
    .filter((text) => /^[A-Z][a-z]+,?( [a-z…]+)+/.test(text) && !known.has(text));
  const attributes = [
    ...code.matchAll(/\b(?:aria-\w+|title|placeholder|alt|label|hint)="([^"]*[A-Za-z]{2}[^"]*)"/g),
  ]
    .map(([, text = ""]) => text)
    .filter((text) => /[A-Z]| /.test(text));
  const markup = [
    ...code
      .replaceAll(/"(?:[^"\\\n]|\\.)*"/g, '""')
      .matchAll(/[\w"'}]>\s*([A-Za-z][^<>{}()=;]*[a-z]{2}[^<>{}()=;]*)<\//g),
  ].map(([, text = ""]) => text.trim().replaceAll(/\s+/g, " "));
  return [...new Set([...strings, ...attributes, ...markup])].filter((text) => !sameEverywhere.has(text));
}

/** The texts of letters, and the names of their facts, that are not said by way of the catalogue. */
function strayMailTexts(source: string): string[] {
  const found = [
    ...source.matchAll(/\b(?:subject|heading|text|label|lines|footer):\s*(["`])(.*?)\1/g),
    ...source.matchAll(/\[\s*(["`])([A-Z][^"`]*)\1,/g),
  ];
  const values = /\$\{(?:[^{}]|\{[^}]*\})*\}|\\n/g;
  return found.map(([, , text = ""]) => text).filter((text) => /[A-Za-z]/.test(text.replaceAll(values, "")));
}

describe("a text in the code of mails", () => {
  test("is one that the languages know", async () => {
    const all = await Promise.all(
      (await sourceTree("src")).map(async ({ path }) => ({ path, source: await textOf(path) })),
    );
    const files = all.filter(({ source }) => /\b(?:MailLetter|queueLetter|MailPosting)\b/.test(source));
    expect(files.length).toBeGreaterThan(10);
    const stray = files.flatMap(({ path, source }) =>
      strayMailTexts(source).map((text) => `${path}: ${text}`),
    );
    expect(stray, "say them by t(…), and list them in src/text/language/texts.json").toEqual([]);
  });

  test.each([
    ['{ subject: t("New messages") }', []],
    ['{ subject: "New messages" }', ["New messages"]],
    [`{ label: \`Open \${name}\` }`, [`Open \${name}`]],
    [`{ text: \`\${hello({ name })}\\n\${news}\` }`, []],
    ['{ facts: [["Place", value]] }', ["Place"]],
  ])("in %p is found: %p", (code, found) => expect(strayMailTexts(code)).toEqual(found));
});

/** The words in what a bot of the server writes, and in its topics, that are not said by way of the catalogue. */
function strayNoticeTexts(source: string): string[] {
  const found = [
    ...source.matchAll(
      /\b(?:content(?:: string)?\s*[:=]|notices\.push\(|noticeTopic\(\w+,)\s*(["`])((?:(?!\1)[^\\]|\\.)*)\1/gs,
    ),
    ...source.matchAll(/(`)([^`]*\$\{(?:actorMention|mentionOf|userReference)\([^`]*)\1/g),
  ];
  const values = /\$\{(?:[^{}]|\{(?:[^{}]|\{[^}]*\})*\})*\}|\\n/g;
  return found.map(([, , text = ""]) => text).filter((text) => /[A-Za-z]/.test(text.replaceAll(values, "")));
}

describe("a text in the code of notices", () => {
  test("is one that the languages know", async () => {
    const all = await Promise.all(
      (await sourceTree("src")).map(async ({ path }) => ({ path, source: await textOf(path) })),
    );
    const files = all.filter(({ source }) => /\b(?:send\w*Notice|notices\.push|noticeTopic)\(/.test(source));
    expect(files.length).toBeGreaterThan(10);
    const stray = files.flatMap(({ path, source }) =>
      strayNoticeTexts(source).map((text) => `${path}: ${text}`),
    );
    expect(stray, "say them by t(…), and list them in src/text/language/texts.json").toEqual([]);
  });

  test.each([
    ['sendNotice(tx, { to, content: t("New messages") })', []],
    ['sendNotice(tx, { to, content: "New messages" })', ["New messages"]],
    [`const content = \`\${news}\\n\${quote(reason)}\`;`, []],
    [`const content = \`\${person} left\`;`, [`\${person} left`]],
    [`notices.push(\`\${t("It was:", { name })}\\n\`)`, []],
    ['noticeTopic(place, "new people")', ["new people"]],
    [`return \`\${mentionOf(tx, id)} left\`;`, [`\${mentionOf(tx, id)} left`]],
  ])("in %p is found: %p", (code, found) => expect(strayNoticeTexts(code)).toEqual(found));

  test("includes the descriptions of the organization's own groups", () => {
    expect(systemGroups.map(({ description }) => description).filter((text) => !known.has(text))).toEqual([]);
  });
});

describe("a text in the web client's code", () => {
  test("is one that the languages know", async () => {
    const files = (await sourceTree("src")).filter(({ path }) => path.startsWith("src/web/"));
    expect(files.length).toBeGreaterThan(150);
    const stray = await Promise.all(
      files.map(async ({ path }) => strayTexts(await textOf(path)).map((text) => `${path}: ${text}`)),
    );
    expect(stray.flat(), "say them by t(…), and list them in src/text/language/texts.json").toEqual([]);
  });

  test.each([
    ['<p>{t("Save")}</p>', []],
    ["<p>Save all</p>", ["Save all"]],
    ["<b className={css.x}>\n  Nothing\n  here\n</b>", ["Nothing here"]],
    ['<button aria-label="Close it">', ["Close it"]],
    ['<input placeholder="Name" />', ["Name"]],
    ['showToast("Could not be saved.");', ["Could not be saved."]],
    ['throw new Error("Not within the client.");', []],
    ["// Says nothing to anybody", []],
  ])("in %p is found: %p", (code, found) => expect(strayTexts(code)).toEqual(found));
});

/** The own sentences of the rules (zod) within a value, which people get as errors. */
function ruleTexts(value: unknown): string[] {
  const found = new Set<string>();
  const seen = new Set<unknown>();
  const look = (one: unknown): void => {
    if (!one || (typeof one !== "object" && typeof one !== "function") || seen.has(one)) return;
    seen.add(one);
    const { _zod: zod } = one as { _zod?: { def: object } };
    const isPlain = Array.isArray(one) || Object.getPrototypeOf(one) === Object.prototype;
    const parts = zod?.def ?? (isPlain ? one : {});
    for (const [name, part] of Object.entries(parts)) {
      if (name === "error" && typeof part === "function") found.add(String(part({ code: "custom" })));
      else look(part);
    }
  };
  look(value);
  return [...found];
}

describe("the sentence of a rule", () => {
  test("of an endpoint's parameters is one that the languages know", () => {
    const rules = domains.flatMap(({ endpoints = [] }) => endpoints.map(({ params }) => params));
    const texts = ruleTexts(rules);
    expect(texts.length).toBeGreaterThan(100);
    expect(texts.filter((text) => !known.has(text))).toEqual([]);
  });

  test("of what a domain declares is one that the languages know", async () => {
    const storeys = "{foundation,places,messaging,personal,outside}";
    const files = [...new Glob(`src/${storeys}/**/schema.ts`).scanSync(root)];
    expect(files.length).toBeGreaterThan(40);
    const modules = await Promise.all(files.map((path): Promise<object> => import(`${root}/${path}`)));
    const texts = ruleTexts(modules.map((one) => ({ ...one })));
    // One that does not begin as a sentence is for the command line and the configuration, which say the value's name before it.
    expect(texts.filter((text) => /^[A-Z]/.test(text) && !known.has(text))).toEqual([]);
  });

  test("is found in all parts of a rule", () => {
    const rule = z.object({
      one: z.string().min(1, "Too short.").optional(),
      many: z.array(z.union([z.int(), z.enum(["x"], { error: "No x." })])).refine(() => true, "No list."),
    });
    expect(ruleTexts({ rule }).toSorted()).toEqual(["No list.", "No x.", "Too short."]);
  });
});
