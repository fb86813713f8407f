// A place of scheduled backups: a folder or an S3 store, the index of each backup, and who writes there.
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { diskStore, makeFolderOf } from "@/foundation/file-stores/disk.ts";
import { reasonOf } from "@/foundation/file-stores/faults.ts";
import { isOurs } from "@/foundation/file-stores/names.ts";
import { s3Address, s3Store } from "@/foundation/file-stores/s3.ts";
import type { FileName, FileStore, FoundFile } from "@/foundation/file-stores/schema.ts";
import { AppError, failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { diskReason } from "@/operations/data-folder/schema.ts";
import type { PlaceSettings } from "../schema.ts";

export interface BackupPlace {
  /** For people: its path, or its URL, bucket and prefix. */
  address: string;
  files: FileStore;
  /** The folder for files that get their names there; null for a remote store. */
  incoming: string | null;
}

/** A place's address, whether it can be used or not. */
export function addressOf(place: PlaceSettings): string {
  return place.kind === "s3" ? s3Address(place.settings) : resolve(place.path);
}

export function openPlace(place: PlaceSettings): BackupPlace {
  if (place.kind === "s3") {
    const files = s3Store(place.settings);
    return { address: files.address, files, incoming: null };
  }
  const path = resolve(place.path);
  // It may be on a disk that is not mounted: a folder made here would be on another one.
  if (!existsSync(path)) fail("BAD_REQUEST", `There is no folder ${path}; create it.`);
  if (!statSync(path).isDirectory()) fail("BAD_REQUEST", `${path} is a file, not a folder.`);
  const incoming = join(path, "incoming");
  return { address: path, files: diskStore({ files: path }), incoming };
}

/** Why a place cannot be used, as the end of a sentence. */
export function placeReason(error: unknown): string {
  if (error instanceof AppError && error.cause === undefined) return error.message.replace(/\.$/, "");
  return diskReason(error) ?? reasonOf(error);
}

/** Runs work on a place; says why if the place cannot be used. */
export async function usingPlace<T>(
  settings: PlaceSettings,
  work: (place: BackupPlace) => Promise<T>,
): Promise<T> {
  const place = openPlace(settings);
  try {
    return await work(place);
  } catch (error) {
    return failUnread(place.address, error);
  }
}

/** The same content, which says why if the place cannot be read. A folder that cannot be written to is not the place's fault. */
export async function* readFrom(address: string, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* content;
  } catch (error) {
    failUnread(address, error);
  }
}

function failUnread(address: string, error: unknown): never {
  if (error instanceof AppError && error.cause === undefined) throw error;
  fail("BAD_REQUEST", `${address} cannot be read: ${placeReason(error)}.`);
}

/** All bytes of a small file; null if it does not exist. Throws if it is larger than `maxBytes`. */
export async function readAll(files: FileStore, file: FileName, maxBytes: number): Promise<Buffer | null> {
  const found = await files.find(file);
  if (!found) return null;
  if (found.bytes > maxBytes) refuseDamaged(`${file.shelf}/${file.name} is too large`);
  return bytesOf(found);
}

async function bytesOf({ bytes, read }: FoundFile): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of read(0, bytes)) pieces.push(piece);
  const all = Buffer.concat(pieces);
  if (all.length !== bytes) throw new Error(`${all.length} bytes instead of ${bytes}`);
  return all;
}

export function refuseDamaged(what: string): never {
  fail("BAD_REQUEST", `The backup is damaged: ${what}.`);
}

/** The names on a shelf that Confab gave. */
export async function namesOn(files: FileStore, shelf: FileName["shelf"]): Promise<Set<string>> {
  const names = new Set<string>();
  for await (const listed of files.list(shelf)) {
    for (const { name } of listed) if (isOurs(name)) names.add(name);
  }
  return names;
}

const ownerNote = "confab.backups";

/** Throws if a place holds the backups of another organization; an empty one is taken. */
export async function takePlace({ address, files }: BackupPlace, organization: string): Promise<void> {
  const owner = (await files.readNote(ownerNote))?.trim();
  if (owner === undefined) return files.writeNote(ownerNote, `${organization}\n`);
  if (owner !== organization)
    fail("BAD_REQUEST", `${address} holds the backups of another organization; name another place.`);
}

const writerNote = "confab.writing";

/** How often a writer shows that it is alive, and how long another one waits for that. */
export interface WriterPatience {
  beatMs: number;
  deadMs: number;
}
export const usualPatience: WriterPatience = { beatMs: 10_000, deadMs: 60_000 };

export interface Writer {
  /** Throws if another server has begun to write since. */
  check(): Promise<void>;
  /** The same, as far as the last beat has shown. */
  checkBeat(): void;
  end(): Promise<void>;
}

/**
 * Makes this process the only one that writes to a place, until `end`. It changes a note there every few seconds; a note that does
 * not change for a while is that of a server which was killed. No clock is compared with another machine's.
 */
export async function beginWriting(
  place: BackupPlace,
  run: string,
  { beatMs, deadMs }: WriterPatience,
): Promise<Writer> {
  const { address, files } = place;
  const refuse = () =>
    fail("BAD_REQUEST", `Another server or command is writing a backup to ${address} just now.`);
  const found = await files.readNote(writerNote);
  if (found && !isOfDeadProcess(found)) {
    await Bun.sleep(deadMs);
    if ((await files.readNote(writerNote)) !== found) refuse();
  }
  let beats = 0;
  let isReplaced = false;
  const write = () =>
    files.writeNote(writerNote, JSON.stringify({ run, host: hostname(), pid: process.pid, beat: beats++ }));
  const check = async () => {
    isReplaced = runOf(await files.readNote(writerNote)) !== run;
    if (isReplaced) refuse();
  };
  await write();
  await check();
  let beating = Promise.resolve();
  const timer = setInterval(() => {
    // A beat that fails is one that others miss; `check` finds out if they went on without this process.
    beating = check()
      .then(write)
      .catch(() => {});
  }, beatMs);
  if (place.incoming !== null) clearIncoming(place.incoming);
  return {
    check,
    checkBeat() {
      if (isReplaced) refuse();
    },
    async end() {
      clearInterval(timer);
      await beating;
      if (runOf(await files.readNote(writerNote)) === run) await files.writeNote(writerNote, "");
    },
  };
}

function noteIn(text: string | null): { run?: unknown; host?: unknown; pid?: unknown } {
  try {
    return JSON.parse(text || "{}") ?? {};
  } catch {
    return {};
  }
}

const runOf = (text: string | null) => noteIn(text).run;

function isOfDeadProcess(text: string): boolean {
  const { host, pid } = noteIn(text);
  if (host !== hostname() || typeof pid !== "number") return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as { code?: string }).code === "ESRCH";
  }
}

/** Removes what interrupted runs left, and makes the folder. */
function clearIncoming(folder: string): void {
  makeFolderOf(join(folder, "any"));
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && isOurs(entry.name)) rmSync(join(entry.parentPath, entry.name), { force: true });
  }
}
