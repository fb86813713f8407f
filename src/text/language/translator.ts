// Says texts in a language. Texts are written in code in English, in ICU form: t("{count, plural, one {# person} other {# people}}", { count }).
import { setupI18n } from "@lingui/core";
import type { CompiledMessage } from "@lingui/message-utils/compileMessage";
import type { Sentence } from "@/kernel/lib/errors.ts";
import { english as englishTexts, type Texts } from "./catalogue.ts";
import { english, type Language } from "./languages.ts";

/** Compiled texts by their English. */
export type Table = Readonly<Record<string, CompiledMessage>>;

/** Every text there is: a key of src/text/language/texts.json. */
export type TextKey = keyof Texts & string;
/** A text whose parts have marks such as <b>…</b>, for `parts`. */
export type RichKey = { [K in TextKey]: Texts[K]["marks"] extends never ? never : K }[TextKey];
export type PlainKey = Exclude<TextKey, RichKey>;
/** A text without values. */
export type FixedKey = { [K in PlainKey]: Texts[K]["args"] extends null ? K : never }[PlainKey];
/** What a text needs: nothing, or values by name. */
export type ArgsOf<K extends TextKey> = Texts[K]["args"] extends null ? [] : [values: Texts[K]["args"]];
type FormsOf<K extends PlainKey> = { readonly [T in K]: Texts[T]["args"] };

declare module "@/kernel/lib/errors.ts" {
  interface KnownTexts extends FormsOf<PlainKey> {}
}

type Values = Readonly<Record<string, string | number | Date>>;

/** A text without marks, in parts: what is between marks is in a part with their name. */
export type Part = string | { mark: string; parts: Part[] };

export interface Translator {
  readonly language: Language;
  t<K extends PlainKey>(text: K, ...values: ArgsOf<K>): string;
  /** What was meant for people when it was thrown; in English as it was thrown if the language does not know it. */
  say(sentence: Sentence): string;
  /** The parts of a text with marks; values are never taken for marks. */
  parts<K extends RichKey>(text: K, ...values: ArgsOf<K>): Part[];
  /** A name or the like in no text, so that it runs in its own direction beside others. */
  isolate(value: string): string;
  /** "Mel, Max, Olive". */
  list(names: readonly string[]): string;
}

/** Values stand between these (private to us) until the text is formatted, so that nothing in them is taken for a part of it. */
const [opening, closing] = ["\u{f0000}", "\u{f0001}"];
const [isolating, isolatingEnd] = ["\u2068", "\u2069"];

/** For names that are typed or compared, such as those of topics. */
export const withoutIsolates = (text: string) => text.replaceAll(/[\u2068\u2069]/g, "");

const speakerOf = (locale: string, messages: Table) =>
  setupI18n({ locale, messages: { [locale]: { ...messages } } });
const inEnglish = speakerOf(english.tag, englishTexts);

/** `table` has the language's texts; those that it lacks are said in English. */
export function createTranslator(language: Language, table: Table = {}): Translator {
  const own = speakerOf(language.tag, table);
  const lists = new Intl.ListFormat(language.tag, { style: "narrow" });
  const isolate = (value: string) => (language.dir === "rtl" ? `${isolating}${value}${isolatingEnd}` : value);

  /** Null for English without values and marks, which is said as it is written. */
  function findSpeaker(text: string): typeof own | null {
    if (Object.hasOwn(table, text)) return own;
    return Object.hasOwn(englishTexts, text) ? inEnglish : null;
  }

  function format(text: string, values: Values = {}): { said: string; put: (piece: string) => string } {
    const speaker = findSpeaker(text);
    if (!speaker) return { said: text, put: (piece) => piece };
    const texts = Object.values(values);
    const held = Object.fromEntries(
      Object.entries(values).map(([name, value], i) => [
        name,
        typeof value === "string" ? `${opening}${i}${closing}` : value,
      ]),
    );
    const put = (piece: string) => piece.replace(heldValue, (_, i) => isolate(String(texts[Number(i)])));
    return { said: speaker._(text, held), put };
  }

  function say(text: string, values?: Values): string {
    const { said, put } = format(text, values);
    return put(said);
  }

  return {
    language,
    t: (text, ...[values]) => say(text, values as Values | undefined),
    say: ({ inEnglish, text, values }) => (Object.hasOwn(table, text) ? say(text, values) : inEnglish),
    parts: (text, ...[values]) => {
      const { said, put } = format(text, values as Values | undefined);
      return readParts(said.split(/(<\/?\w+>)/), put);
    },
    isolate,
    list: (names) => (names.length === 1 ? names.join() : lists.format(names.map(isolate))),
  };
}

const heldValue = new RegExp(`${opening}(\\d+)${closing}`, "gu");

/** Reads until the mark that is open ends. */
function readParts(pieces: string[], put: (piece: string) => string): Part[] {
  const parts: Part[] = [];
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
    if (piece.startsWith("</")) return parts;
    const [, mark] = /^<(\w+)>$/.exec(piece) ?? [];
    if (mark) parts.push({ mark, parts: readParts(pieces, put) });
    else if (piece !== "") parts.push(put(piece));
  }
  return parts;
}
