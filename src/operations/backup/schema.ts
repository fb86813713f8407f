import { z } from "zod";

export const manifestFile = "manifest.json";
export const backupFormat = 1;

/** Lists the files of a backup, so that a restore can check that they are all present and unchanged. */
export const manifest = z.object({
  format: z.literal(backupFormat),
  /** The version of Confab that wrote it. */
  version: z.string(),
  /** UNIX seconds. */
  created_at: z.int(),
  organization: z.string(),
  last_message_id: z.int(),
  files: z.array(z.object({ path: z.string(), bytes: z.int(), sha256: z.string().regex(/^[0-9a-f]{64}$/) })),
  /** Which of them are settings of the machine; absent in backups of earlier versions, which held all of the data folder. */
  config: z.array(z.string()).optional(),
});
export type Manifest = z.infer<typeof manifest>;

/** Progress of a long operation; `of` is 0 if the total is unknown. */
export interface Progress {
  doing: string;
  done: number;
  of: number;
  /** What is counted; bytes if absent. */
  unit?: string;
}
export type ReportProgress = (progress: Progress) => void;

export const backup = z.object({
  file: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  files: z.int(),
  last_message_id: z.int(),
  /** Settings of the machine that it holds as well, by --with-config. */
  config: z.array(z.string()),
});
export type Backup = z.infer<typeof backup>;

/** The result of a restore; `created_at` is when the backup was made, in UNIX seconds. */
export const restored = z.object({
  organization: z.string(),
  last_message_id: z.int(),
  files: z.int(),
  created_at: z.int(),
  /** Settings of the machine that were restored as well, by --with-config. */
  config: z.array(z.string()),
  /** What the backup also holds, and was not restored: it belongs to the other machine. */
  left_out: z.array(z.string()),
});
export type Restored = z.infer<typeof restored>;

/** Backups that were made of a data folder; times in UNIX seconds. */
export const madeBackups = z.array(z.object({ at: z.int(), file: z.string(), bytes: z.int() }));
export type MadeBackup = z.infer<typeof madeBackups>[number];

/** The file in a data folder that lists the backups made of it; it is part of none. */
export const noteFile = "confab.backed-up";
