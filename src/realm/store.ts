import { cache } from "@/kernel/cache.ts";
import type { Tx } from "@/kernel/context.ts";

export interface RealmRow {
  string_id: string;
  date_created: number;
  avatar_salt: string;
}

/** The organization of this data folder; null before `init`. */
export const findRealm = cache(["realm"], ({ db }, _: 0) =>
  db.get<RealmRow>("SELECT string_id, date_created, avatar_salt FROM realm WHERE id = 1"),
);

export function insertRealm(tx: Tx, realm: RealmRow): void {
  tx.run(
    "INSERT INTO realm (id, string_id, date_created, avatar_salt) VALUES (1, ?, ?, ?)",
    realm.string_id,
    realm.date_created,
    realm.avatar_salt,
  );
}
