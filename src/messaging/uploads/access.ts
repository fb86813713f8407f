import { allow, me, viewer } from "@/foundation/permissions/access.ts";
import { serverOptions } from "@/foundation/realm/schema.ts";
import { type Ctx, type Reads, sitesOf } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { mayReadMessage } from "@/messaging/messages/access.ts";
import type { UploadedPicture } from "@/text/rendering/scope.ts";
import { uploadHooks } from "./hooks.ts";
import {
  type Space,
  type ThumbnailFormat,
  thumbnailFormats,
  type UploadRow,
  type UploadSpace,
  uploadErrors,
} from "./schema.ts";
import * as store from "./store.ts";

/** The owner may read a file, and so may everyone who can read a message that links to it. */
function mayReadUpload(ctx: Ctx, row: UploadRow): boolean {
  if (ctx.actor.kind === "system") return true;
  const member = viewer(ctx);
  if (row.owner_id === member.id) return true;
  return store.findReferences(ctx, [row.id]).some((message) => mayReadMessage(ctx, member, message));
}

/** The file at an address. Addresses cannot be guessed, so a user who may not read the file gets ACCESS_DENIED. */
export function uploadFor(ctx: Ctx, pathId: string): UploadRow {
  allow.viewer(ctx);
  const row = store.findUploadByPath(ctx, pathId);
  if (!row) fail("NOT_FOUND", "This file does not exist or has been deleted.");
  if (!mayReadUpload(ctx, row)) fail("ACCESS_DENIED", "You may not see this file.");
  return row;
}

/** The uploaded file that a link leads to, if the actor may read it; null for any other link. */
function findLinkedUpload(ctx: Ctx, href: string): UploadRow | null {
  const pathId = pathIdOf(ctx, href);
  const row = pathId === null ? null : store.findUploadByPath(ctx, pathId);
  return row && mayReadUpload(ctx, row) ? row : null;
}

/** As `findLinkedUpload`, for images that can be shown. */
export function findLinkedPicture(ctx: Ctx, href: string): UploadedPicture | null {
  const row = findLinkedUpload(ctx, href);
  if (!row || row.width === null || row.height === null) return null;
  const { path_id, width, height, content_type } = row;
  return { path_id, width, height, content_type, is_animated: row.is_animated === 1 };
}

function pathIdOf(ctx: Ctx, href: string): string | null {
  const site = sitesOf(ctx).find((one) => href.startsWith(`${one}/`)) ?? "";
  const path = href.slice(site.length);
  const found = /^\/user_uploads\/([^?#]+)/.exec(path)?.[1];
  if (found === undefined) return null;
  try {
    return decodeURIComponent(found);
  } catch {
    return null;
  }
}

/** One of the actor's own files. */
export function ownUpload(ctx: Ctx, id: number): UploadRow {
  const row = store.findUpload(ctx, id);
  return row?.owner_id === me(ctx).id ? row : fail("BAD_REQUEST", "Invalid attachment");
}

/** One of the actor's own pictures. Nobody else learns whether there is such a file. */
export function ownPicture(ctx: Ctx, pathId: string): UploadRow {
  const row = store.findUploadByPath(ctx, pathId);
  const isOwn = row?.owner_id === me(ctx).id && row.width !== null;
  return isOwn ? row : fail("BAD_REQUEST", "Invalid attachment");
}

/** A file and the thumbnail format of this name. Throws if the file has no thumbnail in it. */
export function thumbnailFor(ctx: Ctx, pathId: string, name: string): [UploadRow, ThumbnailFormat] {
  const row = uploadFor(ctx, pathId);
  const format = thumbnailFormats.find((one) => one.name === name);
  if (!format || row.width === null) fail("NOT_FOUND", "This file has no thumbnail of this size.");
  return [row, format];
}

/** The fields about uploads in the `realm` section of the initial state. */
export function uploadsRealmState(reads: Reads): Record<string, unknown> {
  const { max_file_upload_size_mib, upload_quota_mib } = serverOptions.read(reads);
  return {
    max_file_upload_size_mib,
    realm_upload_quota_mib: upload_quota_mib,
    server_thumbnail_formats: thumbnailFormats,
  };
}

/** Throws if another file of the actor, of this size, would exceed their quota or the organization's. */
export function checkSpace(ctx: Ctx, size: number): void {
  const { own, organization } = spaceFor(ctx, me(ctx).id);
  if (isExceeded(own, size))
    fail(
      uploadErrors.REALM_UPLOAD_QUOTA,
      "Your files may not take up more space. An owner of the organization can allow more.",
    );
  if (isExceeded(organization, size))
    fail(uploadErrors.REALM_UPLOAD_QUOTA, "Upload would exceed your organization's upload quota.");
}

function isExceeded({ used, quota }: Space, size: number): boolean {
  return quota !== null && used + size > quota;
}

/** The space that files take up: a user's own, and those of all users together. */
export function spaceFor(reads: Reads, userId: number): UploadSpace {
  const { upload_quota_per_user_mib } = serverOptions.read(reads);
  return {
    own: { used: store.sumSpaceOf(reads, userId).bytes, quota: toBytes(upload_quota_per_user_mib) },
    organization: spaceOfAll(reads),
  };
}

/** The space that the files of all users take up together. */
export function spaceOfAll(reads: Reads): Space {
  const { upload_quota_mib } = serverOptions.read(reads);
  return { used: store.sumUsedSpace(reads), quota: toBytes(upload_quota_mib) };
}

const mib = 1_048_576;
const toBytes = (quota: number | null) => (quota === null ? null : quota * mib);

/** Whether the owner's unsent texts, such as drafts, link to a file. */
export function isToBeSent(ctx: Ctx, { owner_id: ownerId, path_id, name }: UploadRow): boolean {
  const folder = `/user_uploads/${path_id.slice(0, -name.length)}`;
  return uploadHooks.isToBeSent(ctx, { ownerId, folder }).includes(true);
}

/** Whether the owner's unsent texts link to any file. */
export function isAnyToBeSent(ctx: Ctx, ownerId: number): boolean {
  return uploadHooks.isToBeSent(ctx, { ownerId, folder: "/user_uploads/" }).includes(true);
}

/** The linked files that the actor may read. Others do not count: a link must not give readers access to them. */
export function findLinkedUploads(ctx: Ctx, hrefs: readonly string[]): UploadRow[] {
  const found = new Map<number, UploadRow>();
  for (const href of hrefs) {
    const row = findLinkedUpload(ctx, href);
    if (row) found.set(row.id, row);
  }
  return [...found.values()];
}

/** The file of each link in these messages, once for each link. */
export function linksIn(reads: Reads, messageIds: readonly number[]): number[] {
  return store.findLinks(reads, messageIds);
}

/** How many messages link to each of these files; a file without links is not in the list. */
export function countLinks(reads: Reads, uploadIds: readonly number[]): { id: number; links: number }[] {
  return store.countLinks(reads, uploadIds);
}

/** Those of these files that belong to a user, with their sizes. */
export function sizesOf(reads: Reads, ownerId: number, uploadIds: readonly number[]): number[] {
  const rows = uploadIds.flatMap((id) => store.findUpload(reads, id) ?? []);
  return rows.filter(({ owner_id }) => owner_id === ownerId).map(({ size }) => size);
}

/** How many of a user's files no message links to. */
export function countUnlinkedFiles(reads: Reads, ownerId: number): number {
  return store.countUnlinkedFiles(reads, ownerId);
}
