import type { Reads } from "@/kernel/core/context.ts";
import { cache } from "@/kernel/store/cache.ts";
import type { DomainRow, RealmRow } from "./schema.ts";

const columns = "string_id, date_created, avatar_salt, deactivated_at, icon_file, logo_file, night_logo_file";

/** The organization of this data folder; null before `init`. */
export const findRealm = cache(["realm"], ({ db }) =>
  db.get<RealmRow>(`SELECT ${columns} FROM realm WHERE id = 1`),
);

export function listDomains({ db }: Reads): DomainRow[] {
  return db.all<DomainRow>("SELECT id, domain, allow_subdomains FROM realm_domains ORDER BY id");
}
