import { recordAudit } from "@/foundation/audit/tx.ts";
import { newName } from "@/foundation/file-stores/names.ts";
import type { FileName } from "@/foundation/file-stores/schema.ts";
import { keepFile, removeFile } from "@/foundation/files/files.ts";
import { allow, me } from "@/foundation/permissions/access.ts";
import { realmChanged, realmId, serverOptions } from "@/foundation/realm/schema.ts";
import { everyone, to } from "@/kernel/core/events.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import type { ReceivedFile } from "@/kernel/http/endpoint.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { checkSpace, ownUpload } from "./access.ts";
import { safeName } from "./names.ts";
import { presentUploads } from "./present.ts";
import { recognized } from "./recognizing.ts";
import type { UploadRow } from "./rows.ts";
import { attachmentAdded, attachmentRemoved, maxFiles } from "./schema.ts";
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
  const facts = await recognized(received.path, name);
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
  const upload_space_used = store.usedSpace(tx);
  tx.emit(attachmentAdded, to(me(tx).id), { attachment, upload_space_used });
});

/** Deletes one of the actor's files, even if messages link to it. */
export const removeAttachment = operation(allow.user, async (ctx, id: number): Promise<void> => {
  const { file } = await deleteUpload(ctx, id);
  await removeFile(ctx.env, { shelf: "uploads", name: file });
  await removeFile(ctx.env, { shelf: "thumbnails", name: `${file}.webp` });
});

const deleteUpload = action(allow.user, (tx, id: number): UploadRow => {
  const row = ownUpload(tx, id);

  store.deleteUpload(tx, row);
  const upload_space_used = store.usedSpace(tx);
  tx.emit(attachmentRemoved, to(row.owner_id), { attachment: { id }, upload_space_used });
  return row;
});

export interface UploadLimits {
  max_file_upload_size_mib?: number;
  /** Null lifts the limit. */
  upload_quota_mib?: number | null;
}

/** Changes the maximum size of a file and the quota for all files. */
export const setUploadLimits = action(allow.owner, (tx, limits: UploadLimits): void => {
  const now = serverOptions.read(tx);
  const { max_file_upload_size_mib = now.max_file_upload_size_mib, upload_quota_mib = now.upload_quota_mib } =
    limits;
  const data = { max_file_upload_size_mib, upload_quota_mib };

  serverOptions.write(tx, "max_file_upload_size_mib", max_file_upload_size_mib);
  serverOptions.write(tx, "upload_quota_mib", upload_quota_mib);
  tx.emit(realmChanged, everyone, { property: "default", data });
  recordAudit(tx, { event: "upload_limits_changed", about: { kind: "realm" }, data });
});
