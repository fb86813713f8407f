// Backs up a data folder to one file and restores it: a compressed tar archive with a manifest of checksums.

import {
  closeSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Reads } from "@/kernel/core/context.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { makeFolder, syncFile, syncFolder } from "@/kernel/store/durable.ts";
import {
  checkReadable,
  checkTarget,
  clearStaging,
  markFolder,
  notRead,
  notWritten,
  openPrivate,
  openStaging,
  orAtExit,
} from "@/operations/data-folder/host.ts";
import { databaseFile, filesFolder } from "@/operations/data-folder/schema.ts";
import { version } from "../../../package.json";
import { bytesIn, checkRoom, checksums, type Digest, type Extra, pack, unpack } from "./archive.ts";
import { listBackups } from "./queries.ts";
import { jsonOf, listBackupNames } from "./schedule/indexes.ts";
import { addressOf, usingPlace } from "./schedule/places.ts";
import { type Fetched, fetchBackup, type StoredSource } from "./schedule/restoring.ts";
import { setBackupPlan } from "./schedule/running.ts";
import { sealerTo } from "./schedule/sealing.ts";
import {
  type Backup,
  type BackupPlan,
  backupFormat,
  type MadeBackup,
  type Manifest,
  manifest,
  manifestFile,
  noteFile,
  type ReportProgress,
  type Restored,
} from "./schema.ts";
import { type BackupInput, stage } from "./staging.ts";
import {
  type BackupFacts,
  faultIn,
  type HeldDatabase,
  leaveCluster,
  noteRestore,
  placeOnDisk,
} from "./store.ts";

/** What belongs to the organization; everything else in a data folder belongs to the machine or to a process. */
const isOfOrganization = (path: string) => path === databaseFile || path.startsWith(`${filesFolder}/`);

/** Files of processes, which earlier versions may have included in backups. Keys may have names like theirs. */
const isOfProcess = (path: string) =>
  /^confab\.(db|lock|pid|operator|organization|beginning|history|backed-up|misused)\b/.test(path);

/**
 * Writes a data folder to one file, while a server may be running on it. The archive contains everything that was
 * acknowledged before the call. The file gets its name only once it is complete and on disk.
 */
export async function createBackup(input: BackupInput): Promise<Backup> {
  const { dataDir, file, overwrite } = input;
  checkTarget(file, overwrite);
  const copying = (error: unknown) =>
    notWritten(`The copy of the database that a backup needs in ${dataDir}`, error);
  const staging = attempt(() => openStaging("backup", dataDir), copying);
  try {
    const { snapshot, held } = await stage(input, staging.folder).catch(copying);
    const { packed, contents } = await packStaged(input, staging.folder, snapshot, held).finally(() =>
      held?.release(),
    );
    noteBackup(dataDir, { at: input.now, file: resolve(file), bytes: packed.bytes });
    const { files, last_message_id, config = [] } = contents;
    return { file, ...packed, files: files.length, last_message_id, config };
  } finally {
    staging.remove();
  }
}

/** Packs what is staged, and the database itself if it is `held`, while the manifest is written. */
async function packStaged(
  input: BackupInput,
  staging: string,
  snapshot: BackupFacts,
  held: HeldDatabase | null,
) {
  const { promise: digest, resolve: onDigest } = Promise.withResolvers<Digest>();
  const extra = held && { path: databaseFile, bytes: held.bytes, read: () => held.read(), onDigest };
  const listed = list(input, staging, snapshot, extra && digest).catch((error: unknown) =>
    notWritten(`The copy that a backup needs in ${input.dataDir}`, error),
  );
  listed.catch(() => {}); // if packing fails first, nobody waits for it
  const packed = await packInto(input, staging, { listed, extra }).catch((error) =>
    notWritten(input.file, error),
  );
  return { packed, contents: await listed };
}

const notesKept = 20;

/** Records the time of a backup, which `doctor` and the console show. A folder that cannot be written to can be backed up, too. */
function noteBackup(dataDir: string, made: MadeBackup): void {
  const notes = [made, ...listBackups(dataDir).filter(({ file }) => file !== made.file)].slice(0, notesKept);
  try {
    writeFileSync(join(dataDir, noteFile), JSON.stringify(notes), { mode: 0o600 });
  } catch {
    // The backup is what counts.
  }
}

function attempt<T>(work: () => T, onError: (error: unknown) => never): T {
  try {
    return work();
  } catch (error) {
    return onError(error);
  }
}

/** Packs a folder into a file, which gets its name only once it is complete and on disk. */
async function packInto(
  { file, report }: BackupInput,
  folder: string,
  { listed, extra }: { listed: Promise<unknown>; extra: Extra | null },
): Promise<Digest> {
  const partial = `${file}.partial`;
  const total = bytesIn(folder) + (extra?.bytes ?? 0);
  const onBytes = (done: number) => report({ doing: "Packing", done, of: total });
  const discardPartial = orAtExit(() => discard(partial));
  try {
    const descriptor = openPrivate(partial);
    const written = await pack(folder, { descriptor, listed, extra }, onBytes).finally(() =>
      closeSync(descriptor),
    );
    await syncFile(partial);
    renameSync(partial, file);
    await syncFolder(dirname(resolve(file)));
    return written;
  } finally {
    discardPartial();
  }
}

/** Removes a file, if it exists. A failure must not hide the error that led here. */
function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It could not be created either.
  }
}

/** Writes the manifest of a staged backup. */
async function list(
  { now, config = [] }: BackupInput,
  staging: string,
  snapshot: BackupFacts,
  database: Promise<Digest> | null,
): Promise<Manifest> {
  const staged = await checksums(staging, () => {});
  const files = database ? [{ path: databaseFile, ...(await database) }, ...staged] : staged;
  const contents: Manifest = {
    format: backupFormat,
    version,
    created_at: now,
    ...snapshot,
    files,
    config: [...config],
  };
  writeFileSync(join(staging, manifestFile), JSON.stringify(contents, null, 1));
  return contents;
}

interface RestoreInput {
  /** The archive, or the place of scheduled backups. */
  from: string | StoredSource;
  dataDir: string;
  /** Restores the settings that the backup holds, too: they name addresses, and keys, of the machine where it was made. */
  withConfig?: boolean;
  report: ReportProgress;
}

/** Restores a data folder into an empty or absent one. Leaves nothing there if the backup is not intact. */
export async function restoreBackup(input: RestoreInput): Promise<Restored> {
  const { from } = input;
  const dataDir = resolve(input.dataDir);
  if (typeof from === "string") checkReadable(from);
  attempt(
    () => checkVacant(input.dataDir),
    (error) => notRead(input.dataDir, error),
  );
  const staging = attempt(
    () => stagingFor(dataDir),
    (error) => notWritten(input.dataDir, error),
  );
  try {
    const restored = await bringInto(staging.folder, input);
    await finishFolder(staging.folder, restored.created_at);
    if (existsSync(dataDir)) rmdirSync(dataDir);
    renameSync(staging.folder, dataDir);
    await syncFolder(dirname(dataDir));
    return restored;
  } catch (error) {
    return notWritten(input.dataDir, error);
  } finally {
    staging.remove();
  }
}

function checkVacant(dataDir: string): void {
  const found = statSync(dataDir, { throwIfNoEntry: false });
  if (found && !found.isDirectory()) fail("BAD_REQUEST", `${dataDir} is a file; name a new folder.`);
  if (!found || readdirSync(dataDir).length === 0) return;
  fail("BAD_REQUEST", `${dataDir} is not empty; restore into a new folder, or move its contents away.`);
}

function stagingFor(dataDir: string): { folder: string; remove: () => void } {
  if (!existsSync(dirname(dataDir))) makeFolder(dirname(dataDir));
  clearStaging(dataDir);
  return openStaging("restore", dataDir);
}

/** Lets this process make backups by a plan. Throws if they cannot be encrypted as it says. */
export async function scheduleBackups(reads: Reads, plan: BackupPlan): Promise<void> {
  await sealerTo(plan.recipients);
  setBackupPlan(reads, plan);
}

/** Throws, with the reason, if no backup could be made by a plan; returns the address of its place. */
export async function tryPlan({ place, recipients }: BackupPlan): Promise<string> {
  await sealerTo(recipients);
  return usingPlace(place, async ({ address, files }) => {
    await listBackupNames(files);
    return address;
  });
}

interface RehearsalInput {
  source: StoredSource;
  /** The trial is next to this folder, which need not exist. */
  dataDir: string;
  report: ReportProgress;
}

/** Restores a backup as `restoreBackup` does, opens it, and removes it again. Times in UNIX seconds. */
export async function rehearseRestore<T>(
  { source, dataDir, report }: RehearsalInput,
  open: (folder: string) => Promise<T>,
): Promise<Omit<Fetched, "key" | "format"> & { place: string; seconds: number; opened: T }> {
  const began = performance.now();
  const staging = attempt(
    () => stagingFor(resolve(dataDir)),
    (error) => notWritten(dirname(resolve(dataDir)), error),
  );
  try {
    const { key: _, format: __, ...found } = await bringStoredBackup(source, staging.folder, report);
    await finishFolder(staging.folder, found.created_at);
    const opened = await open(staging.folder);
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    return { ...found, place: addressOf(source.place), seconds, opened };
  } catch (error) {
    return notWritten(staging.folder, error);
  } finally {
    staging.remove();
  }
}

async function bringStoredBackup(
  source: StoredSource,
  folder: string,
  report: ReportProgress,
): Promise<Fetched> {
  const found = await fetchBackup(source, { folder, report });
  checkDatabase(folder);
  placeOnDisk(join(folder, databaseFile));
  return found;
}

/** Brings what a backup holds of the organization into a folder. */
async function bringInto(
  staging: string,
  { from, report, withConfig = false }: RestoreInput,
): Promise<Restored> {
  if (typeof from !== "string") {
    const { organization, last_message_id, created_at, files } = await bringStoredBackup(
      from,
      staging,
      report,
    );
    return { organization, last_message_id, created_at, files, config: [], left_out: [] };
  }
  await unpack(from, staging, report);
  const contents = await checkFolder(staging, report);
  rmSync(join(staging, manifestFile));
  const { config, left_out } = leaveOut(staging, contents, withConfig);
  checkDatabase(staging);
  const { organization, last_message_id, created_at } = contents;
  const files = contents.files.length - left_out.length;
  return { organization, last_message_id, created_at, files, config, left_out };
}

/** Makes a folder that holds a backup a data folder. */
async function finishFolder(staging: string, madeAt: number): Promise<void> {
  leaveCluster(join(staging, databaseFile));
  noteRestore(join(staging, databaseFile), { at: Math.floor(Date.now() / 1000), madeAt });
  markFolder(staging);
  await syncAll(staging);
}

/** Removes what belongs to the machine where a backup was made, or only what belongs to its processes. */
function leaveOut(staging: string, { files, config }: Manifest, withConfig: boolean) {
  const others = files.map(({ path }) => path).filter((path) => !isOfOrganization(path));
  const isConfig = (path: string) => config?.includes(path) ?? !isOfProcess(path);
  const isKept = (path: string) => withConfig && isConfig(path);
  const left_out = others.filter((path) => !isKept(path));
  for (const path of left_out) rmSync(join(staging, path));
  for (const name of readdirSync(staging)) removeEmpty(join(staging, name));
  return {
    config: others.filter(isKept),
    left_out: left_out.filter((path) => isConfig(path) || !isOfProcess(path)),
  };
}

function removeEmpty(path: string): void {
  if (!statSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) removeEmpty(join(path, name));
  if (readdirSync(path).length === 0) rmdirSync(path);
}

/** Flushes a folder and all files in it to disk. */
async function syncAll(folder: string): Promise<void> {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    await (entry.isDirectory() ? syncFolder(path) : syncFile(path));
  }
  await syncFolder(folder);
}

/** The manifest of an unpacked backup; throws if a file is missing, changed or unexpected. */
async function checkFolder(folder: string, report: ReportProgress): Promise<Manifest> {
  const contents = manifestIn(folder);
  const expected = new Map(contents.files.map((file) => [file.path, file.sha256]));
  for (const { path, sha256 } of await checksums(folder, report)) {
    if (path === manifestFile) continue;
    if (expected.get(path) !== sha256) checkRoom(folder);
    if (expected.get(path) !== sha256)
      fail("BAD_REQUEST", `The backup is damaged: the checksum of ${path} does not match.`);
    expected.delete(path);
  }
  for (const path of expected.keys()) fail("BAD_REQUEST", `The backup is damaged: ${path} is missing.`);
  return contents;
}

function checkDatabase(folder: string): void {
  const fault = faultIn(join(folder, databaseFile));
  if (fault !== null) fail("BAD_REQUEST", `The backup cannot be restored: ${fault}.`);
}

function manifestIn(folder: string): Manifest {
  const path = join(folder, manifestFile);
  const parsed = existsSync(path) ? manifest.safeParse(jsonOf(readFileSync(path, "utf8"))) : null;
  if (!parsed?.success) fail("BAD_REQUEST", "The file is not a Confab backup, or a newer version wrote it.");
  return parsed.data;
}
