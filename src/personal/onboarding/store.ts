import type { Reads, Tx } from "@/kernel/core/context.ts";
import { rowDeleter } from "@/kernel/store/owned-rows.ts";

export function findSeenSteps({ db }: Reads, userId: number): ReadonlySet<string> {
  const rows = db.all<{ step: string }>("SELECT step FROM onboarding_steps WHERE user_id = ?", userId);
  return new Set(rows.map((row) => row.step));
}

export function insertSeen(tx: Tx, userId: number, step: string): void {
  tx.run("INSERT INTO onboarding_steps (user_id, step, seen_at) VALUES (?, ?, ?)", userId, step, tx.now);
}

export const deleteSomeSteps = rowDeleter({ table: "onboarding_steps", key: "user_id, step" });
