import type { Tx } from "@/kernel/core/context.ts";
import { to } from "@/kernel/core/events.ts";
import { uploadHooks } from "./hooks.ts";
import { presentUploads } from "./present.ts";
import type { UploadRow } from "./rows.ts";
import { type Attachment, attachmentUpdated } from "./schema.ts";
import * as store from "./store.ts";

/** Records the files that a new message links to. */
export function claimUploads(tx: Tx, messageId: number, uploads: readonly UploadRow[]): void {
  if (uploads.length === 0) return;
  for (const { id } of uploads) store.link(tx, id, messageId);
  emitToOwners(tx, uploads);
}

/**
 * Updates the links of an edited message to files. Returns the actor's own files (`detached_uploads`) that no message, draft
 * or scheduled message links to any more. Call it while the actor may still read the files of the old content.
 */
export function reclaimUploads(tx: Tx, messageId: number, uploads: readonly UploadRow[]): Attachment[] {
  const before = store.findUploadsIn(tx, messageId);
  const has = (rows: readonly UploadRow[], { id }: UploadRow) => rows.some((row) => row.id === id);
  const gone = before.filter((row) => !has(uploads, row));
  const added = uploads.filter((row) => !has(before, row));

  for (const { id } of gone) store.unlink(tx, id, messageId);
  for (const { id } of added) store.link(tx, id, messageId);
  emitToOwners(tx, [...gone, ...added]);
  const own = gone.filter((row) => row.owner_id === tx.actor.id && !isToBeSent(tx, row));
  return presentUploads(tx, own).filter(({ messages }) => messages.length === 0);
}

function isToBeSent(tx: Tx, { owner_id: ownerId, path_id, name }: UploadRow): boolean {
  const folder = `/user_uploads/${path_id.slice(0, -name.length)}`;
  return uploadHooks.isToBeSent(tx, { ownerId, folder }).includes(true);
}

/** Removes the links of messages that are about to be deleted. Keeps the files. */
export function releaseUploads(tx: Tx, messageIds: readonly number[]): void {
  const freed = new Map<number, UploadRow>();
  for (const messageId of store.messagesWithUploads(tx, messageIds)) {
    for (const row of store.findUploadsIn(tx, messageId)) {
      store.unlink(tx, row.id, messageId);
      freed.set(row.id, row);
    }
  }
  emitToOwners(tx, [...freed.values()]);
}

function emitToOwners(tx: Tx, rows: readonly UploadRow[]): void {
  if (rows.length === 0) return;
  const upload_space_used = store.usedSpace(tx);
  for (const [index, attachment] of presentUploads(tx, rows).entries()) {
    tx.emit(attachmentUpdated, to(rows[index]?.owner_id ?? 0), { attachment, upload_space_used });
  }
}
