import { z } from "zod";
import { hasAtMost } from "@/foundation/realm/texts.ts";
import { event } from "@/kernel/core/events.ts";

const maxLength = 100;

/** One or more words. Trims white space and collapses it to single spaces. */
const anyWord = z.string().transform((word) => word.replaceAll(/\s+/g, " ").trim());
const alertWord = anyWord
  .refine(hasAtMost(maxLength), `An alert word has at most ${maxLength} characters.`)
  .meta({ maxLength: maxLength })
  .refine((word) => !/[\p{Cc}\p{Cs}]/u.test(word), "An alert word is made of printable characters.");

/** Per user. */
export const maxWords = 1000;

const tooMany = `You can send at most ${maxWords} alert words at once.`;
export const alertWordList = z.array(alertWord).max(maxWords, tooMany);
/** Words to remove. Accepts invalid words, which are ignored like unknown ones. */
export const goneWordList = z.array(anyWord).max(maxWords, tooMany);

/** Words with the same key are equal: case is ignored. */
export function wordKey(word: string): string {
  return word.toLowerCase();
}

export const alertWords = z.array(z.string());

/** Always carries the whole list. */
export const alertWordsChanged = event("alert_words", {
  about: "The user's alert words have changed. Carries all of them.",
  schema: z.object({ alert_words: alertWords }),
});
