import { recordAudit } from "@/foundation/audit/actions.ts";
import { newName } from "@/foundation/file-stores/names.ts";
import type { FileName } from "@/foundation/file-stores/schema.ts";
import { keepFile, removeFile } from "@/foundation/files/files.ts";
import { recognizeFile } from "@/foundation/files/pictures.ts";
import { allow, me } from "@/foundation/permissions/access.ts";
import { realmChanged, realmId, serverOptions } from "@/foundation/realm/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { everyone, to } from "@/kernel/core/events.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import type { ReceivedFile } from "@/kernel/http/endpoint.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { checkSpace, isToBeSent, ownUpload } from "./access.ts";
import { noteFullness } from "./actions-warning.ts";
import { removeFilesOf } from "./host.ts";
import { listUnlinkedAfter, presentUploads } from "./queries.ts";
import {
  type Attachment,
  attachmentAdded,
  attachmentRemoved,
  attachmentUpdated,
  type DeletedFiles,
  type FileAmount,
  type LeftUploads,
  maxFiles,
  safeName,
  type UploadRow,
} from "./schema.ts";
import type { NewUpload } from "./store.ts";
import * as store from "./store.ts";

export interface Uploaded {
  url: string;
  filename: string;
}

/** Stores a file: first its content, then its row, so that no row lacks its file. */
export const uploadFile = operation(allow.user, async (ctx, received: ReceivedFile): Promise<Uploaded> => {
  checkSpace(ctx, received.size);
  const name = safeName(received.name);
  const file = newName();
  const facts = await recognizeFile(received.path, name);
  const kept: FileName = { shelf: "uploads", name: file };
  await keepFile(ctx.env, kept, received.path);
  try {
    const path_id = `${realmId}/${file}/${name}`;
    await insertUpload(ctx, { file, path_id, name, size: received.size, ...facts });
    return { url: `/user_uploads/${path_id}`, filename: name };
  } catch (error) {
    await removeFile(ctx.env, kept);
    throw error;
  }
});

const insertUpload = action(allow.user, (tx, upload: Omit<NewUpload, "owner_id">): void => {
  checkSpace(tx, upload.size);
  if (store.countUploadsOf(tx, me(tx).id) >= maxFiles) {
    fail("BAD_REQUEST", `You can store at most ${maxFiles} files. Delete some first.`);
  }

  const id = store.insertUpload(tx, { ...upload, owner_id: me(tx).id });
  const [attachment] = presentUploads(tx, [store.findUpload(tx, id) as UploadRow]);
  if (!attachment) throw new Error("An upload is not there after it was written");
  const upload_space_used = store.sumUsedSpace(tx);
  tx.emit(attachmentAdded, to(me(tx).id), { attachment, upload_space_used });
  noteFullness(tx);
});

/** Deletes one of the actor's files, even if messages link to it. */
export const removeAttachment = operation(allow.user, async (ctx, id: number): Promise<void> => {
  const { file } = await deleteUpload(ctx, id);
  await removeFilesOf(ctx.env, [file]);
});

const deleteUpload = action(allow.user, (tx, id: number): UploadRow => {
  const row = ownUpload(tx, id);

  store.deleteUpload(tx, row);
  const upload_space_used = store.sumUsedSpace(tx);
  tx.emit(attachmentRemoved, to(row.owner_id), { attachment: { id }, upload_space_used });
  noteFullness(tx);
  return row;
});

export interface UploadLimits {
  max_file_upload_size_mib?: number;
  /** Null lifts the limit. */
  upload_quota_mib?: number | null;
  /** Null lifts the limit. */
  upload_quota_per_user_mib?: number | null;
}

/** Changes the maximum size of a file, and the quotas for a person's files and for all together. */
export const setUploadLimits = action(allow.owner, (tx, limits: UploadLimits): void => {
  const now = serverOptions.read(tx);
  const {
    max_file_upload_size_mib = now.max_file_upload_size_mib,
    upload_quota_mib = now.upload_quota_mib,
    upload_quota_per_user_mib = now.upload_quota_per_user_mib,
  } = limits;
  const data = { max_file_upload_size_mib, upload_quota_mib };

  serverOptions.write(tx, "max_file_upload_size_mib", max_file_upload_size_mib);
  serverOptions.write(tx, "upload_quota_mib", upload_quota_mib);
  serverOptions.write(tx, "upload_quota_per_user_mib", upload_quota_per_user_mib);
  // Wire: existing clients do not know a quota per person.
  if (limits.max_file_upload_size_mib !== undefined || limits.upload_quota_mib !== undefined)
    tx.emit(realmChanged, everyone, { property: "default", data });
  recordAudit(tx, {
    event: "upload_limits_changed",
    about: { kind: "realm" },
    data: { ...data, upload_quota_per_user_mib },
  });
  noteFullness(tx);
});

/** Deletes those of these files that neither a message nor an unsent text links to; returns how many, and their bytes. */
export const deleteUnlinked = operation(
  allow.owner,
  async (ctx, { ids, until }: LeftUploads): Promise<FileAmount> => {
    const done = { files: 0, bytes: 0 };
    for (let at = 0; at < ids.length; ) {
      const { looked, gone } = await deleteFirstUnlinked(ctx, { ids: ids.slice(at, at + maxAtOnce), until });
      await removeFilesOf(
        ctx.env,
        gone.map(({ file }) => file),
      );
      done.files += gone.length;
      done.bytes += sumSizes(gone);
      at += looked;
    }
    return done;
  },
);

/** The same for the first files without links after an ID: one request of several, each of which is short. */
export const deleteSomeUnlinked = operation(
  allow.owner,
  async (ctx, { after, until }: { after: number; until: number }): Promise<DeletedFiles> => {
    const found = await listUnlinkedAfter(ctx, { after, until, max: maxDeleted });
    const done = await deleteUnlinked(ctx, { ids: found.map(({ id }) => id), until });
    const last_id = found.length < maxDeleted ? null : (found.at(-1)?.id ?? null);
    return { ...done, last_id };
  },
);

/** So many files are deleted by one request. */
const maxDeleted = 500;
const maxAtOnce = 100;
const maxMs = 10;

/** Looks at the first files, at least one, until its time is over. */
const deleteFirstUnlinked = action(
  allow.owner,
  (tx, { ids, until }: LeftUploads): { looked: number; gone: UploadRow[] } => {
    const began = performance.now();
    const linked = new Set(store.countLinks(tx, ids).map(({ id }) => id));
    const gone: UploadRow[] = [];
    let looked = 0;
    for (const id of ids) {
      const row = store.findUpload(tx, id);
      if (row && row.uploaded_at <= until && !linked.has(id) && !isToBeSent(tx, row)) gone.push(row);
      looked++;
      if (performance.now() - began >= maxMs) break;
    }
    if (gone.length === 0) return { looked, gone };

    drop(tx, gone);
    const data = { files: gone.length, bytes: sumSizes(gone) };
    recordAudit(tx, { event: "unlinked_uploads_deleted", about: { kind: "realm" }, data });
    return { looked, gone };
  },
);

const sumSizes = (rows: readonly UploadRow[]) => rows.reduce((sum, { size }) => sum + size, 0);

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
  const upload_space_used = store.sumUsedSpace(tx);
  for (const [index, attachment] of presentUploads(tx, rows).entries()) {
    tx.emit(attachmentUpdated, to(rows[index]?.owner_id ?? 0), { attachment, upload_space_used });
  }
}

/** Stores which files an imported message links to, without events. */
export function linkImported(tx: Tx, messageId: number, uploads: readonly UploadRow[]): void {
  for (const { id } of uploads) store.link(tx, id, messageId);
}

/**
 * Deletes those of these files that belong to a user and that neither a message nor an unsent text links to. The caller removes the
 * returned files after the commit, by `removeFilesOf`.
 */
export function dropUnlinkedFiles(tx: Tx, ownerId: number, uploadIds: readonly number[]): string[] {
  const linked = new Set(store.countLinks(tx, uploadIds).map(({ id }) => id));
  const rows = [...new Set(uploadIds)].flatMap((id) => store.findUpload(tx, id) ?? []);
  return drop(
    tx,
    rows.filter((row) => row.owner_id === ownerId && !linked.has(row.id) && !isToBeSent(tx, row)),
  );
}

/** Deletes at most `max` of a user's files that no message links to, also those in unsent texts. Returns what `dropUnlinkedFiles` does. */
export function dropSomeUnlinkedFiles(tx: Tx, ownerId: number, max: number): string[] {
  return drop(tx, store.listUnlinkedFiles(tx, ownerId, max));
}

function drop(tx: Tx, rows: readonly UploadRow[]): string[] {
  for (const row of rows) store.deleteUpload(tx, row);
  const upload_space_used = store.sumUsedSpace(tx);
  for (const { id, owner_id } of rows)
    tx.emit(attachmentRemoved, to(owner_id), { attachment: { id }, upload_space_used });
  noteFullness(tx);
  return rows.map(({ file }) => file);
}
