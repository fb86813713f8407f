// The texts of all languages: complete, with the same values and marks as the English ones, and with a place where each is seen.
import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { englishOnly } from "@/kernel/lib/errors.ts";
import { wordingOf } from "@/kernel/lib/wording.ts";
import { findLanguage, type Language, languages } from "@/text/language/languages.ts";
import {
  acceptedLanguage,
  compileTable,
  loadTranslations,
  sentence,
  translatorFor,
} from "@/text/language/tables.ts";
import areas from "@/text/language/texts.json";
import { createTranslator } from "@/text/language/translator.ts";
import { describeText } from "../../.ci/generate.ts";

const english = Object.values(areas).flatMap((area) => Object.keys(area));
const others = languages.filter(({ tag }) => tag !== "en");

/** What is wrong with a translation; empty if nothing is. */
function faultsOf(text: string, said: string, { tag }: Language): string[] {
  const [wanted, found] = [describeText(text), describeText(said)];
  const lacks = [...wanted.args.keys()].filter((name) => !found.args.has(name));
  const has = [...found.args.keys()].filter((name) => !wanted.args.has(name));
  const marks = (one: { marks: string[] }) => one.marks.toSorted().join(" ");
  const forms = new Intl.PluralRules(tag).resolvedOptions().pluralCategories;
  const plurals = [...said.matchAll(/\{\w+, plural,((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}/g)];
  return [
    ...lacks.map((name) => `lacks {${name}}`),
    ...has.map((name) => `has {${name}}, which the English text has not`),
    ...(marks(wanted) === marks(found) ? [] : [`has the marks ${marks(found)} instead of ${marks(wanted)}`]),
    ...(isBalanced(said) ? [] : ["does not close a mark, or closes another"]),
    ...(text !== said && said.includes("|") ? ["says which sense is meant"] : []),
    ...plurals.flatMap(([, cases = ""]) =>
      forms
        .filter((form) => !new RegExp(`\\b${form}\\s*\\{`).test(cases))
        .map((form) => `lacks the form "${form}" of a plural`),
    ),
  ];
}

const japanese = "[\u3041-\u30ff\u4e00-\u9fff]";
/** How a language does not write, by its tag. */
const misspelt: Readonly<Record<string, readonly RegExp[]>> = {
  ar: [/ …|\.\.\./, /[\u0600-\u06ff] ?[,;?]/],
  de: [/[^ ]…|\.\.\./, /"|\w'\w/],
  es: [/ …|\.\.\./, /"|\w'\w/, /^[^¿]*\?|^[^¡]*!/],
  fr: [/ …|\.\.\./, /"|\w'\w/, /(^|[^\u00a0])[!?;»](?!\w)|«[^\u00a0]|[\wéà)}] :(?![\w){])/],
  ja: [
    / …|\.\.\./,
    /[0-9#] [人件回分秒日時個つ文行段]/,
    new RegExp(`${japanese}[!?:,.]|${japanese} ?\\(${japanese}`),
  ],
};

/** Without the commands that a text quotes, and what it has for ICU. */
function withoutCommands(text: string): string {
  return text.replace(/'[^']*'/g, "").replace(/\{\w+, (plural|number|select)[,}]/g, "");
}

function isBalanced(text: string): boolean {
  const open: string[] = [];
  for (const [, slash, mark = ""] of text.matchAll(/<(\/?)(\w+)>/g)) {
    if (slash === "") open.push(mark);
    else if (open.pop() !== mark) return false;
  }
  return open.length === 0;
}

describe("English texts", () => {
  test("say where they are seen, and stand in one area", () => {
    const places = Object.values(areas).flatMap((area) => Object.entries(area));
    expect(places.filter(([, place]) => place.length < 8)).toEqual([]);
    expect(english.filter((text, i) => english.indexOf(text) !== i)).toEqual([]);
    expect(english.length).toBeGreaterThan(30);
  });

  test("are in ICU form, with balanced marks", () => {
    const wrong = english.filter(
      (text) => !isBalanced(text) || faultsOf(text, text, languages[0] as Language).length > 0,
    );
    expect(wrong).toEqual([]);
  });
});

describe.each(others)("$name", (language) => {
  const said = loadTranslations(language);

  test("has every text, and no other", () => {
    expect(english.filter((text) => !Object.hasOwn(said, text))).toEqual([]);
    expect(Object.keys(said).filter((text) => !english.includes(text))).toEqual([]);
  });

  test("has the values, marks and plural forms that it needs", () => {
    const faults = Object.entries(said).flatMap(([text, one]) =>
      faultsOf(text, one, language).map((fault) => `"${text}": ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  test("is written with its own signs", () => {
    const faults = (misspelt[language.tag] ?? []).flatMap((fault) =>
      Object.values(said).filter((one) => fault.test(withoutCommands(one))),
    );
    expect(faults).toEqual([]);
  });
});

describe("a planted fault", () => {
  const of = (text: string, said: string, tag = "de") => faultsOf(text, said, findLanguage(tag) as Language);

  test.each([
    ["Hello {name}", "Hallo", ["lacks {name}"]],
    ["Hello", "Hallo {name}", ["has {name}, which the English text has not"]],
    ["<b>Hello</b>", "Hallo", ["has the marks  instead of b"]],
    ["<b>Hello</b>", "<b>Hallo", ["does not close a mark, or closes another"]],
    ["{n, plural, one {# day} other {# days}}", "{n, plural, one {# Tag} other {# Tage}}", []],
    [
      "{n, plural, one {# day} other {# days}}",
      "{n, plural, other {# Tage}}",
      ['lacks the form "one" of a plural'],
    ],
  ])("in %p is found", (text, said, faults) => expect(of(text, said)).toEqual(faults));

  test("is found in each of Arabic's six forms", () => {
    expect(
      of("{n, plural, one {# day} other {# days}}", "{n, plural, one {#} other {#}}", "ar"),
    ).toHaveLength(4);
  });
});

test("a text with several senses says each in English as the other, and knows them apart elsewhere", () => {
  const german = translatorFor(findLanguage("de") as Language);
  const say = ({ t }: typeof german) => [t("Owner"), t("Owner|of a bot"), t("All|conversations")];
  expect(say(translatorFor(languages[0] as Language))).toEqual(["Owner", "Owner", "All"]);
  expect(say(createTranslator(german.language))).toEqual(["Owner", "Owner", "All"]);
  expect(say(german)).toEqual(["Eigentümer", "Gehört", "Alle"]);
});

describe("a translator", () => {
  const [german, arabic] = ["de", "ar"].map((tag) => findLanguage(tag) as Language) as [Language, Language];
  const text = "Sign in to {organization}";

  test("says a text with its values, in English where the language lacks it", () => {
    const table = compileTable({ [text]: "Bei {organization} anmelden" });
    expect(createTranslator(german, table).t(text, { organization: "Ops" })).toBe("Bei Ops anmelden");
    expect(createTranslator(german).t(text, { organization: "Ops" })).toBe("Sign in to Ops");
  });

  test("takes nothing in a value for a part of the text", () => {
    const organization = "</link> {organization} \\u0041 \\x41 '{' #";
    expect(createTranslator(german).t(text, { organization })).toBe(`Sign in to ${organization}`);
    const link = "Or type this key, or <link>open an app on this device</link>.";
    expect(createTranslator(german).parts(link)).toEqual([
      "Or type this key, or ",
      { mark: "link", parts: ["open an app on this device"] },
      ".",
    ]);
  });

  test("isolates values where the text runs from right to left", () => {
    expect(createTranslator(arabic).t(text, { organization: "Ops" })).toBe("Sign in to \u2068Ops\u2069");
  });

  test("says numbers as the language writes them", () => {
    const hint =
      "At least {min, number} characters. A few unrelated words are easy to remember and hard to guess.";
    const table = compileTable({ [hint]: "{min, number}" });
    expect(createTranslator(german, table).t(hint, { min: 1234 })).toBe("1.234");
  });

  test("says the sentence of an error", () => {
    const made = sentence(text, { organization: "Ops" });
    expect(made.inEnglish).toBe("Sign in to Ops");
    expect(translatorFor(german).say(englishOnly("Something that no language has."))).toBe(
      "Something that no language has.",
    );
    expect(translatorFor(german).say(made)).toContain("Ops");
  });
});

describe("the wording of a rule", () => {
  const rule = z.object({
    at: z.int().min(1).max(9),
    all: z.array(z.string()).min(1).max(2),
    sort: z.enum(["x", "y"]),
  });
  const right = { at: 1, all: ["x"], sort: "x" };

  test.each([
    [{ at: "1" }, "at is not a number"],
    [{ at: 0 }, "at is too small: the minimum is 1"],
    [{ at: 10 }, "at is too large: the maximum is 9"],
    [{ all: "x" }, "all is not a list"],
    [{ all: [] }, "all has too few items: the minimum is 1"],
    [{ all: ["x", "y", "z"] }, "all has too many items: the maximum is 2"],
    [{ sort: "{z}" }, "sort must be one of: x, y"],
  ])("of %p says the same in its form for all languages: %s", (wrong, said) => {
    const issue = rule.safeParse({ ...right, ...wrong }).error?.issues[0];
    if (!issue) throw new Error("The rule takes it");
    const { inEnglish, text, values } = wordingOf(issue).of(String(issue.path[0]));
    expect(inEnglish).toBe(said);
    const inItsForm = createTranslator(findLanguage("de") as Language, compileTable({ [text]: text }));
    expect(inItsForm.say({ inEnglish: "", text, values })).toBe(said);
  });
});

describe("the language that a browser likes best", () => {
  test.each([
    ["de-AT,de;q=0.9,en;q=0.8", "de"],
    ["en-GB,fr;q=0.9", "en"],
    ["pl, ja;q=0.4, ar;q=0.7", "ar"],
    ["de;q=0, es;q=0.1", "es"],
    ["pl", null],
    ["*", null],
    ["", null],
    [undefined, null],
    [`${"x,".repeat(5_000)}de`, null],
  ])("of %p is %p", (header, tag) => expect(acceptedLanguage(header)?.tag ?? null).toBe(tag));
});
