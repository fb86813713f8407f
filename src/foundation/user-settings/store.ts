import { cache } from "@/kernel/store/cache.ts";
import { rowDeleter } from "@/kernel/store/owned-rows.ts";
import { type PersonalName, rowOf } from "./schema.ts";

/** Users whose value of a setting differs from the default, with that value. */
export const exceptionsTo = cache(
  ["settings"],
  ({ db }, name: PersonalName): ReadonlyMap<number, unknown> => {
    const rows = db.all<{ id: number; value: string }>(
      "SELECT owner_id AS id, value FROM settings WHERE scope = 'user' AND name = ? ORDER BY owner_id",
      name,
    );
    const { fallback } = rowOf(name);
    const values = rows.map((row) => [row.id, JSON.parse(row.value) as unknown] as const);
    return new Map(values.filter(([, value]) => value !== fallback));
  },
);

export const deleteSomeSettings = rowDeleter({
  table: "settings",
  owner: "owner_id",
  key: "scope, owner_id, name",
  where: "scope = 'user'",
});
