import type { Reads, Tx } from "@/kernel/core/context.ts";
import type { UploadRow } from "./schema.ts";

export type NewUpload = Omit<UploadRow, "id" | "uploaded_at">;

const columns =
  "a.id, a.owner_id, a.file, a.path_id, a.name, a.size, a.content_type, a.uploaded_at, a.width, a.height, a.is_animated";

export function findUpload({ db }: Reads, id: number): UploadRow | null {
  return db.get<UploadRow>(`SELECT ${columns} FROM attachments a WHERE a.id = ?`, id);
}

export function findUploadByPath({ db }: Reads, pathId: string): UploadRow | null {
  return db.get<UploadRow>(`SELECT ${columns} FROM attachments a WHERE a.path_id = ?`, pathId);
}

/** The newest `max` files of an owner below an ID, newest first. */
export function listUploadsOf(
  { db }: Reads,
  ownerId: number,
  { below, max }: { below: number; max: number },
): UploadRow[] {
  return db.all<UploadRow>(
    `SELECT ${columns} FROM attachments a WHERE a.owner_id = ? AND a.id < ? ORDER BY a.id DESC LIMIT ?`,
    ownerId,
    below,
    max,
  );
}

export function countUploadsOf({ db }: Reads, ownerId: number): number {
  return db.get<{ n: number }>("SELECT COUNT(*) AS n FROM attachments WHERE owner_id = ?", ownerId)?.n ?? 0;
}

export function findUploadsIn({ db }: Reads, messageId: number): UploadRow[] {
  return db.all<UploadRow>(
    `SELECT ${columns} FROM attachment_messages JOIN attachments a ON a.id = attachment_id WHERE message_id = ?`,
    messageId,
  );
}

/** Those of these messages that link to files. */
export function messagesWithUploads({ db }: Reads, ids: readonly number[]): number[] {
  return db
    .all<{ id: number }>(
      "SELECT DISTINCT message_id AS id FROM attachment_messages WHERE message_id IN (SELECT value FROM json_each(?))",
      JSON.stringify(ids),
    )
    .map((row) => row.id);
}

/** The file of each link in these messages, once for each link. */
export function findLinks({ db }: Reads, messageIds: readonly number[]): number[] {
  return db
    .all<{ id: number }>(
      "SELECT attachment_id AS id FROM attachment_messages WHERE message_id IN (SELECT value FROM json_each(?))",
      JSON.stringify(messageIds),
    )
    .map((row) => row.id);
}

/** How many messages link to each of these files; a file without links is not in the list. */
export function countLinks({ db }: Reads, uploadIds: readonly number[]): { id: number; links: number }[] {
  return db.all(
    "SELECT attachment_id AS id, COUNT(*) AS links FROM attachment_messages " +
      "WHERE attachment_id IN (SELECT value FROM json_each(?)) GROUP BY attachment_id",
    JSON.stringify(uploadIds),
  );
}

export function insertUpload(tx: Tx, upload: NewUpload): number {
  const { lastInsertRowid } = tx.run(
    "INSERT INTO attachments (owner_id, file, path_id, name, size, content_type, uploaded_at, width, height, is_animated) " +
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    upload.owner_id,
    upload.file,
    upload.path_id,
    upload.name,
    upload.size,
    upload.content_type,
    tx.now,
    upload.width,
    upload.height,
    upload.is_animated,
  );
  tx.run("UPDATE upload_space SET used = used + ?", upload.size);
  return lastInsertRowid;
}

export function deleteUpload(tx: Tx, { id, size }: UploadRow): void {
  tx.run("DELETE FROM attachment_messages WHERE attachment_id = ?", id);
  tx.run("DELETE FROM attachments WHERE id = ?", id);
  tx.run("UPDATE upload_space SET used = used - ?", size);
}

/** How many files a user has, and their bytes together. */
export function sumSpaceOf({ db }: Reads, ownerId: number): { files: number; bytes: number } {
  const sql = "SELECT COUNT(*) AS files, COALESCE(SUM(size), 0) AS bytes FROM attachments WHERE owner_id = ?";
  return db.get<{ files: number; bytes: number }>(sql, ownerId) ?? { files: 0, bytes: 0 };
}

/** The next user by ID who has files. */
export function findOwnerAfter({ db }: Reads, ownerId: number): number | null {
  const sql = "SELECT MIN(owner_id) AS id FROM attachments WHERE owner_id > ?";
  return db.get<{ id: number | null }>(sql, ownerId)?.id ?? null;
}

/** A place in a list by size: that of a file. */
export interface FilePlace {
  size: number;
  id: number;
}

export interface UploadWithLinks extends UploadRow {
  /** Whether a message links to it. */
  is_linked: 0 | 1;
}

const withLinks = `${columns}, EXISTS (SELECT 1 FROM attachment_messages WHERE attachment_id = a.id) AS is_linked`;

/** The largest files of everyone, or of one user, after a place. */
export function listLargest(
  { db }: Reads,
  { ownerId, after, max }: { ownerId: number | null; after: FilePlace; max: number },
): UploadWithLinks[] {
  const ofOwner = ownerId === null ? "" : "a.owner_id = ?4 AND ";
  const sql =
    `SELECT ${withLinks} FROM attachments a WHERE ${ofOwner}(a.size, a.id) < (?1, ?2) ` +
    "ORDER BY a.size DESC, a.id DESC LIMIT ?3";
  const owner = ownerId === null ? [] : [ownerId];
  return db.all<UploadWithLinks>(sql, after.size, after.id, max, ...owner);
}

/** The `max` files after an ID. */
export function listWithLinks({ db }: Reads, after: number, max: number): UploadWithLinks[] {
  return db.all(`SELECT ${withLinks} FROM attachments a WHERE a.id > ? ORDER BY a.id LIMIT ?`, after, max);
}

/** Bytes of all files together. */
export function sumUsedSpace({ db }: Reads): number {
  return db.get<{ used: number }>("SELECT used FROM upload_space")?.used ?? 0;
}

export function link(tx: Tx, uploadId: number, messageId: number): void {
  tx.run(
    "INSERT OR IGNORE INTO attachment_messages (attachment_id, message_id) VALUES (?, ?)",
    uploadId,
    messageId,
  );
}

export function unlink(tx: Tx, uploadId: number, messageId: number): void {
  tx.run("DELETE FROM attachment_messages WHERE attachment_id = ? AND message_id = ?", uploadId, messageId);
}

/** A message that links to a file, with the columns that decide who may read it. */
export interface Reference {
  attachment_id: number;
  id: number;
  sent_at: number;
  conversation_id: number;
  home_id: number;
  seq: number;
  arrived_seq: number | null;
}

/** The messages that link to any of these files, oldest first. */
export function findReferences({ db }: Reads, uploadIds: readonly number[]): Reference[] {
  return db.all<Reference>(
    "SELECT r.attachment_id, m.id, m.sent_at, m.conversation_id, m.home_id, m.seq, m.arrived_seq " +
      "FROM json_each(?) AS wanted " +
      "CROSS JOIN attachment_messages r ON r.attachment_id = wanted.value " +
      "CROSS JOIN messages m ON m.id = r.message_id ORDER BY m.id",
    JSON.stringify(uploadIds),
  );
}

/** Those of these names that belong to uploaded files. */
export function uploadsAmong({ db }: Reads, names: readonly string[]): string[] {
  const sql = "SELECT file FROM attachments WHERE file IN (SELECT value FROM json_each(?))";
  return db.all<{ file: string }>(sql, JSON.stringify(names)).map(({ file }) => file);
}

/** Files of an owner that no message links to, at most `max`. */
export function listUnlinkedFiles({ db }: Reads, ownerId: number, max: number): UploadRow[] {
  return db.all<UploadRow>(
    `SELECT ${columns} FROM attachments a WHERE a.owner_id = ? AND NOT EXISTS ` +
      "(SELECT 1 FROM attachment_messages WHERE attachment_id = a.id) LIMIT ?",
    ownerId,
    max,
  );
}

export function countUnlinkedFiles({ db }: Reads, ownerId: number): number {
  return (
    db.get<{ n: number }>(
      "SELECT COUNT(*) AS n FROM attachments a WHERE a.owner_id = ? AND NOT EXISTS " +
        "(SELECT 1 FROM attachment_messages WHERE attachment_id = a.id)",
      ownerId,
    )?.n ?? 0
  );
}
