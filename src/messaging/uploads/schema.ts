import { z } from "zod";
import { event } from "@/kernel/core/events.ts";
import { errorKinds } from "@/kernel/lib/errors.ts";
import { setting, settings } from "@/kernel/store/settings.ts";

export interface UploadRow {
  id: number;
  owner_id: number;
  file: string;
  path_id: string;
  name: string;
  size: number;
  content_type: string;
  uploaded_at: number;
  width: number | null;
  height: number | null;
  is_animated: 0 | 1;
}

export const uploadErrors = errorKinds({
  REALM_UPLOAD_QUOTA: { status: 400 },
});

/** Caps the number of files per user: empty files use no quota, but clients list all of them. */
export const maxFiles = 50_000;

/** An uploaded file as its owner reads it. Times are in milliseconds. */
export const attachment = z.object({
  id: z.int(),
  name: z.string(),
  path_id: z.string(),
  size: z.int(),
  create_time: z.int(),
  messages: z.array(z.object({ id: z.int(), date_sent: z.int() })),
  message_ids: z.array(z.int()),
});
export type Attachment = z.infer<typeof attachment>;

const space = z.object({ used: z.int().min(0), quota: z.int().nullable() });
/** Bytes; the quota is null without a limit. */
export type Space = z.infer<typeof space>;

export const uploadSpace = z.object({ own: space, organization: space });
export type UploadSpace = z.infer<typeof uploadSpace>;

/** An uploaded file as owners of the organization read it in lists of what takes up space. */
export const storedFile = z.object({
  id: z.int(),
  name: z.string(),
  size: z.int(),
  owner_id: z.int(),
  /** UNIX seconds. */
  uploaded_at: z.int(),
  /** Whether a message links to it. */
  is_linked: z.boolean(),
});
export type StoredFile = z.infer<typeof storedFile>;

const amount = { files: z.int(), bytes: z.int() };
export const fileAmount = z.object(amount);
export type FileAmount = z.infer<typeof fileAmount>;

/** Files to delete if nothing links to them. */
export const leftUploads = z.object({
  /** Ascending. */
  ids: z.array(z.int()).max(100_000).readonly(),
  /** Only files that were uploaded until then, in UNIX seconds. */
  until: z.int(),
});
export type LeftUploads = z.infer<typeof leftUploads>;

export const userSpace = z.object({ user_id: z.int(), ...amount });
export type UserSpace = z.infer<typeof userSpace>;

export const unlinkedFiles = z.object({ ...amount, largest: z.array(storedFile) });
export type UnlinkedFiles = z.infer<typeof unlinkedFiles>;

/** What a deletion of files without links did; `last_id` is null once it has looked at all. */
export const deletedFiles = z.object({ ...amount, last_id: z.int().nullable() });
export type DeletedFiles = z.infer<typeof deletedFiles>;

/** So many files or users are listed at once. */
export const maxListed = 200;

/** Only files that were uploaded so many days ago or earlier. */
export const daysOld = z.int().min(0).max(9999);
export const usualDaysOld = 30;

const time = z.int();

/** Which warnings of a full quota the owners have got, and when. */
export const spaceWarnings = settings("upload_space", {
  level: setting(z.int().min(0).max(2), 0, "0 below 80 % of the quota, 1 from 80 % on, 2 from 95 % on"),
  early_at: setting(time, 0, "When the owners were last warned of 80 %, in UNIX seconds"),
  late_at: setting(time, 0, "When the owners were last warned of 95 %, in UNIX seconds"),
});

const change = z.object({ attachment, upload_space_used: z.int() });

export const attachmentAdded = event("attachment", {
  about: "The user has uploaded a file.",
  op: "add",
  schema: change,
});
export const attachmentUpdated = event("attachment", {
  about: "A message with a link to one of the user's files was sent, edited or deleted.",
  op: "update",
  schema: change,
});
export const attachmentRemoved = event("attachment", {
  about: "One of the user's files was deleted.",
  op: "remove",
  schema: z.object({ attachment: z.object({ id: z.int() }), upload_space_used: z.int() }),
});

/** The thumbnail formats of images in messages (`server_thumbnail_formats`). */
export const thumbnailFormats = [
  { name: "840x560.webp", max_width: 840, max_height: 560, format: "webp", animated: false },
  { name: "840x560-anim.webp", max_width: 840, max_height: 560, format: "webp", animated: true },
] as const;
export type ThumbnailFormat = (typeof thumbnailFormats)[number];

const maxLength = 100;
const fallback = "uploaded-file";

/** A file's name for display and in addresses: without a path and without special characters. */
export function safeName(given: string): string {
  const base = given.normalize("NFKC").split(/[\\/]/).at(-1) ?? "";
  const kept = base
    .replaceAll(/[^\p{L}\p{M}\p{N}\s._-]/gu, "")
    .trim()
    .replaceAll(/[\s-]+/g, "-");
  const dot = kept.lastIndexOf(".");
  const stem = (dot < 0 ? kept : kept.slice(0, dot)).replaceAll(/^[.-]+|[.-]+$/g, "");
  const ending = dot < 0 ? "" : kept.slice(dot + 1).replaceAll(/-/g, "");
  if (ending === "") return cut(stem || fallback, maxLength);
  const short = cut(ending, 20);
  return `${cut(stem || fallback, maxLength - short.length - 1)}.${short}`;
}

function cut(text: string, max: number): string {
  let end = "";
  for (const point of text) {
    if (end.length + point.length > max) break;
    end += point;
  }
  return end;
}
