import type { Reads } from "@/kernel/core/context.ts";
import { cache } from "@/kernel/store/cache.ts";
import type { UserRow } from "./schema.ts";

const columns =
  "id, email, delivery_email, full_name, role, is_active, is_bot, bot_type, bot_owner_id, timezone, avatar_version, avatar_file, date_joined, password_hash, " +
  "system_bot, erased_at, awaits_login, default_avatar";

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

export const listSystemBots = cache(["users"], ({ db }) =>
  db.all<UserRow>(`SELECT ${columns} FROM users WHERE system_bot IS NOT NULL ORDER BY id`),
);

/** The bots of a person, active or not. */
export const botsOf = cache(["users"], ({ db }, ownerId: number) =>
  db.all<UserRow>(`SELECT ${columns} FROM users WHERE bot_owner_id = ? ORDER BY id`, ownerId),
);

/** As `listUsers`, the first `max` beyond an ID. */
export function listUsersAfter({ db }: Reads, id: number, max: number): UserRow[] {
  const sql = `SELECT ${columns} FROM users WHERE system_bot IS NULL AND id > ? ORDER BY id LIMIT ?`;
  return db.all<UserRow>(sql, id, max);
}
