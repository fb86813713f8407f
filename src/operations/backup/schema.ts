// Archives and scheduled backups: what they hold, what is configured, and what is known of the last ones.
import { z } from "zod";
import type { S3Settings } from "@/foundation/file-stores/schema.ts";
import { setting, settings } from "@/kernel/store/settings.ts";

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

const unitSeconds: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400 };
const leastSeconds = 900;
const mostSeconds = 31 * 86_400;
const intervalForm = "a time from 15m to 31d, such as 6h";

/** A time such as `6h`, as seconds. */
export const interval = z
  .string(intervalForm)
  .regex(/^[1-9]\d{0,4}[mhd]$/, intervalForm)
  .transform((text) => Number(text.slice(0, -1)) * (unitSeconds[text.slice(-1)] ?? 1))
  .refine((seconds) => seconds >= leastSeconds && seconds <= mostSeconds, intervalForm);

/** How many hours, days and weeks keep their newest backup. */
export interface KeepRule {
  hours: number;
  days: number;
  weeks: number;
}

/** A public key of age, as `age-keygen` prints it. */
export const ageRecipient = z
  .string()
  .regex(/^age1[02-9ac-hj-np-z]{58}$/, "a public key of age: age1 and 58 letters and digits");

const keepForm = "numbers of hours, days and weeks, such as '24h 14d 8w'";

export const keepRule = z
  .string(keepForm)
  .regex(/^ *[1-9]\d{0,2}[hdw]( +[1-9]\d{0,2}[hdw])* *$/, keepForm)
  .transform((text, ctx): KeepRule => {
    const found = text
      .matchAll(/(\d+)([hdw])/g)
      .map(([, count, unit = ""]) => [unit, Number(count)] as const);
    const all = [...found];
    const { h: hours = 0, d: days = 0, w: weeks = 0 } = Object.fromEntries(all);
    if (all.length === [hours, days, weeks].filter((count) => count > 0).length)
      return { hours, days, weeks };
    ctx.addIssue(keepForm);
    return z.NEVER;
  });

/** Where backups go: a folder of the machine, or an S3 store. */
export type PlaceSettings = { kind: "folder"; path: string } | { kind: "s3"; settings: S3Settings };

export interface BackupPlan {
  everySeconds: number;
  place: PlaceSettings;
  keep: KeepRule;
  /** The public keys to which backups are encrypted; none if they are not. */
  recipients: readonly string[];
}

export const placeFormat = 1;

/** The first line of an index, which anyone who can read the place may read. */
export const indexHead = z.object({
  format: z.literal(placeFormat),
  /** The version of Confab that wrote it. */
  version: z.string(),
  /** UNIX seconds. */
  created_at: z.int(),
  last_message_id: z.int(),
  files: z.int(),
  /** Of all content. */
  bytes: z.int(),
  /** What this backup added to the place. */
  added_bytes: z.int(),
  /** The public keys to which its pieces are encrypted; none if they are not. */
  recipients: z.array(z.string()),
  /** The pieces of its list of contents, in order. */
  contents: z.array(z.string().regex(/^[0-9a-f]{32}$/)),
});
export type IndexHead = z.infer<typeof indexHead>;

/** The first line of the list of contents. */
export const contentsHead = z.object({
  format: z.literal(placeFormat),
  organization: z.string(),
  created_at: z.int(),
  last_message_id: z.int(),
  /** Under which the names of pieces are made from their content. */
  key: z.string().regex(/^[0-9a-f]{64}$/),
});
export type ContentsHead = z.infer<typeof contentsHead>;

/** One file of a backup: a line of the list of contents. */
export const storedFile = z.object({
  path: z.string().max(200),
  bytes: z.int().min(0),
  pieces: z.array(z.string().regex(/^[0-9a-f]{32}$/)),
});
export type StoredFile = z.infer<typeof storedFile>;

/** A complete backup in a place; times in UNIX seconds. */
export const storedBackup = z.object({
  backup: z.string(),
  created_at: z.int(),
  last_message_id: z.int(),
  files: z.int(),
  bytes: z.int(),
  added_bytes: z.int(),
  encrypted: z.boolean(),
});
export type StoredBackup = z.infer<typeof storedBackup>;

export const storedBackups = z.object({ place: z.string(), backups: z.array(storedBackup) });
export type StoredBackups = z.infer<typeof storedBackups>;

/** The last backup that was complete, and how many the place keeps. */
const lastBackup = storedBackup.extend({
  place: z.string(),
  seconds: z.number(),
  kept: z.int(),
  /** When the oldest of them was made. */
  oldest_at: z.int(),
});
export type LastBackup = z.infer<typeof lastBackup>;

/** How many times in a row it failed, and why at last. */
const failedBackups = z.object({ count: z.int(), at: z.int(), reason: z.string() });
export type FailedBackups = z.infer<typeof failedBackups>;

/** What all nodes and commands know of the schedule. */
export const backupSettings = settings("backups", {
  last: setting(lastBackup.nullable(), null, "The last scheduled backup"),
  failed: setting(failedBackups.nullable(), null, "What went wrong since"),
});
