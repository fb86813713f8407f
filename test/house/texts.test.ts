// What people read in the web client and in mails is said in their language: no text stands in the code but those that the languages know.
import { describe, expect, test } from "bun:test";
import areas from "@/text/language/texts.json";
import { sourceTree, textOf } from "../support/source-tree.ts";

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
