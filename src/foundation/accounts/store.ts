import type { Role } from "@/foundation/permissions/schema.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import type { SystemBotKind, UserRow } from "@/foundation/users/schema.ts";
import type { Reads, Tx } from "@/kernel/core/context.ts";

export interface NewUser {
  email: string;
  full_name: string;
  role: Role;
  password_hash: string | null;
  bot_type: number | null;
  bot_owner_id: number | null;
  system_bot?: SystemBotKind;
}

export function insertUser(tx: Tx, user: NewUser): number {
  const { lastInsertRowid } = tx.run(
    "INSERT INTO users (email, email_key, delivery_email, delivery_email_key, full_name, full_name_key, role, is_bot, " +
      "bot_type, bot_owner_id, date_joined, password_hash, system_bot, default_avatar) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    user.email,
    user.email.toLowerCase(),
    user.email,
    user.email.toLowerCase(),
    user.full_name,
    user.full_name.toLowerCase(),
    user.role,
    user.bot_type === null ? 0 : 1,
    user.bot_type,
    user.bot_owner_id,
    tx.now,
    user.password_hash,
    user.system_bot ?? null,
    realmSettings.read(tx).default_avatar_source,
  );
  return lastInsertRowid;
}

export function setRole(tx: Tx, id: number, role: Role): void {
  tx.run("UPDATE users SET role = ? WHERE id = ?", role, id);
}

export function setBotOwner(tx: Tx, id: number, ownerId: number): void {
  tx.run("UPDATE users SET bot_owner_id = ? WHERE id = ?", ownerId, id);
}

export function setActive(tx: Tx, id: number, isActive: boolean): void {
  tx.run("UPDATE users SET is_active = ? WHERE id = ?", isActive ? 1 : 0, id);
}

export function setEmails(
  tx: Tx,
  id: number,
  { email, delivery_email }: Pick<UserRow, "email" | "delivery_email">,
): void {
  tx.run(
    "UPDATE users SET email = ?, email_key = ?, delivery_email = ?, delivery_email_key = ? WHERE id = ?",
    email,
    email.toLowerCase(),
    delivery_email,
    delivery_email.toLowerCase(),
    id,
  );
}

export function setFullName(tx: Tx, id: number, name: string): void {
  tx.run("UPDATE users SET full_name = ?, full_name_key = ? WHERE id = ?", name, name.toLowerCase(), id);
}

/** Removes what identifies a person. The row stays, for what has its ID. */
export function setErased(
  tx: Tx,
  id: number,
  { email, full_name }: { email: string; full_name: string },
): void {
  setFullName(tx, id, full_name);
  setEmails(tx, id, { email, delivery_email: email });
  tx.run("UPDATE users SET timezone = '', password_hash = NULL, erased_at = ? WHERE id = ?", tx.now, id);
}

export function setTimezone(tx: Tx, id: number, timezone: string): void {
  tx.run("UPDATE users SET timezone = ? WHERE id = ?", timezone, id);
}

export function setJoined(tx: Tx, id: number, time: number): void {
  tx.run("UPDATE users SET date_joined = ? WHERE id = ?", time, id);
}

export function setAwaitsLogin(tx: Tx, id: number, made: UserRow["awaits_login"]): void {
  tx.run("UPDATE users SET awaits_login = ? WHERE id = ?", made, id);
}

export function setPasswordHash(tx: Tx, id: number, hash: string): void {
  tx.run("UPDATE users SET password_hash = ? WHERE id = ?", hash, id);
}

export function countActiveOwners({ db }: Reads, ownerRole: Role): number {
  const row = db.get<{ n: number }>(
    "SELECT COUNT(*) AS n FROM users WHERE role = ? AND is_active AND NOT is_bot",
    ownerRole,
  );
  return row?.n ?? 0;
}
