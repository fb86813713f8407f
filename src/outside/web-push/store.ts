import type { Reads, Tx } from "@/kernel/core/context.ts";
import { latestDue } from "@/kernel/lib/due.ts";
import { cache } from "@/kernel/store/cache.ts";
import { type NewSubscription, pushing } from "./schema.ts";

export interface Keys {
  public_key: string;
  private_key: string;
}

/** The VAPID keys, which identify this server to push services. */
export const findKeys = cache(["push_keys"], ({ db }): Keys | null =>
  db.get<Keys>("SELECT public_key, private_key FROM push_keys"),
);

export function insertKeys(tx: Tx, { public_key, private_key }: Keys): void {
  tx.run(
    "INSERT OR IGNORE INTO push_keys (id, public_key, private_key) VALUES (1, ?, ?)",
    public_key,
    private_key,
  );
}

export interface PushSubscriptionRow extends NewSubscription {
  id: number;
  user_id: number;
  /** The session that created it; null if it was created with an API key. */
  session_id: number | null;
  /** The API key that created it; null if a session did, or if it was not noted yet. */
  key_id: number | null;
  device: string;
  /** Of the push service. */
  host: string;
  /** The newest message when it was created. */
  since_id: number;
  created_at: number;
}

const columns = "id, user_id, session_id, key_id, endpoint, p256dh, auth, device, host, since_id, created_at";

/** A user's subscriptions, oldest first. */
export function subscriptionsOf({ db }: Reads, userId: number): PushSubscriptionRow[] {
  return db.all<PushSubscriptionRow>(
    `SELECT ${columns} FROM push_subscriptions WHERE user_id = ? ORDER BY id`,
    userId,
  );
}

/** Everyone with a subscription. The subscriptions themselves are not kept in memory: their URLs may be long. */
export const peopleSubscribed = cache(["push_subscriptions"], ({ db }): ReadonlySet<number> => {
  const rows = db.all<{ user_id: number }>("SELECT DISTINCT user_id FROM push_subscriptions");
  return new Set(rows.map((row) => row.user_id));
});

/** The newest message when the oldest subscription was made: no subscription is for that or an older one. Null without any. */
export function findOldestSince({ db }: Reads): number | null {
  const sql = "SELECT since_id FROM push_subscriptions ORDER BY id LIMIT 1";
  return db.get<{ since_id: number }>(sql)?.since_id ?? null;
}

export function findSubscription({ db }: Reads, id: number): PushSubscriptionRow | null {
  return db.get<PushSubscriptionRow>(`SELECT ${columns} FROM push_subscriptions WHERE id = ?`, id);
}

export function findByEndpoint({ db }: Reads, endpoint: string): PushSubscriptionRow | null {
  return db.get<PushSubscriptionRow>(
    `SELECT ${columns} FROM push_subscriptions WHERE endpoint = ?`,
    endpoint,
  );
}

export function insertSubscription(
  tx: Tx,
  {
    user_id,
    session_id,
    key_id,
    endpoint,
    p256dh,
    auth,
    device,
    host,
    since_id,
  }: Omit<PushSubscriptionRow, "id" | "created_at">,
): number {
  return tx.run(
    "INSERT INTO push_subscriptions (user_id, session_id, key_id, endpoint, p256dh, auth, device, host, since_id, created_at) " +
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    user_id,
    session_id,
    key_id,
    endpoint,
    p256dh,
    auth,
    device,
    host,
    since_id,
    tx.now,
  ).lastInsertRowid;
}

export function deleteSubscription(tx: Tx, id: number): void {
  tx.run("DELETE FROM pushes WHERE subscription_id = ?", id);
  tx.run("DELETE FROM push_subscriptions WHERE id = ?", id);
}

/** The ID of the last message that was processed. */
export function findProgress({ db }: Reads): number {
  return db.get<{ message_id: number }>("SELECT message_id FROM push_progress")?.message_id ?? 0;
}

export function setProgress(tx: Tx, messageId: number): void {
  tx.run(
    "INSERT INTO push_progress (id, message_id) VALUES (1, ?) " +
      "ON CONFLICT (id) DO UPDATE SET message_id = excluded.message_id",
    messageId,
  );
}

/** IDs of messages newer than this one, ascending. */
export function listAfter({ db }: Reads, messageId: number, max: number): number[] {
  return db
    .all<{ id: number }>("SELECT id FROM messages WHERE id > ? ORDER BY id LIMIT ?", messageId, max)
    .map((row) => row.id);
}

export interface PushRow {
  subscription_id: number;
  message_id: number;
  tries: number;
}

/** Queues a message for those subscriptions of these people that were made before it. */
export function insertPushes(tx: Tx, messageId: number, userIds: readonly number[]): void {
  tx.run(
    "INSERT OR IGNORE INTO pushes (subscription_id, message_id, user_id, host, due_at, tries) " +
      "SELECT id, ?2, user_id, host, ?3, 0 FROM push_subscriptions " +
      "WHERE user_id IN (SELECT value FROM json_each(?1)) AND since_id < ?2",
    JSON.stringify(userIds),
    messageId,
    tx.now,
  );
}

/** The push services that something waits for. */
export function listHosts({ db }: Reads): string[] {
  // Skips through the index from host to host, so that a host with many pushes costs no more than one with few.
  const sql =
    "WITH RECURSIVE hosts (host) AS (SELECT MIN(host) FROM pushes UNION ALL " +
    "SELECT (SELECT MIN(host) FROM pushes WHERE host > hosts.host) FROM hosts WHERE hosts.host IS NOT NULL) " +
    "SELECT host FROM hosts WHERE host IS NOT NULL";
  return db.all<{ host: string }>(sql).map(({ host }) => host);
}

const isDue = "(due_at <= ?1 OR due_at > ?2)";
const dueAt = (now: number) => [now, latestDue(now, pushing.pauses)] as const;

export interface Due {
  host: string;
  now: number;
  max: number;
}

/** People above this one with due pushes for a host, in the order of their IDs. */
export function listOwners({ db }: Reads, above: number, { host, now, max }: Due): number[] {
  const next = (after: string) =>
    `(SELECT MIN(user_id) FROM pushes WHERE host = ?3 AND user_id > ${after} AND ${isDue})`;
  const sql =
    `WITH RECURSIVE owners (id) AS (SELECT ${next("?4")} UNION ALL ` +
    `SELECT ${next("owners.id")} FROM owners WHERE owners.id IS NOT NULL LIMIT ?5) ` +
    "SELECT id FROM owners WHERE id IS NOT NULL";
  return db.all<{ id: number }>(sql, ...dueAt(now), host, above, max).map(({ id }) => id);
}

/** A person's due pushes for a host, the first due first. */
export function listDue({ db }: Reads, userId: number, { host, now, max }: Due): PushRow[] {
  const sql =
    `SELECT subscription_id, message_id, tries FROM pushes WHERE host = ?3 AND user_id = ?4 AND ${isDue} ` +
    "ORDER BY due_at, message_id, subscription_id LIMIT ?5";
  return db.all<PushRow>(sql, ...dueAt(now), host, userId, max);
}

/** When the next push is due, in UNIX seconds; Infinity if none waits. */
export function nextDue({ db }: Reads): number {
  return (
    db.get<{ at: number | null }>("SELECT MIN(due_at) AS at FROM pushes")?.at ?? Number.POSITIVE_INFINITY
  );
}

/** How many notifications wait. */
export function countWaiting({ db }: Reads): number {
  return db.get<{ n: number }>("SELECT COUNT(*) AS n FROM pushes")?.n ?? 0;
}

export function putOff(tx: Tx, { subscription_id, message_id }: PushRow, due_at: number): void {
  tx.run(
    "UPDATE pushes SET due_at = ?, tries = tries + 1 WHERE subscription_id = ? AND message_id = ?",
    due_at,
    subscription_id,
    message_id,
  );
}

/** Puts off all due pushes to a browser; deletes those that have had their last try. */
export function putOffAll(tx: Tx, subscriptionId: number): void {
  const due = `subscription_id = ?3 AND ${isDue}`;
  const given = [...dueAt(tx.now), subscriptionId] as const;
  tx.run(`DELETE FROM pushes WHERE ${due} AND tries >= ?4`, ...given, pushing.pauses.length);
  tx.run(
    `UPDATE pushes SET due_at = ?1 + (SELECT value FROM json_each(?4) WHERE key = tries), tries = tries + 1 WHERE ${due}`,
    ...given,
    JSON.stringify(pushing.pauses),
  );
}

export function deletePush(tx: Tx, { subscription_id, message_id }: PushRow): void {
  tx.run("DELETE FROM pushes WHERE subscription_id = ? AND message_id = ?", subscription_id, message_id);
}
