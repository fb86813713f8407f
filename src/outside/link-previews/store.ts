import type { Reads, Tx } from "@/kernel/core/context.ts";
import { keeping } from "./schema.ts";

/** What was found at an address; the fields of other kinds are null, or 0. */
export interface PreviewRow {
  address: string;
  kind: "nothing" | "page" | "picture";
  found_at: number;
  title: string | null;
  description: string | null;
  picture_address: string | null;
  file: string | null;
  bytes: number;
  width: number | null;
  height: number | null;
}

/** The fields that only some kinds have. */
export const nothingFound = {
  title: null,
  description: null,
  picture_address: null,
  file: null,
  bytes: 0,
  width: null,
  height: null,
} as const;

const columns = "address, kind, found_at, title, description, picture_address, file, bytes, width, height";

export function findPreview({ db }: Reads, address: string): PreviewRow | null {
  return db.get<PreviewRow>(`SELECT ${columns} FROM link_previews WHERE address = ?`, address);
}

export function setPreview(tx: Tx, row: PreviewRow): void {
  tx.run(
    `INSERT OR REPLACE INTO link_previews (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.address,
    row.kind,
    row.found_at,
    row.title,
    row.description,
    row.picture_address,
    row.file,
    row.bytes,
    row.width,
    row.height,
  );
}

/** The oldest addresses, if they are too old, too many or take too much space; at most `max`. */
export function listSurplus({ db }: Reads, { now, max }: { now: number; max: number }) {
  const [total = { addresses: 0, bytes: 0 }] = db.all<{ addresses: number; bytes: number }>(
    "SELECT COUNT(*) AS addresses, COALESCE(SUM(bytes), 0) AS bytes FROM link_previews",
  );
  const surplus: { address: string; file: string | null }[] = [];
  let { addresses, bytes } = total;
  for (const row of db.all<{ address: string; file: string | null; bytes: number; found_at: number }>(
    "SELECT address, file, bytes, found_at FROM link_previews ORDER BY found_at, address LIMIT ?",
    max,
  )) {
    const isOld = row.found_at < now - keeping.seconds;
    if (!isOld && addresses <= keeping.maxAddresses && bytes <= keeping.maxBytes) break;
    addresses--;
    bytes -= row.bytes;
    surplus.push({ address: row.address, file: row.file });
  }
  return surplus;
}

export function deletePreview(tx: Tx, address: string): void {
  tx.run("DELETE FROM link_previews WHERE address = ?", address);
}

/** The names in this list that belong to stored pictures. */
export function picturesAmong({ db }: Reads, names: readonly string[]): string[] {
  const sql = "SELECT file FROM link_previews WHERE file IN (SELECT value FROM json_each(?))";
  return db.all<{ file: string }>(sql, JSON.stringify(names)).map(({ file }) => file);
}

/** An address that a message links to, and at which nobody has looked yet. */
export interface LookRow {
  id: number;
  message_id: number;
  sender_id: number;
  host: string;
  address: string;
  /** The address of this server that the sender used; null if it is the server's own. */
  site: string | null;
}

const lookColumns = "id, message_id, sender_id, host, address, site";

export function insertLook(tx: Tx, look: Omit<LookRow, "id">): void {
  tx.run(
    "INSERT INTO link_looks (message_id, sender_id, host, address, site) VALUES (?, ?, ?, ?, ?)",
    look.message_id,
    look.sender_id,
    look.host,
    look.address,
    look.site,
  );
}

export function findLook({ db }: Reads, id: number): LookRow | null {
  return db.get<LookRow>(`SELECT ${lookColumns} FROM link_looks WHERE id = ?`, id);
}

export function hasLooks({ db }: Reads): boolean {
  return db.get("SELECT 1 FROM link_looks LIMIT 1") !== null;
}

export function countLooksOf({ db }: Reads, senderId: number): number {
  return db.get<{ n: number }>("SELECT COUNT(*) AS n FROM link_looks WHERE sender_id = ?", senderId)?.n ?? 0;
}

export function listHosts({ db }: Reads): string[] {
  const sql = "SELECT DISTINCT host FROM link_looks ORDER BY host";
  return db.all<{ host: string }>(sql).map(({ host }) => host);
}

export function listSenders(
  { db }: Reads,
  host: string,
  { above, max }: { above: number; max: number },
): number[] {
  const sql =
    "SELECT DISTINCT sender_id FROM link_looks WHERE host = ? AND sender_id > ? ORDER BY sender_id LIMIT ?";
  return db.all<{ sender_id: number }>(sql, host, above, max).map(({ sender_id }) => sender_id);
}

export function listLooks(
  { db }: Reads,
  host: string,
  { senderId, max }: { senderId: number; max: number },
): LookRow[] {
  const sql = `SELECT ${lookColumns} FROM link_looks WHERE host = ? AND sender_id = ? ORDER BY id LIMIT ?`;
  return db.all<LookRow>(sql, host, senderId, max);
}

export function deleteLook(tx: Tx, id: number): void {
  tx.run("DELETE FROM link_looks WHERE id = ?", id);
}

export type LinkedAddress = Pick<LookRow, "host" | "address">;

export function deleteLooksAt(tx: Tx, { host, address }: LinkedAddress): void {
  tx.run("DELETE FROM link_looks WHERE host = ? AND address = ?", host, address);
}

export function deleteLooksOf(tx: Tx, messageIds: readonly number[]): void {
  if (!hasLooks(tx)) return;
  const sql = "DELETE FROM link_looks WHERE message_id IN (SELECT value FROM json_each(?))";
  tx.run(sql, JSON.stringify(messageIds));
}
