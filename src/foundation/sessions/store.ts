import type { Reads, ReadsNow, Tx } from "@/kernel/core/context.ts";
import { browserLife, sessionLife } from "./schema.ts";

export interface SessionRow {
  id: number;
  user_id: number;
  device: string;
  address: string;
  created_at: number;
  last_seen_at: number;
  /** When the user last showed who they are, at first by signing in. */
  proved_at: number;
}

const columns = "id, user_id, device, address, created_at, last_seen_at, proved_at";

/** The unexpired session of a cookie's token, by its hash: the cookie from signing in, or one from another node. */
export function findByHash(reads: ReadsNow, hash: Uint8Array): SessionRow | null {
  const { db, now } = reads;
  const found = db.get<SessionRow>(
    `SELECT ${columns} FROM sessions WHERE hash = ? AND last_seen_at > ? AND created_at > ?`,
    hash,
    now - sessionLife.idle,
    now - sessionLife.longest,
  );
  return found ?? findArrival(reads, hash);
}

/** The unexpired session of a token that a page has traded for its secret. */
export function findArrival(reads: ReadsNow, token_hash: Uint8Array): SessionRow | null {
  const sql = "SELECT session_id FROM session_handovers WHERE token_hash = ?";
  const found = reads.db.get<{ session_id: number }>(sql, token_hash);
  return found && findById(reads, found.session_id);
}

/** Whether the token was traded for this secret. */
export function isTraded({ db }: Reads, { hash, token_hash }: Omit<SpentHandover, "session_id">): boolean {
  const sql = "SELECT 1 FROM session_handovers WHERE hash = ? AND token_hash = ?";
  return db.get(sql, hash, token_hash) !== null;
}

/** As `findByHash`, by ID. */
export function findById({ db, now }: ReadsNow, id: number): SessionRow | null {
  return db.get<SessionRow>(
    `SELECT ${columns} FROM sessions WHERE id = ? AND last_seen_at > ? AND created_at > ?`,
    id,
    now - sessionLife.idle,
    now - sessionLife.longest,
  );
}

/** A user's unexpired sessions, most recently used first. */
export function listByUser({ db, now }: ReadsNow, userId: number): SessionRow[] {
  return db.all<SessionRow>(
    `SELECT ${columns} FROM sessions WHERE user_id = ? AND last_seen_at > ? AND created_at > ? ` +
      "ORDER BY last_seen_at DESC, id DESC",
    userId,
    now - sessionLife.idle,
    now - sessionLife.longest,
  );
}

export interface NewSession {
  user_id: number;
  hash: Uint8Array;
  device: string;
  address: string;
}

export function insertSession(tx: Tx, { user_id, hash, device, address }: NewSession): void {
  tx.run(
    "INSERT INTO sessions (user_id, hash, device, address, created_at, last_seen_at, proved_at) " +
      "VALUES (?, ?, ?, ?, ?, ?, ?)",
    user_id,
    hash,
    device,
    address,
    tx.now,
    tx.now,
    tx.now,
  );
}

export function setSeen(tx: Tx, { id, at, address }: { id: number; at: number; address: string }): void {
  tx.run("UPDATE sessions SET last_seen_at = ?, address = ? WHERE id = ?", at, address, id);
}

export function setProved(tx: Tx, id: number): void {
  tx.run("UPDATE sessions SET proved_at = ? WHERE id = ?", tx.now, id);
}

export function deleteSession(tx: Tx, id: number): void {
  tx.run("DELETE FROM sessions WHERE id = ?", id);
}

/** Deletes all sessions of a user except the one with the ID `spared`; returns how many. */
export function deleteByUser(tx: Tx, userId: number, spared = 0): number {
  return tx.run("DELETE FROM sessions WHERE user_id = ? AND id <> ?", userId, spared).changes;
}

/** Makes the token with this hash the only one of a session. */
export function setOnlyToken(tx: Tx, id: number, hash: Uint8Array): void {
  tx.run("DELETE FROM session_handovers WHERE session_id = ?", id);
  tx.run("UPDATE sessions SET hash = ? WHERE id = ?", hash, id);
}

/** Deletes all sessions of a user except the `kept` most recently used. */
export function deleteOldest(tx: Tx, userId: number, kept: number): void {
  tx.run(
    "DELETE FROM sessions WHERE user_id = ? AND id NOT IN " +
      "(SELECT id FROM sessions WHERE user_id = ? ORDER BY last_seen_at DESC, id DESC LIMIT ?)",
    userId,
    userId,
    kept,
  );
}

/** Deletes up to `max` expired sessions; returns how many. */
export function deleteEnded(tx: Tx, max: number): number {
  return tx.run(
    "DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE last_seen_at <= ? OR created_at <= ? " +
      "ORDER BY id LIMIT ?)",
    tx.now - sessionLife.idle,
    tx.now - sessionLife.longest,
    max,
  ).changes;
}

export function hasEnded({ db, now }: ReadsNow): boolean {
  const found = db.get(
    "SELECT 1 FROM sessions WHERE last_seen_at <= ? OR created_at <= ? LIMIT 1",
    now - sessionLife.idle,
    now - sessionLife.longest,
  );
  return found !== null;
}

/** Stores a secret of a session's page, and deletes all but the `kept` newest that were not used. */
export function insertHandover(tx: Tx, { session_id, hash }: NewHandover, kept: number): void {
  tx.run("INSERT INTO session_handovers (session_id, hash) VALUES (?, ?)", session_id, hash);
  tx.run(
    "DELETE FROM session_handovers WHERE session_id = ?1 AND token_hash IS NULL AND id NOT IN (SELECT id FROM session_handovers " +
      "WHERE session_id = ?1 AND token_hash IS NULL ORDER BY id DESC LIMIT ?2)",
    session_id,
    kept,
  );
}

interface NewHandover {
  session_id: number;
  hash: Uint8Array;
}

/** The unexpired session of a secret that was not used. */
export function findHandover(reads: ReadsNow, hash: Uint8Array): SessionRow | null {
  const sql = "SELECT session_id FROM session_handovers WHERE hash = ? AND token_hash IS NULL";
  const found = reads.db.get<{ session_id: number }>(sql, hash);
  return found && findById(reads, found.session_id);
}

/** Gives a session another token for a secret, which works no more, and ends all but the `kept` newest tokens of this kind. */
export function spendHandover(tx: Tx, { session_id, hash, token_hash }: SpentHandover, kept: number): void {
  tx.run("UPDATE session_handovers SET token_hash = ? WHERE hash = ?", token_hash, hash);
  tx.run(
    "DELETE FROM session_handovers WHERE session_id = ?1 AND token_hash IS NOT NULL AND id NOT IN (SELECT id FROM session_handovers " +
      "WHERE session_id = ?1 AND token_hash IS NOT NULL ORDER BY id DESC LIMIT ?2)",
    session_id,
    kept,
  );
}

interface SpentHandover extends NewHandover {
  token_hash: Uint8Array;
}

export function insertLink(tx: Tx, link: { hash: Uint8Array; user_id: number; expires_at: number }): void {
  tx.run(
    "INSERT INTO login_links (hash, user_id, expires_at) VALUES (?, ?, ?)",
    link.hash,
    link.user_id,
    link.expires_at,
  );
}

/** The user that a link signs in; null if it no longer works. */
export function findLink({ db, now }: ReadsNow, hash: Uint8Array): { user_id: number } | null {
  return db.get<{ user_id: number }>(
    "SELECT user_id FROM login_links WHERE hash = ? AND expires_at > ?",
    hash,
    now,
  );
}

/** Uses a link up; false if it was used already. */
export function deleteLink(tx: Tx, hash: Uint8Array): boolean {
  return tx.run("DELETE FROM login_links WHERE hash = ?", hash).changes > 0;
}

export function deleteLinks(tx: Tx, userId: number): void {
  tx.run("DELETE FROM login_links WHERE user_id = ?", userId);
}

/** Whether a user has links, used or not; avoids a write if there are none. */
export function hasLinks({ db }: Reads, userId: number): boolean {
  return db.get("SELECT 1 FROM login_links WHERE user_id = ? LIMIT 1", userId) !== null;
}

/** A browser in which somebody has signed in before. Several people may use the same one. */
interface KnownBrowser {
  hash: Uint8Array;
  user_id: number;
}

export function findBrowser({ db, now }: ReadsNow, { hash, user_id }: KnownBrowser): boolean {
  const sql = "SELECT 1 FROM known_browsers WHERE user_id = ? AND hash = ? AND last_at > ?";
  return db.get(sql, user_id, hash, now - browserLife) !== null;
}

/** Gives a browser another token, for all who have signed in in it. */
export function replaceBrowser(tx: Tx, { before, hash }: { before: Uint8Array; hash: Uint8Array }): void {
  tx.run("UPDATE known_browsers SET hash = ? WHERE hash = ?", hash, before);
}

export function putBrowser(tx: Tx, { hash, user_id }: KnownBrowser): void {
  tx.run(
    "INSERT INTO known_browsers (user_id, hash, last_at) VALUES (?, ?, ?) " +
      "ON CONFLICT (user_id, hash) DO UPDATE SET last_at = excluded.last_at",
    user_id,
    hash,
    tx.now,
  );
}

/** Deletes all browsers of a user except the `kept` that were used last. */
export function deleteOldBrowsers(tx: Tx, userId: number, kept: number): void {
  tx.run(
    "DELETE FROM known_browsers WHERE user_id = ?1 AND hash NOT IN " +
      "(SELECT hash FROM known_browsers WHERE user_id = ?1 ORDER BY last_at DESC, hash LIMIT ?2)",
    userId,
    kept,
  );
}

/** Deletes all browsers of a user except the one with the hash `spared`. */
export function deleteBrowsers(tx: Tx, userId: number, spared: Uint8Array = new Uint8Array()): void {
  tx.run("DELETE FROM known_browsers WHERE user_id = ? AND hash <> ?", userId, spared);
}
