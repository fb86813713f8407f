import type { Role } from "@/foundation/permissions/schema.ts";
import type { Reads, Tx } from "@/kernel/core/context.ts";
import { cache } from "@/kernel/store/cache.ts";
import type { UserRow } from "./rows.ts";
import type { SystemBotKind } from "./schema.ts";

export interface NewUser {
  email: string;
  full_name: string;
  role: Role;
  password_hash: string | null;
  bot_type: number | null;
  bot_owner_id: number | null;
  system_bot?: SystemBotKind;
}

const columns =
  "id, email, delivery_email, full_name, role, is_active, is_bot, bot_type, bot_owner_id, timezone, avatar_version, avatar_file, date_joined, password_hash, " +
  "system_bot";

export const findUser = cache(["users"], ({ db }, id: number) =>
  db.get<UserRow>(`SELECT ${columns} FROM users WHERE id = ?`, id),
);

/** The first of these IDs that is not an active user's; the organization's own bots do not count as users. */
export function firstNotActive({ db }: Reads, ids: readonly number[]): number | null {
  const row = db.get<{ id: number }>(
    "SELECT value AS id FROM json_each(?) LEFT JOIN users ON users.id = value " +
      "WHERE is_active IS NOT 1 OR system_bot IS NOT NULL ORDER BY key LIMIT 1",
    JSON.stringify(ids),
  );
  return row?.id ?? null;
}

const idByEmail = cache(["users"], ({ db }, key: string) =>
  db.get<{ id: number }>("SELECT id FROM users WHERE email_key = ?1 OR delivery_email_key = ?1", key),
);

/** Finds a user by their own or their generated address. */
export function findUserByEmail(reads: Reads, email: string): UserRow | null {
  const found = idByEmail(reads, email.toLowerCase());
  return found && findUser(reads, found.id);
}

/** Active people first, then the oldest account: the order in which a shared name is resolved. */
export const findUsersByName = cache(["users"], ({ db }, key: string) =>
  db.all<{ id: number; full_name: string }>(
    "SELECT id, full_name FROM users WHERE full_name_key = ? ORDER BY is_active DESC, id",
    key,
  ),
);

/** Everyone but the organization's own bots. */
export function listUsers({ db }: Reads): UserRow[] {
  return db.all<UserRow>(`SELECT ${columns} FROM users WHERE system_bot IS NULL ORDER BY id`);
}

/** As `listUsers`, the first `max` beyond an ID. */
export function listUsersAfter({ db }: Reads, id: number, max: number): UserRow[] {
  const sql = `SELECT ${columns} FROM users WHERE system_bot IS NULL AND id > ? ORDER BY id LIMIT ?`;
  return db.all<UserRow>(sql, id, max);
}

export const listSystemBots = cache(["users"], ({ db }) =>
  db.all<UserRow>(`SELECT ${columns} FROM users WHERE system_bot IS NOT NULL ORDER BY id`),
);

/** The bots of a person, active or not. */
export const botsOf = cache(["users"], ({ db }, ownerId: number) =>
  db.all<UserRow>(`SELECT ${columns} FROM users WHERE bot_owner_id = ? ORDER BY id`, ownerId),
);

export function countActiveOwners({ db }: Reads, ownerRole: Role): number {
  const row = db.get<{ n: number }>(
    "SELECT COUNT(*) AS n FROM users WHERE role = ? AND is_active AND NOT is_bot",
    ownerRole,
  );
  return row?.n ?? 0;
}

export function insertUser(tx: Tx, user: NewUser): number {
  const { lastInsertRowid } = tx.run(
    "INSERT INTO users (email, email_key, delivery_email, delivery_email_key, full_name, full_name_key, role, is_bot, " +
      "bot_type, bot_owner_id, date_joined, password_hash, system_bot) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
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

export function setTimezone(tx: Tx, id: number, timezone: string): void {
  tx.run("UPDATE users SET timezone = ? WHERE id = ?", timezone, id);
}

export function setJoined(tx: Tx, id: number, time: number): void {
  tx.run("UPDATE users SET date_joined = ? WHERE id = ?", time, id);
}

export function setPasswordHash(tx: Tx, id: number, hash: string): void {
  tx.run("UPDATE users SET password_hash = ? WHERE id = ?", hash, id);
}
