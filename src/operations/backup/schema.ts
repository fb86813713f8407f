import { z } from "zod";

export const manifestFile = "manifest.json";
export const backupFormat = 1;

/** What a backup says of itself: the files in it, so that a restore can tell that all are there and whole. */
export const manifest = z.object({
  format: z.literal(backupFormat),
  /** The version of Confab that wrote it. */
  version: z.string(),
  /** UNIX seconds. */
  created_at: z.int(),
  organization: z.string(),
  last_message_id: z.int(),
  files: z.array(z.object({ path: z.string(), bytes: z.int(), sha256: z.string().regex(/^[0-9a-f]{64}$/) })),
});
export type Manifest = z.infer<typeof manifest>;

/** How far long work has come; `of` is 0 where that is not known. */
export interface Progress {
  doing: string;
  done: number;
  of: number;
}
export type Report = (progress: Progress) => void;

/** A backup that was made. */
export const backup = z.object({
  file: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  files: z.int(),
  last_message_id: z.int(),
});
export type Backup = z.infer<typeof backup>;

/** What was restored; `created_at`, in UNIX seconds, is when the backup was made. */
export const restored = z.object({
  organization: z.string(),
  last_message_id: z.int(),
  files: z.int(),
  created_at: z.int(),
});
export type Restored = z.infer<typeof restored>;
