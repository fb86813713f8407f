// What the client says, in the language of the page. The page loads a script with the language's texts before the client.
import { english, findLanguage } from "@/text/language/languages.ts";
import { createTranslator, type Table } from "@/text/language/translator.ts";

declare global {
  /** Set by the script of a language; .ci/web.mjs writes it. */
  var confabTexts: Table | undefined;
}

const tag = globalThis.document?.documentElement.lang ?? english.tag;

export const {
  t,
  parts,
  language,
  list: listNames,
} = createTranslator(findLanguage(tag) ?? english, globalThis.confabTexts);

const isRegional = (one: string) => /^[a-z]{2}-[A-Z]{2}$/.test(one) && findLanguage(one) === language;

/** For times and numbers: the page's language as it is written where the browser's user lives, such as en-GB. */
export const locale = globalThis.navigator?.languages?.find(isRegional) ?? language.tag;

/** Sorts names as the language does, "channel 2" before "channel 10". */
export const collator = new Intl.Collator(language.tag, { numeric: true });
