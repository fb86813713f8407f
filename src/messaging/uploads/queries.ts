import { allow, me } from "@/foundation/permissions/access.ts";
import { query } from "@/kernel/operation.ts";
import { presentUploads } from "./present.ts";
import type { Attachment } from "./schema.ts";
import * as store from "./store.ts";

export interface Attachments {
  attachments: Attachment[];
  /** Bytes of everybody's files together. */
  upload_space_used: number;
}

/** The actor's files, newest first. */
export const listAttachments = query(allow.user, (ctx): Attachments => {
  const attachments = presentUploads(ctx, store.listUploadsOf(ctx, me(ctx).id));
  return { attachments, upload_space_used: store.usedSpace(ctx) };
});
