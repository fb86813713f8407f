// The texts of all languages, for the server: a browser is sent those of its language alone.
import { compileMessageOrThrow } from "@lingui/message-utils/compileMessage";
import type { Sentence } from "@/kernel/lib/errors.ts";
import arabic from "./ar.json";
import german from "./de.json";
import spanish from "./es.json";
import french from "./fr.json";
import japanese from "./ja.json";
import { english, findLanguage, type Language } from "./languages.ts";
import { type ArgsOf, createTranslator, type PlainKey, type Table, type Translator } from "./translator.ts";

/** By tag, as translators write them. */
export const translations: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ar: arabic,
  de: german,
  es: spanish,
  fr: french,
  ja: japanese,
};

export function compileTable(texts: Readonly<Record<string, string>>): Table {
  return Object.fromEntries(Object.entries(texts).map(([text, said]) => [text, compileMessageOrThrow(said)]));
}

const translators = new Map<string, Translator>();

/** Compiles the language's texts at first use. */
export function translatorFor(language: Language): Translator {
  let found = translators.get(language.tag);
  if (!found) {
    found = createTranslator(language, compileTable(translations[language.tag] ?? {}));
    translators.set(language.tag, found);
  }
  return found;
}

export const inEnglish: Translator = translatorFor(english);

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
