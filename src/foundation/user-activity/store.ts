import type { Reads, Tx } from "@/kernel/core/context.ts";
import { cache } from "@/kernel/store/cache.ts";
import { rowDeleter } from "@/kernel/store/owned-rows.ts";

/** The last stored day on which a person was active. */
export const lastDayOf = cache(["user_activity"], ({ db }, userId: number): number | null => {
  return db.get<{ day: number }>("SELECT day FROM user_activity WHERE user_id = ?", userId)?.day ?? null;
});

export function listLastDays({ db }: Reads): { user_id: number; day: number }[] {
  return db.all<{ user_id: number; day: number }>("SELECT user_id, day FROM user_activity");
}

export function setLastDay(tx: Tx, userId: number, day: number): void {
  tx.run(
    "INSERT INTO user_activity (user_id, day) VALUES (?, ?) ON CONFLICT (user_id) DO UPDATE SET day = excluded.day",
    userId,
    day,
  );
}

/** People who were active on that day or later, and all bots. */
export const findPresentSince = cache(
  ["user_activity", "users"],
  ({ db }, day: number): ReadonlySet<number> => {
    const rows = db.all<{ id: number }>(
      "SELECT user_id AS id FROM user_activity WHERE day >= ? UNION ALL SELECT id FROM users WHERE is_bot",
      day,
    );
    return new Set(rows.map((row) => row.id));
  },
);

export const deleteSomeActivity = rowDeleter({ table: "user_activity", key: "user_id" });
