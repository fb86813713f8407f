import { allow, me } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { inTurns, type Steps } from "@/kernel/lib/steps.ts";
import { presentUploads } from "./present.ts";
import type { Attachment } from "./schema.ts";
import * as store from "./store.ts";

export interface Attachments {
  attachments: Attachment[];
  /** Bytes of all users' files together. */
  upload_space_used: number;
}

/** The actor's files, newest first. */
export const listAttachments = query(allow.user, async (ctx): Promise<Attachments> => {
  const attachments = await inTurns(attachmentsOf(ctx, me(ctx).id));
  return { attachments, upload_space_used: store.usedSpace(ctx) };
});

const maxAtOnce = 500;

function* attachmentsOf(ctx: Ctx, ownerId: number): Steps<Attachment[]> {
  const found: Attachment[] = [];
  for (let below = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = store.listUploadsOf(ctx, ownerId, { below, max: maxAtOnce });
    found.push(...presentUploads(ctx, rows));
    if (rows.length < maxAtOnce) return found;
    below = rows.at(-1)?.id ?? 0;
    yield rows.length;
  }
}
