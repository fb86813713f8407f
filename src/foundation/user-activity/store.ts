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

/** One more person was active on a day. */
export function addToDay(tx: Tx, day: number): void {
  tx.run(
    "INSERT INTO daily_activity (day, people) VALUES (?, 1) ON CONFLICT (day) DO UPDATE SET people = people + 1",
    day,
  );
}

/** Stores how many people were active in the week that ends with a day. */
export function setWeek(tx: Tx, day: number): void {
  tx.run(
    "INSERT INTO daily_activity (day, people, week_people) " +
      "SELECT ?1, 0, COUNT(*) FROM user_activity WHERE day > ?1 - 7 AND day <= ?1 " +
      "ON CONFLICT (day) DO UPDATE SET week_people = excluded.week_people",
    day,
  );
}

export interface DayActivity {
  day: number;
  people: number;
  /** Null until it is counted. */
  week_people: number | null;
}

/** By day, from a day on. */
export function listActivity({ db }: Reads, from: number): DayActivity[] {
  return db.all("SELECT day, people, week_people FROM daily_activity WHERE day >= ? ORDER BY day", from);
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
