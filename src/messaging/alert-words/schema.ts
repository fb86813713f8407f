import { z } from "zod";
import { hasAtMost } from "@/foundation/realm/texts.ts";
import { event } from "@/kernel/events.ts";

const longest = 100;

/** A word or a few: blanks at its ends say nothing, and those within count as one. */
const anyWord = z.string().transform((word) => word.replaceAll(/\s+/g, " ").trim());
const alertWord = anyWord
  .refine(hasAtMost(longest), `An alert word has at most ${longest} characters.`)
  .refine((word) => !/[\p{Cc}\p{Cs}]/u.test(word), "An alert word is made of printable characters.");

/** As many as one user may have. */
export const mostWords = 1000;

const tooMany = `At most ${mostWords} alert words can be sent at once.`;
export const alertWordList = z.array(alertWord).max(mostWords, tooMany);
/** Words to remove: what no alert word can be is as unknown as what is none. */
export const goneWordList = z.array(anyWord).max(mostWords, tooMany);

/** Words are told apart without regard to case. */
export function wordKey(word: string): string {
  return word.toLowerCase();
}

export const alertWords = z.array(z.string());

/** The whole list, whatever has changed in it. */
export const alertWordsChanged = event<{ alert_words: string[] }>("alert_words", {
  about: "The caller's alert words have changed; carries all of them.",
  schema: z.object({ alert_words: alertWords }),
});
