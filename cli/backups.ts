// The schedule of backups in confab.toml: the table [backup]. Places of backups as people write them.
import { join, resolve } from "node:path";
import { z } from "zod";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { wordingAfter } from "@/kernel/lib/wording.ts";
import {
  ageRecipient,
  type BackupPlan,
  interval,
  keepRule,
  type PlaceSettings,
} from "@/operations/backup/schema.ts";
import { isInside } from "@/operations/data-folder/schema.ts";
import { type ArgValues, option, read } from "./args.ts";
import { s3In } from "./s3.ts";
import { serverSettings, settingsFile, settingsOfFile, tableOfFile } from "./settings.ts";

const { s3_endpoint, s3_region, s3_credentials } = serverSettings;

/** How to reach the S3 store of a place. */
export const storeArgs = { s3_endpoint, s3_region, s3_credentials };
type StoreValues = ArgValues<typeof storeArgs>;

/** Which of the backups of a place. */
export const chosen = option(
  "BACKUP",
  z
    .string()
    .regex(/^\d{4,14}$/, "the beginning of a backup's name, such as 20261121")
    .optional(),
  "the beginning of a scheduled backup's name, as 'confab backup list' shows it; if not given, the newest",
);

/** What decrypts backups that are encrypted. */
export const identity = option(
  "FILE",
  z.string().min(1, "the path of a file").optional(),
  "the file with the secret key of age, as age-keygen writes it, if the backup is encrypted",
);

const s3Address = /^s3:\/\/([\w.-]{1,100})(?:\/((?:[\w.-]+\/)*[\w.-]*))?$/;

/** The folder or S3 store that a text names. */
export function placeOf(text: string, store: StoreValues): PlaceSettings {
  if (!text.includes("://")) return { kind: "folder", path: resolve(text) };
  const [, s3_bucket, path = ""] =
    s3Address.exec(text) ??
    fail("BAD_REQUEST", `${text} is no place of backups: name a folder or s3://BUCKET/PREFIX.`);
  const s3_prefix = path.replace(/([^/])$/, "$1/");
  const settings = s3In({ ...store, s3_bucket, s3_prefix });
  return settings ? { kind: "s3", settings } : fail("BAD_REQUEST", `${text} names no bucket.`);
}

const placeForm = "a folder or s3://BUCKET/PREFIX";
const nonEmpty = z.string().min(1);
const table = z.strictObject({
  every: interval,
  to: z.string(placeForm).min(1, placeForm),
  keep: keepRule,
  encrypt_to: z
    .union([ageRecipient.transform((one) => [one]), z.array(ageRecipient).min(1).max(20)])
    .default([]),
  s3_endpoint: nonEmpty.optional(),
  s3_region: nonEmpty.optional(),
  s3_credentials: nonEmpty.optional(),
});

/** The schedule in the data folder's confab.toml; null without one. Throws if it cannot be used. */
export function backupPlanOf(dataDir: string): BackupPlan | null {
  return planIn({ backup: tableOfFile(dataDir, "backup"), settings: () => settingsOfFile(dataDir) }, dataDir);
}

interface PlanSource {
  /** The table [backup]. */
  backup: unknown;
  settings: () => Record<string, string>;
}

/** The same, of what the settings file holds or would hold. */
export function planIn({ backup: given, settings }: PlanSource, dataDir: string): BackupPlan | null {
  if (given === undefined) return null;
  const path = join(dataDir, settingsFile);
  const refuse = (problem: string): never => fail("BAD_REQUEST", `${path}: ${problem}.`);
  if (typeof given !== "object" || given === null) return refuse("'backup' must be a table: [backup]");
  const found = table.safeParse(given);
  if (!found.success) {
    const [issue] = found.error.issues;
    return refuse(wordingAfter(`[backup] ${issue?.path.join(".") ?? ""}`.trim(), issue));
  }
  const { every: everySeconds, keep, to, encrypt_to: recipients, ...own } = found.data;
  const place = placeOf(to, { ...storeOf(settings()), ...own });
  if (place.kind === "folder" && isInside(resolve(dataDir), place.path)) {
    refuse("[backup] to is in the data folder: what loses one would lose the other");
  }
  return { everySeconds, keep, place, recipients };
}

/** The store that holds the organization's files: backups go there by the same address and credentials. */
function storeOf(settings: Record<string, string>): StoreValues {
  const result = read(storeArgs, {}, settings);
  return "problem" in result ? fail("BAD_REQUEST", `${result.problem}.`) : result.values;
}

/** The place that a command names, or that of the schedule. */
export function placeFor(dataDir: string, text: string | undefined, store: StoreValues): PlaceSettings {
  if (text !== undefined) return placeOf(text, store);
  const plan = backupPlanOf(dataDir);
  return (
    plan?.place ??
    fail(
      "BAD_REQUEST",
      `${join(dataDir, settingsFile)} has no table [backup]; name a folder or s3://BUCKET/PREFIX.`,
    )
  );
}
