import type { Reads, SqlValue, Tx } from "@/kernel/core/context.ts";
import { cache } from "@/kernel/store/cache.ts";
import type { ServiceRow } from "./schema.ts";

export interface DefaultsRow {
  sending_channel_id: number | null;
  events_channel_id: number | null;
  all_public_channels: 0 | 1;
}

export const findDefaults = cache(["bot_defaults"], ({ db }, botId: number) =>
  db.get<DefaultsRow>(
    "SELECT sending_channel_id, events_channel_id, all_public_channels FROM bot_defaults WHERE bot_id = ?",
    botId,
  ),
);

const defaultsSql: Record<keyof DefaultsRow, string> = {
  sending_channel_id:
    "INSERT INTO bot_defaults (bot_id, sending_channel_id) VALUES (?, ?) " +
    "ON CONFLICT (bot_id) DO UPDATE SET sending_channel_id = excluded.sending_channel_id",
  events_channel_id:
    "INSERT INTO bot_defaults (bot_id, events_channel_id) VALUES (?, ?) " +
    "ON CONFLICT (bot_id) DO UPDATE SET events_channel_id = excluded.events_channel_id",
  all_public_channels:
    "INSERT INTO bot_defaults (bot_id, all_public_channels) VALUES (?, ?) " +
    "ON CONFLICT (bot_id) DO UPDATE SET all_public_channels = excluded.all_public_channels",
};

export function setDefault(tx: Tx, botId: number, name: keyof DefaultsRow, value: SqlValue): void {
  tx.run(defaultsSql[name], botId, value);
}

/** The URL of an outgoing webhook whose new owner has not set one. */
export const noAddress = "";

export const findService = cache(["bot_services"], ({ db }, botId: number) =>
  db.get<ServiceRow>("SELECT base_url, interface, token FROM bot_services WHERE bot_id = ?", botId),
);

export const listServiceBots = cache(["bot_services"], ({ db }): readonly number[] =>
  db
    .all<{ bot_id: number }>("SELECT bot_id FROM bot_services WHERE base_url <> ?", noAddress)
    .map((row) => row.bot_id),
);

export function setService(tx: Tx, botId: number, { base_url, interface: form, token }: ServiceRow): void {
  tx.run(
    "INSERT INTO bot_services (bot_id, base_url, interface, token) VALUES (?, ?, ?, ?) " +
      "ON CONFLICT (bot_id) DO UPDATE SET base_url = excluded.base_url, interface = excluded.interface, token = excluded.token",
    botId,
    base_url,
    form,
    token,
  );
}

export interface StoredText {
  key: string;
  value: string;
}

/** All that a bot stores, by key, in portions of at most `count`. */
export function readStoredPortions(reads: Reads, botId: number, count: number): Generator<StoredText[]> {
  return portions(reads, { botId, count, columns: "key, value" });
}

/** As `readStoredPortions`, with the number of characters of each key and value together. */
export function sizePortions(
  reads: Reads,
  botId: number,
  count: number,
): Generator<{ key: string; size: number }[]> {
  return portions(reads, { botId, count, columns: "key, LENGTH(key) + LENGTH(value) AS size" });
}

function* portions<R extends { key: string }>(
  { db }: Reads,
  { botId, count, columns }: { botId: number; count: number; columns: string },
): Generator<R[]> {
  const sql = `SELECT ${columns} FROM bot_storage WHERE bot_id = ? AND key > ? ORDER BY key LIMIT ?`;
  for (let above = ""; ; ) {
    const some = db.all<R>(sql, botId, above, count);
    if (some.length > 0) yield some;
    if (some.length < count) return;
    above = some.at(-1)?.key ?? "";
  }
}

/** The values of these keys, in order; null for unknown keys. */
export function findStored(
  { db }: Reads,
  botId: number,
  keys: readonly string[],
): { key: string; value: string | null }[] {
  return db.all(
    "SELECT wanted.value AS key, bot_storage.value FROM json_each(?) AS wanted " +
      "LEFT JOIN bot_storage ON bot_id = ? AND bot_storage.key = wanted.value ORDER BY wanted.key",
    JSON.stringify(keys),
    botId,
  );
}

/** Values by key. */
export function setStored(
  tx: Tx,
  botId: number,
  entries: readonly (readonly [key: string, value: string])[],
): void {
  tx.run(
    "INSERT INTO bot_storage (bot_id, key, value) SELECT ?, e.value ->> 0, e.value ->> 1 FROM json_each(?) AS e WHERE true " +
      "ON CONFLICT (bot_id, key) DO UPDATE SET value = excluded.value",
    botId,
    JSON.stringify(entries),
  );
}

/** The first of these keys that does not exist; null if all exist. */
export function findUnstored({ db }: Reads, botId: number, keys: readonly string[]): string | null {
  const row = db.get<{ key: string }>(
    "SELECT wanted.value AS key FROM json_each(?) AS wanted WHERE NOT EXISTS (SELECT 1 FROM bot_storage " +
      "WHERE bot_id = ? AND bot_storage.key = wanted.value) LIMIT 1",
    JSON.stringify(keys),
    botId,
  );
  return row?.key ?? null;
}

/** Deletes the values of these keys. */
export function deleteStored(tx: Tx, botId: number, keys: readonly string[]): void {
  const sql = "DELETE FROM bot_storage WHERE bot_id = ? AND key IN (SELECT value FROM json_each(?))";
  tx.run(sql, botId, JSON.stringify(keys));
}
