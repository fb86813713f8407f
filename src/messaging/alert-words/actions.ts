import { allow, me } from "@/foundation/permissions/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { to } from "@/kernel/core/events.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { alertWordsChanged, maxWords, wordKey } from "./schema.ts";
import * as store from "./store.ts";

/** Adds alert words for the actor and returns all they have. Ignores blank words and words they have already. */
export const addAlertWords = action(allow.user, (tx, words: readonly string[]): string[] => {
  const user = me(tx).id;
  const before = store.listWords(tx, user);
  const known = new Set(before.map(wordKey));
  const added = words.filter((word) => word !== "" && !known.has(wordKey(word)) && known.add(wordKey(word)));
  if (known.size > maxWords) fail("BAD_REQUEST", `You can have at most ${maxWords} alert words.`);

  for (const word of added) store.insertWord(tx, user, word);
  return emitAlertWords(tx, user, added.length > 0);
});

/** Removes alert words of the actor and returns those that remain. */
export const removeAlertWords = action(allow.user, (tx, words: readonly string[]): string[] => {
  const user = me(tx).id;
  const wanted = new Set(words.map(wordKey));
  const removed = store.listWords(tx, user).filter((word) => wanted.has(wordKey(word)));

  for (const word of removed) store.deleteWord(tx, user, word);
  return emitAlertWords(tx, user, removed.length > 0);
});

function emitAlertWords(tx: Tx, user: number, isChanged: boolean): string[] {
  const alert_words = store.listWords(tx, user);
  if (isChanged) tx.emit(alertWordsChanged, to(user), { alert_words });
  return alert_words;
}

/** Part of erasing a person: deletes their alert words, at most `max`. Returns how many it deleted. */
export function forgetSomeWords(tx: Tx, userId: number, max: number): number {
  return store.deleteSomeWords(tx, userId, max);
}
