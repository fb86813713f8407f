import type { Reads, Tx } from "@/kernel/core/context.ts";
import { cache } from "@/kernel/store/cache.ts";
import { rowDeleter } from "@/kernel/store/owned-rows.ts";
import { wordIndex } from "./matching.ts";
import { wordKey } from "./schema.ts";

export function listWords({ db }: Reads, userId: number): string[] {
  return db
    .all<{ word: string }>("SELECT word FROM alert_words WHERE user_id = ? ORDER BY word_key", userId)
    .map((row) => row.word);
}

/** All users' alert words, indexed for searching a text. */
export const indexOfAll = cache(["alert_words"], ({ db }) =>
  wordIndex(db.all<{ word: string; user_id: number }>("SELECT word_key AS word, user_id FROM alert_words")),
);

export function insertWord(tx: Tx, userId: number, word: string): void {
  tx.run("INSERT INTO alert_words (user_id, word_key, word) VALUES (?, ?, ?)", userId, wordKey(word), word);
}

export function deleteWord(tx: Tx, userId: number, word: string): void {
  tx.run("DELETE FROM alert_words WHERE user_id = ? AND word_key = ?", userId, wordKey(word));
}

export const deleteSomeWords = rowDeleter({ table: "alert_words", key: "user_id, word_key" });
