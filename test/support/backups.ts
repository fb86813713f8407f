// An organization in a folder of its own, whose backups go to a place of the test, by a clock of the test.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Core, openCore } from "@/core.ts";
import { openS3 } from "@/foundation/file-stores/host.ts";
import type { OpenStore, S3Settings } from "@/foundation/file-stores/schema.ts";
import { createRealm } from "@/foundation/realm-administration/actions.ts";
import { backUpIfDue, setBackupPlan } from "@/operations/backup/schedule/running.ts";
import { type BackupPlan, backupSettings, type PlaceSettings } from "@/operations/backup/schema.ts";

const folders: string[] = [];
const opened: Core[] = [];

/** Call it after each test. */
export async function cleanUpBackups(): Promise<void> {
  for (const core of opened.splice(0)) await core.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export function openAgain(folder: string): Core {
  const core = openCore(folder);
  opened.push(core);
  return core;
}

export function newBackupFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "confab-schedule-"));
  folders.push(folder);
  return folder;
}

export const hour = 3600;
export const quick = { beatMs: 20, deadMs: 200 };
export const report = () => {};

export interface BackupScene {
  core: Core;
  data: string;
  /** The folder, where the place is one. */
  place: string;
  plan: BackupPlan;
  /** Moves the clock; both of them go on by so many seconds. */
  pass(seconds: number): void;
  /** Runs the job, as the server does every few seconds. */
  job(): ReturnType<typeof backUpIfDue>;
  state(): ReturnType<typeof backupSettings.read>;
  /** Adds a file as an upload of this content; returns its path in a data folder. */
  addFile(content: Uint8Array | string): string;
}

export const start = Date.UTC(2026, 10, 28, 12) / 1000;

export async function backupScene(
  given: { place?: string; s3?: S3Settings; files?: S3Settings } = {},
): Promise<BackupScene> {
  const data = join(newBackupFolder(), "data");
  const path = given.place ?? newBackupFolder();
  const place: PlaceSettings = given.s3 ? { kind: "s3", settings: given.s3 } : { kind: "folder", path };
  let at = start;
  const clock = { now: () => at, ms: () => at * 1000, steady: () => performance.now() };
  const stores: OpenStore = (kind) => (kind === "s3" && given.files ? openS3(given.files) : null);
  const core = openCore(data, { hosting: true, clock, stores });
  opened.push(core);
  const names = {
    name: "Crew",
    owner_email: "olive@example.com",
    owner_name: "Olive",
    default_language: "en",
  };
  await createRealm(core.system, { ...names, avatar_salt: `salt of ${data}` });
  const plan: BackupPlan = {
    everySeconds: 6 * hour,
    place,
    keep: { hours: 2, days: 2, weeks: 1 },
    recipients: [],
  };
  // The test's store cannot be read while it is written to: none but the first beat.
  setBackupPlan(core.env, plan, given.s3 ? { ...quick, beatMs: 60_000 } : quick);
  let files = 0;
  return {
    core,
    data,
    place: path,
    plan,
    pass: (seconds) => {
      at += seconds;
    },
    job: () => backUpIfDue({ ...core.system, now: at }),
    state: () => backupSettings.read(core.env),
    addFile(content) {
      const name = (files++).toString(16).padStart(2, "0").repeat(16);
      const folder = join(data, "files", "uploads", name.slice(0, 2));
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, name), content);
      return join("files", "uploads", name.slice(0, 2), name);
    },
  };
}

/** The files of all pieces in a folder for backups. */
export const piecesIn = (place: string) =>
  readdirSync(join(place, "pieces"), { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
