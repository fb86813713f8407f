// A data folder as one file, and back: a compressed tar archive with a manifest of checksums.
import { createHash } from "node:crypto";
import {
  closeSync,
  createReadStream,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { copyFile, open } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { fail } from "@/kernel/errors.ts";
import { databaseFile } from "@/operations/data-folder/schema.ts";
import { version } from "../../../package.json";
import {
  type Backup,
  backupFormat,
  type Manifest,
  manifest,
  manifestFile,
  type Report,
  type Restored,
} from "./schema.ts";
import { copyDatabase, faultsOf } from "./store.ts";
import { checkTarget, openPrivate } from "./target.ts";

/** What belongs to the running process, or is not finished yet; everything else in a data folder is kept. */
const left = /^(confab\.(db.*|lock.*|pid|organization)|(backup|restore|former)-.*|incoming)$/;

export interface BackupInput {
  dataDir: string;
  /** Where the archive is to be; it must not exist unless `overwrite`. */
  file: string;
  overwrite: boolean;
  /** UNIX seconds. */
  now: number;
  report: Report;
}

/**
 * Writes a data folder into one file, beside a server that may be running on it. Everything acknowledged before this
 * was called is in it; the file gets its name once it is whole and on disk.
 */
export async function createBackup(input: BackupInput): Promise<Backup> {
  const { dataDir, file, overwrite, report } = input;
  checkTarget(file, overwrite);
  const staging = mkdtempSync(join(dataDir, "backup-"));
  const partial = `${file}.partial`;
  try {
    const contents = await stage(input, staging);
    const total = contents.files.reduce((sum, { bytes }) => sum + bytes, 0);
    closeSync(openPrivate(partial));
    await pack(staging, partial, (done) => report({ doing: "Packing", done, of: total }));
    const { bytes, sha256 } = await digest(partial);
    await syncPath(partial);
    renameSync(partial, file);
    await syncPath(dirname(resolve(file)));
    return { file, bytes, sha256, files: contents.files.length, last_message_id: contents.last_message_id };
  } finally {
    rmSync(staging, { recursive: true, force: true });
    rmSync(partial, { force: true });
  }
}

/** Gathers what is to be kept: a copy of the database, then the files, which are complete before a row names them. */
async function stage({ dataDir, now, report }: BackupInput, staging: string): Promise<Manifest> {
  report({ doing: "Copying the database", done: 0, of: 0 });
  const snapshot = copyDatabase(join(dataDir, databaseFile), join(staging, databaseFile));
  await linkAll(dataDir, staging);
  const files = await checksums(staging, report);
  const contents: Manifest = { format: backupFormat, version, created_at: now, ...snapshot, files };
  writeFileSync(join(staging, manifestFile), JSON.stringify(contents, null, 1));
  return contents;
}

/** Second names for all files, which cost nothing and outlive the first; copies where the file system has none. */
async function linkAll(from: string, to: string): Promise<void> {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (left.test(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      mkdirSync(target, { mode: 0o700 });
      await linkAll(source, target);
    } else if (entry.isFile()) await linkOrCopy(source, target);
  }
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    linkSync(from, to);
  } catch (error) {
    const { code } = error as { code?: string };
    // It was deleted meanwhile, as somebody asked: then it is not to be kept.
    if (code === "ENOENT") return;
    await copyFile(from, to);
  }
}

async function checksums(folder: string, report: Report): Promise<Manifest["files"]> {
  const paths = filesIn(folder).sort();
  const total = paths.reduce((sum, path) => sum + statSync(path).size, 0);
  const files: Manifest["files"] = [];
  let done = 0;
  for (const path of paths) {
    const found = await digest(path);
    files.push({ path: relative(folder, path).split(sep).join("/"), ...found });
    done += found.bytes;
    report({ doing: "Reading", done, of: total });
  }
  return files;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

async function digest(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk);
    bytes += (chunk as Buffer).length;
  }
  return { bytes, sha256: hash.digest("hex") };
}

async function pack(folder: string, file: string, onBytes: (done: number) => void): Promise<void> {
  const { create } = await import("tar");
  let done = 0;
  await create(
    {
      file,
      cwd: folder,
      gzip: { level: 3 },
      portable: true,
      strict: true,
      mode: 0o600,
      onWriteEntry: (entry) => {
        done += entry.stat?.isFile() ? entry.stat.size : 0;
        onBytes(done);
      },
    },
    [manifestFile, ...readdirSync(folder).filter((name) => name !== manifestFile)],
  );
}

async function syncPath(path: string): Promise<void> {
  if (process.platform === "win32" && statSync(path).isDirectory()) return;
  const handle = await open(path, "r");
  await handle.sync();
  await handle.close();
}

/** Makes an empty or absent folder a data folder again; nothing is left there where the backup is not whole. */
export async function restoreBackup(input: {
  file: string;
  dataDir: string;
  report: Report;
}): Promise<Restored> {
  const { file, report } = input;
  const dataDir = resolve(input.dataDir);
  if (!existsSync(file)) fail("BAD_REQUEST", `There is no file ${file}.`);
  const occupied = existsSync(dataDir) && readdirSync(dataDir).length > 0;
  if (occupied) {
    fail(
      "BAD_REQUEST",
      `${input.dataDir} is not empty; restore into a new folder, or move what is there away.`,
    );
  }
  mkdirSync(dirname(dataDir), { recursive: true });
  const staging = mkdtempSync(join(dirname(dataDir), `restore-${basename(dataDir)}-`));
  try {
    await unpack(file, staging, report);
    const contents = await checked(staging, report);
    rmSync(join(staging, manifestFile));
    if (existsSync(dataDir)) rmdirSync(dataDir);
    renameSync(staging, dataDir);
    await syncPath(dirname(dataDir));
    const { organization, last_message_id, created_at } = contents;
    return { organization, last_message_id, created_at, files: contents.files.length };
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

async function unpack(file: string, folder: string, report: Report): Promise<void> {
  const { extract } = await import("tar");
  const of = statSync(file).size;
  let done = 0;
  report({ doing: "Unpacking", done, of });
  try {
    await extract({
      file,
      cwd: folder,
      strict: true,
      noMtime: true,
      filter: (_, entry) => !("type" in entry) || entry.type === "File" || entry.type === "Directory",
      onReadEntry: (entry) => {
        done = Math.min(of, done + entry.size);
        report({ doing: "Unpacking", done, of });
      },
    });
  } catch (error) {
    const reason = (error as Error).message.replace(/^TAR_\w+: |\.$/g, "");
    fail("BAD_REQUEST", `${file} is no backup, or not a whole one: ${reason}.`);
  }
}

/** The manifest of an unpacked backup; throws where a file is missing, changed, or not in it. */
async function checked(folder: string, report: Report): Promise<Manifest> {
  const contents = manifestIn(folder);
  const expected = new Map(contents.files.map((file) => [file.path, file.sha256]));
  for (const { path, sha256 } of await checksums(folder, report)) {
    if (path === manifestFile) continue;
    if (expected.get(path) !== sha256)
      fail("BAD_REQUEST", `The backup is damaged: ${path} is not what was saved.`);
    expected.delete(path);
  }
  for (const path of expected.keys()) fail("BAD_REQUEST", `The backup is damaged: ${path} is missing.`);
  const [fault] = faultsOf(join(folder, databaseFile));
  if (fault) fail("BAD_REQUEST", `The backup's database is damaged: ${fault}`);
  return contents;
}

function manifestIn(folder: string): Manifest {
  const path = join(folder, manifestFile);
  const parsed = existsSync(path) ? manifest.safeParse(jsonOf(readFileSync(path, "utf8"))) : null;
  if (!parsed?.success)
    fail("BAD_REQUEST", "The file is not a backup of Confab, or of a newer version of it.");
  return parsed.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
