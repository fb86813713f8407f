import type { RealmRow } from "@/foundation/realm/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";

export function insertRealm(
  tx: Tx,
  realm: Pick<RealmRow, "string_id" | "date_created" | "avatar_salt">,
): void {
  tx.run(
    "INSERT INTO realm (id, string_id, date_created, avatar_salt) VALUES (1, ?, ?, ?)",
    realm.string_id,
    realm.date_created,
    realm.avatar_salt,
  );
}

export function setDeactivatedAt(tx: Tx, at: number | null): void {
  tx.run("UPDATE realm SET deactivated_at = ? WHERE id = 1", at);
}

const pictureColumns = { icon: "icon_file", logo: "logo_file", night_logo: "night_logo_file" } as const;

export function setPicture(tx: Tx, which: keyof typeof pictureColumns, file: string | null): void {
  tx.run(`UPDATE realm SET ${pictureColumns[which]} = ? WHERE id = 1`, file);
}

export function insertDomain(tx: Tx, domain: string, allowSubdomains: boolean): number {
  const { lastInsertRowid } = tx.run(
    "INSERT INTO realm_domains (domain, allow_subdomains) VALUES (?, ?)",
    domain,
    allowSubdomains ? 1 : 0,
  );
  return lastInsertRowid;
}

export function setAllowSubdomains(tx: Tx, id: number, allowSubdomains: boolean): void {
  tx.run("UPDATE realm_domains SET allow_subdomains = ? WHERE id = ?", allowSubdomains ? 1 : 0, id);
}

export function deleteDomain(tx: Tx, id: number): void {
  tx.run("DELETE FROM realm_domains WHERE id = ?", id);
}
