// The texts of all languages, for the server: a browser is sent those of its language alone.
import type { Sentence } from "@/kernel/lib/errors.ts";
import { english, findLanguage, type Language } from "./languages.ts";
import { type ArgsOf, createTranslator, type PlainKey, type Table, type Translator } from "./translator.ts";

/** As translators write them, by the English. */
type Translations = Readonly<Record<string, string>>;

/** By tag. Loaded on first use, by `require` because errors and pages are worded synchronously. */
const translations: Readonly<Record<string, () => Translations>> = {
  ar: () => require("./ar.json"),
  de: () => require("./de.json"),
  es: () => require("./es.json"),
  fr: () => require("./fr.json"),
  ja: () => require("./ja.json"),
};

/** What a language has; nothing for English, which the code has. */
export function loadTranslations({ tag }: Language): Translations {
  return translations[tag]?.() ?? {};
}

export function compileTable(texts: Translations): Table {
  const { compileMessageOrThrow } =
    require("@lingui/message-utils/compileMessage") as typeof import("@lingui/message-utils/compileMessage");
  return Object.fromEntries(Object.entries(texts).map(([text, said]) => [text, compileMessageOrThrow(said)]));
}

export const inEnglish: Translator = createTranslator(english);

const translators = new Map([[english, inEnglish]]);

/** Compiles the language's texts at first use. */
export function translatorFor(language: Language): Translator {
  let found = translators.get(language);
  if (!found) {
    found = createTranslator(language, compileTable(loadTranslations(language)));
    translators.set(language, found);
  }
  return found;
}

/** A sentence for an error whose values differ. (One without values is a plain text, which the languages know as it is.) */
export function sentence<K extends PlainKey>(text: K, ...values: ArgsOf<K>): Sentence {
  return { inEnglish: inEnglish.t(text, ...values), text, values: values[0] ?? {} };
}

const maxHeaderLength = 1_000;

/** The language that a browser likes best, by its header Accept-Language; null if it names none that there is. */
export function acceptedLanguage(header = ""): Language | null {
  const asked = [...header.slice(0, maxHeaderLength).matchAll(/([\w-]+)(?:\s*;\s*q=([\d.]+))?/g)];
  const weighed = asked.map(([, tag = "", weight = "1"]) => ({ tag, weight: Number(weight) }));
  for (const { tag, weight } of weighed.toSorted((a, b) => b.weight - a.weight)) {
    const found = weight > 0 ? findLanguage(tag) : null;
    if (found) return found;
  }
  return null;
}
