// The folder DATA/import, with the copy that an import writes to. The organization's own files do not change before the copy
// is complete; a killed import continues with the copy.
import { createHash, type Hash } from "node:crypto";
import {
  constants,
  copyFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { uptime } from "node:os";
import { join, relative } from "node:path";
import { z } from "zod";
import { syncFile, syncFolder } from "@/kernel/store/durable.ts";
import { notRead } from "@/operations/data-folder/host.ts";
import { databaseFile } from "@/operations/data-folder/schema.ts";
import { entriesIn, pathOf } from "./intake/unpacking.ts";
import { importReport, sources } from "./schema.ts";

const stagingFolder = "import";
const stateFile = "state.json";

/** Written when the export has been read and checked. A later run continues only if all of it matches. */
const state = z.object({
  /** Another number for each change of the spool and of the report: an import begins again that another version began. */
  format: z.literal(2),
  source: z.enum(sources),
  sha256: z.string(),
  /** The options that change the result, as JSON. */
  options: z.string(),
  /** Size and time of the database that was copied; empty if there was none. */
  database: z.string(),
  /** The start of the machine at which it was written; what was not synced then is lost after the next. */
  machineStart: z.string(),
  /** The report, once the copy is complete. */
  report: importReport.nullable(),
});
export type StagingState = z.infer<typeof state>;

export interface Staging {
  folder: string;
  /** The unpacked export. */
  exported: string;
  spool: string;
  /** A separate data folder. */
  data: string;
}

export function stagingIn(dataDir: string): Staging {
  const folder = join(dataDir, stagingFolder);
  return {
    folder,
    exported: join(folder, "export"),
    spool: join(folder, "spool.db"),
    data: join(folder, "data"),
  };
}

/** Creates an empty staging folder; deletes what was in it. */
export function beginStaging(staging: Staging): void {
  rmSync(staging.folder, { recursive: true, force: true });
  mkdirSync(staging.exported, { recursive: true, mode: 0o700 });
}

export function readState({ folder }: Staging): StagingState | null {
  const path = join(folder, stateFile);
  if (!existsSync(path)) return null;
  try {
    return state.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return null;
  }
}

export async function writeState({ folder }: Staging, given: StagingState): Promise<void> {
  const path = join(folder, stateFile);
  writeFileSync(`${path}.new`, JSON.stringify(given), { mode: 0o600 });
  await syncFile(`${path}.new`);
  renameSync(`${path}.new`, path);
  await syncFolder(folder);
}

/** The copy of the database. */
export function copyIn({ data }: Staging): string {
  return join(data, databaseFile);
}

/** Copies the database, unless that was done. Nobody may be writing to it. */
export function copyInto(staging: Staging, dataDir: string): void {
  const [from, to] = [join(dataDir, databaseFile), copyIn(staging)];
  if (existsSync(to)) return;
  mkdirSync(staging.data, { recursive: true, mode: 0o700 });
  if (!existsSync(from)) return;
  copyFileSync(from, `${to}.new`, constants.COPYFILE_FICLONE);
  renameSync(`${to}.new`, to);
}

/** Tells each start of the machine from the others. */
export function machineStart(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    // Other systems than Linux: to ten minutes, because clocks are set right.
    return String(Math.round((Date.now() / 1000 - uptime()) / 600));
  }
}

/** Size and time of the database, which tell whether it has changed; empty if there is none. */
export function stampOf(dataDir: string): string {
  const found = statSync(join(dataDir, databaseFile), { throwIfNoEntry: false });
  return found && found.size > 0 ? `${found.size}:${found.mtimeMs}` : "";
}

/** Whether the copy has taken the place of the database. */
export function isPlaced(staging: Staging): boolean {
  return !existsSync(copyIn(staging));
}

/** Systems add such files to folders that they show; the digest is to stay the same. An upload that an export holds may be named so, too. */
const isAside = (path: string) => /(^|[/\\])(\.|(thumbs\.db|desktop\.ini)$)/i.test(path);

/** The digest of a file, or of all files in a folder with their paths. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  try {
    if (statSync(path).isDirectory()) await addFolder(hash, path);
    else await addFile(hash, path);
    return hash.digest("hex");
  } catch (error) {
    return notRead(pathOf(error) ?? path, error);
  }
}

async function addFolder(hash: Hash, folder: string): Promise<void> {
  const files = entriesIn(folder)
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !isAside(path))
    .sort();
  for (const path of files) {
    hash.update(`${path}\0${statSync(join(folder, path)).size}\0`);
    await addFile(hash, join(folder, path));
  }
}

async function addFile(hash: Hash, file: string): Promise<void> {
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
}
