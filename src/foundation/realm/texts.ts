// Which characters people may use in names and other texts.
import { z } from "zod";

const unprintable = /[\p{Cc}\p{Cs}\p{Cn}]/u;

export function isPrintable(text: string): boolean {
  return !unprintable.test(text);
}

export function hasNoNull(text: string): boolean {
  return !text.includes("\0");
}

/** Characters are code points. */
export function hasAtMost(most: number): (text: string) => boolean {
  return (text) => text.length <= most || [...text].length <= most;
}

/** The name of a thing, which is said with its article: "A channel". */
export function nameOf(thing: string, most: number) {
  return z
    .string()
    .trim()
    .min(1, `${thing} needs a name.`)
    .refine(hasAtMost(most), `${thing}'s name has at most ${most} characters.`)
    .refine(isPrintable, `${thing}'s name must be made of printable characters.`);
}

/** As `nameOf`, of its description, which may be empty and have lines. */
export function descriptionOf(thing: string, most: number) {
  return z
    .string()
    .trim()
    .refine(hasAtMost(most), `${thing}'s description has at most ${most} characters.`)
    .refine(hasNoNull, `${thing}'s description must not contain null bytes.`);
}

/** Cuts at `most` code points, the ending included. */
export function shorten(text: string, most: number, ending: string): string {
  if (text.length <= most) return text;
  const points = [...text];
  return points.length <= most ? text : points.slice(0, most - [...ending].length).join("") + ending;
}
