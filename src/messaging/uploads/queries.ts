import { createHmac } from "node:crypto";
import { allow, me } from "@/foundation/permissions/access.ts";
import { realmOf } from "@/foundation/realm/access.ts";
import { isSame } from "@/foundation/secrets/secrets.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { runInSlices, type Task } from "@/kernel/lib/tasks.ts";
import { isAnyToBeSent, isToBeSent, ownPicture, spaceFor, uploadFor } from "./access.ts";
import type { Attachment, StoredFile, UnlinkedFiles, UploadRow, UploadSpace, UserSpace } from "./schema.ts";
import * as store from "./store.ts";
import { hasThumbnails } from "./thumbnails.ts";

export interface Attachments {
  attachments: Attachment[];
  /** Bytes of all users' files together. */
  upload_space_used: number;
}

/** The actor's files, newest first. */
export const listAttachments = query(allow.user, async (ctx): Promise<Attachments> => {
  const attachments = await runInSlices(attachmentsOf(ctx, me(ctx).id));
  return { attachments, upload_space_used: store.sumUsedSpace(ctx) };
});

const maxAtOnce = 500;

function* attachmentsOf(ctx: Ctx, ownerId: number): Task<Attachment[]> {
  const found: Attachment[] = [];
  for (let below = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = store.listUploadsOf(ctx, ownerId, { below, max: maxAtOnce });
    found.push(...presentUploads(ctx, rows));
    if (rows.length < maxAtOnce) return found;
    below = rows.at(-1)?.id ?? 0;
    yield rows.length;
  }
}

/** Files as their owner reads them. */
export function presentUploads(reads: Reads, rows: readonly UploadRow[]): Attachment[] {
  const ids = rows.map((row) => row.id);
  const references = Map.groupBy(store.findReferences(reads, ids), (found) => found.attachment_id);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    path_id: row.path_id,
    size: row.size,
    create_time: row.uploaded_at * 1000,
    // Wire: newer clients read the IDs alone.
    messages: (references.get(row.id) ?? []).map(({ id, sent_at }) => ({ id, date_sent: sent_at * 1000 })),
    message_ids: (references.get(row.id) ?? []).map(({ id }) => id),
  }));
}

/** What the actor's files and those of everyone take up. */
export const getUploadSpace = query(allow.user, (ctx): UploadSpace => spaceFor(ctx, me(ctx).id));

/** The users whose files take up the most, first the one with the most. */
export const listSpaceByUser = query(
  allow.owner,
  async (ctx, max: number): Promise<UserSpace[]> =>
    (await runInSlices(spaceByUser(ctx))).sort((a, b) => b.bytes - a.bytes).slice(0, max),
);

function* spaceByUser(ctx: Ctx): Task<UserSpace[]> {
  const found: UserSpace[] = [];
  for (let id = store.findOwnerAfter(ctx, 0); id !== null; id = store.findOwnerAfter(ctx, id)) {
    const space = { user_id: id, ...store.sumSpaceOf(ctx, id) };
    found.push(space);
    yield space.files;
  }
  return found;
}

export interface LargestFiles {
  /** Null for everyone's. */
  user_id: number | null;
  /** The last file of the page before; null for the first page. */
  after: store.FilePlace | null;
  max: number;
}

/** The largest files, largest first, and of one size the newest first. */
export const listLargestFiles = query(
  allow.owner,
  (ctx, { user_id, after, max }: LargestFiles): StoredFile[] =>
    store.listLargest(ctx, { ownerId: user_id, after: after ?? beforeAll, max }).map(presentStored),
);

const beforeAll: store.FilePlace = { size: Number.MAX_SAFE_INTEGER, id: 0 };

function presentStored({
  id,
  name,
  size,
  owner_id,
  uploaded_at,
  is_linked,
}: store.UploadWithLinks): StoredFile {
  return { id, name, size, owner_id, uploaded_at, is_linked: is_linked === 1 };
}

/** The files that were uploaded until then (UNIX seconds) and that neither a message nor an unsent text links to, by ID. */
export const listUnlinked = query(
  allow.owner,
  (ctx, until: number): Promise<UploadRow[]> => listUnlinkedAfter(ctx, { after: 0, until, max: null }),
);

/** The same after an ID, at most `max`. */
export async function listUnlinkedAfter(
  ctx: Ctx,
  { after, until, max }: { after: number; until: number; max: number | null },
): Promise<UploadRow[]> {
  const found: UploadRow[] = [];
  await runInSlices(eachUnlinked(ctx, { after, until }, (row) => found.push(row) === max));
  return found;
}

export interface UnlinkedPage {
  /** UNIX seconds. */
  until: number;
  /** As that of `listLargestFiles`. */
  after: store.FilePlace | null;
  max: number;
}

/** How many files `listUnlinked` finds, their bytes, and the largest of them. */
export const listLargestUnlinked = query(
  allow.owner,
  async (ctx, { until, after, max }: UnlinkedPage): Promise<UnlinkedFiles> => {
    const place = after ?? beforeAll;
    const found: UnlinkedFiles = { files: 0, bytes: 0, largest: [] };
    const add = (row: store.UploadWithLinks) => {
      found.files++;
      found.bytes += row.size;
      const at = found.largest.findLastIndex((one) => isLarger(one, row)) + 1;
      if (at < max && isLarger(place, row)) found.largest.splice(at, 0, presentStored(row));
      if (found.largest.length > max) found.largest.pop();
      return false;
    };
    await runInSlices(eachUnlinked(ctx, { after: 0, until }, add));
    return found;
  },
);

const isLarger = (one: store.FilePlace, other: store.FilePlace) =>
  one.size > other.size || (one.size === other.size && one.id > other.id);

const maxScanned = 100;

/** Calls it for each file of `listUnlinked` after an ID, by ID, until it returns true. */
function* eachUnlinked(
  ctx: Ctx,
  { after, until }: { after: number; until: number },
  found: (row: store.UploadWithLinks) => boolean,
): Task<void> {
  // Looking through all drafts of an owner again for each of their files could take minutes: most link to no file at all.
  const sending = new Map<number, boolean>();
  for (let last = after; ; ) {
    const rows = store.listWithLinks(ctx, last, maxScanned);
    yield rows.length;
    for (const row of rows) {
      if (row.is_linked || row.uploaded_at > until) continue;
      const sends = sending.get(row.owner_id) ?? isAnyToBeSent(ctx, row.owner_id);
      sending.set(row.owner_id, sends);
      if (!(sends && isToBeSent(ctx, row)) && found(row)) return;
      yield 1;
    }
    if (rows.length < maxScanned) return;
    last = rows.at(-1)?.id ?? 0;
  }
}

/** Whether one of the actor's own pictures has its thumbnails, which are made if need be. */
export const checkThumbnails = query(allow.user, (ctx, pathId: string) =>
  hasThumbnails(ctx.env, ownPicture(ctx, pathId)),
);

const seconds = 60;

/** A temporary address: it opens one file without credentials for a minute, for programs that cannot send any. */
export const temporaryUrl = query(allow.user, (ctx, pathId: string): string => {
  const { path_id } = uploadFor(ctx, pathId);
  const expires = ctx.now + seconds;
  const path = path_id.split("/").map(encodeURIComponent).join("/");
  return `/user_uploads/temporary/${expires}/${signature(ctx, path_id, expires)}/${path}`;
});

export interface TemporaryAddress {
  expires: number;
  signature: string;
  path_id: string;
}

/** The file of a temporary address, for anyone who has the address. */
export const temporaryUpload = query(allow.anyone, (ctx, given: TemporaryAddress): UploadRow => {
  const expected = signature(ctx, given.path_id, given.expires);
  if (!isSame(given.signature, expected) || ctx.now >= given.expires)
    fail("ACCESS_DENIED", "This address has expired or is invalid.");
  return (
    store.findUploadByPath(ctx, given.path_id) ??
    fail("NOT_FOUND", "This file does not exist or has been deleted.")
  );
});

function signature(ctx: Reads, pathId: string, expires: number): string {
  // The salt is a secret of the organization. The label separates this use from others.
  return createHmac("sha256", `temporary uploads:${realmOf(ctx).avatar_salt}`)
    .update(`${expires}:${pathId}`)
    .digest("hex");
}
