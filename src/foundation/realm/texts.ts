// Which characters names and other texts may contain.
import { z } from "zod";

const unprintable = /[\p{Cc}\p{Cs}\p{Cn}]/u;

export function isPrintable(text: string): boolean {
  return !unprintable.test(text);
}

/** What cannot be seen in a name, or affects the text around it: line breaks, changes of direction. */
const unruly = /[\p{Cc}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u200b\u202a-\u202e\u2066-\u2069]/u;

export function isOrderly(name: string): boolean {
  return !unruly.test(name);
}

export function hasNoNull(text: string): boolean {
  return !text.includes("\0");
}

/** Characters are code points. */
export function hasAtMost(max: number): (text: string) => boolean {
  return (text) => text.length <= max || [...text].length <= max;
}

/** The rule for a thing's name; `thing` includes its article: "A channel". */
export function nameOf(thing: string, max: number) {
  return z
    .string()
    .trim()
    .min(1, `${thing} needs a name.`)
    .refine(hasAtMost(max), `${thing}'s name has at most ${max} characters.`)
    .meta({ maxLength: max })
    .refine(isOrderly, `${thing}'s name must be made of printable characters.`);
}

/** Like `nameOf`, for a description, which may be empty and have several lines. */
export function descriptionOf(thing: string, max: number) {
  return z
    .string()
    .trim()
    .refine(hasAtMost(max), `${thing}'s description has at most ${max} characters.`)
    .meta({ maxLength: max })
    .refine(hasNoNull, `${thing}'s description must not contain null bytes.`);
}

/** Shortens a text to `max` code points, including the ending. */
export function shorten(text: string, max: number, ending: string): string {
  if (text.length <= max) return text;
  const points = [...text];
  return points.length <= max ? text : points.slice(0, max - [...ending].length).join("") + ending;
}

let languageNames: Intl.DisplayNames | undefined;

/** The English name of a language by its code, such as `pt-br`; null for an unknown code. */
export function languageName(code: string): string | null {
  // Made on first use: it reads tables of the ICU library, and a start has no time for them.
  languageNames ??= new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });
  try {
    return languageNames.of(code) ?? null;
  } catch {
    return null;
  }
}

export const languageCode = z
  .string()
  .max(35, "There is no such language.")
  .refine((code) => languageName(code) !== null, "There is no such language.");
