// Makes one backup: the database and all files, in pieces, into a place; then removes what the place need not keep.
import { createHash, randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { storesOf } from "@/foundation/file-stores/access.ts";
import { isOurs, newName, placeOf } from "@/foundation/file-stores/names.ts";
import { type FileName, type FoundFile, shelves } from "@/foundation/file-stores/schema.ts";
import { writeNew } from "@/foundation/files/incomplete.ts";
import { realmOf } from "@/foundation/realm/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { nextSlice, runInSlices, type Task } from "@/kernel/lib/tasks.ts";
import { isInMemory } from "@/kernel/store/database-file.ts";
import { clearStaging, openStaging } from "@/operations/data-folder/host.ts";
import { databaseFile, filesFolder } from "@/operations/data-folder/schema.ts";
import { version } from "../../../../package.json";
import { inParts } from "../archive.ts";
import {
  type BackupPlan,
  type ContentsHead,
  type IndexHead,
  type KeepRule,
  type LastBackup,
  placeFormat,
  type StoredFile,
} from "../schema.ts";
import { type BackupFacts, holdDatabase, inServer } from "../store.ts";
import {
  type BackupIndex,
  formatIndex,
  listBackupNames,
  newBackupName,
  presentBackup,
  readIndex,
  shortName,
} from "./indexes.ts";
import { keptBackups } from "./keeping.ts";
import { nameUnder, openPieces, type PieceWriter, pieceBytes } from "./pieces.ts";
import {
  type BackupPlace,
  beginWriting,
  namesOn,
  openPlace,
  takePlace,
  usualPatience,
  type Writer,
} from "./places.ts";

interface StoringInput {
  plan: BackupPlan;
  /** Aborts the work: the server stops. */
  signal: AbortSignal;
  patience?: typeof usualPatience;
}

/** Nobody reads from a place which organization it is of. */
function secretOf(ctx: Ctx, what: string): string {
  return createHash("sha256")
    .update(`${what}:${realmOf(ctx).avatar_salt}`)
    .digest("hex");
}

/** Makes a backup, while the server works, and returns what is to be known of it. */
export async function storeBackup(
  ctx: Ctx,
  { plan, signal, patience = usualPatience }: StoringInput,
): Promise<LastBackup> {
  const { clock, sqlite } = ctx.db;
  if (isInMemory(sqlite)) return fail("BAD_REQUEST", "A database in memory cannot be backed up.");
  const began = clock.steady();
  const place = openPlace(plan.place);
  await takePlace(place, secretOf(ctx, "owner of backups").slice(0, 32));
  const dataDir = dirname(sqlite.filename);
  clearStaging(dataDir);
  const writer = await beginWriting(place, randomBytes(8).toString("hex"), patience);
  const staging =
    place.incoming === null ? openStaging("backup", dataDir) : { folder: place.incoming, remove: () => {} };
  const check = () => {
    signal.throwIfAborted();
    writer.checkBeat();
  };
  try {
    const run = { ctx, place, staging: staging.folder, writer, check };
    const { name, index } = await storeAll(run);
    const kept = await prune(run, plan.keep, name);
    const seconds = Math.round((clock.steady() - began) / 100) / 10;
    return { ...presentBackup(name, index), place: place.address, seconds, ...kept };
  } finally {
    staging.remove();
    await writer.end().catch(() => {}); // what is left there, the next writer finds unchanged
  }
}

interface Run {
  ctx: Ctx;
  place: BackupPlace;
  staging: string;
  writer: Writer;
  check: () => void;
}

async function storeAll(run: Run): Promise<{ name: string; index: BackupIndex }> {
  const { ctx, place, writer } = run;
  const key = secretOf(ctx, "names of backups");
  const before = await newestIndex(place);
  const pieces = await openPieces({ ...run, key });
  try {
    const created_at = ctx.db.clock.now();
    const { facts, stored } = await storeDatabase(ctx, pieces);
    const all = [stored, ...(await storeFiles(run, { pieces, key, before }))];
    const head = { format: placeFormat, created_at, last_message_id: facts.last_message_id } as const;
    const contents = await storeContents(pieces, { ...head, organization: facts.organization, key }, all);
    const index = await runInSlices(
      indexOf(all, key, { ...head, version, contents, added_bytes: pieces.addedBytes }),
    );
    const name = newBackupName(created_at);
    run.check();
    await writer.check();
    await putIndex(run, name, index);
    return { name, index };
  } finally {
    pieces.end();
  }
}

/** What the newest backup of a place has of each file; nothing if it cannot be read. */
async function newestIndex({ files }: BackupPlace): Promise<BackupIndex["files"]> {
  const [name] = await listBackupNames(files);
  if (name === undefined) return new Map();
  try {
    return (await readIndex(files, name)).files;
  } catch {
    return new Map(); // all files are read again, and those that are there need not be stored
  }
}

/** Stages the database while it is held, which lets its write-ahead log grow, and puts it into the place after that. */
async function storeDatabase(
  ctx: Ctx,
  pieces: PieceWriter,
): Promise<{ facts: BackupFacts; stored: StoredFile }> {
  const held = await holdDatabase(ctx.db.sqlite.filename, inServer);
  if (!held) return fail("SERVER_NOT_READY", "Another program has been reading the database for minutes.");
  try {
    const names: string[] = [];
    for await (const part of inParts(held.read(), pieceBytes)) names.push(await pieces.stage(part));
    return { facts: held.snapshot, stored: { path: databaseFile, bytes: held.bytes, pieces: names } };
  } finally {
    held.release();
    await nextSlice();
  }
}

interface StoringFiles {
  pieces: PieceWriter;
  key: string;
  before: BackupIndex["files"];
}

/** All files but thumbnails, which can be made again. What the last backup has is not read: under a name, content never changes. */
async function storeFiles({ ctx }: Run, { pieces, key, before }: StoringFiles): Promise<StoredFile[]> {
  await pieces.put();
  const found = new Map<string, StoredFile>();
  for (const store of storesOf(ctx.env)) {
    for (const shelf of shelves.filter((one) => one !== "thumbnails")) {
      for await (const listed of store.list(shelf)) {
        for (const { name, bytes } of listed) {
          if (!isOurs(name)) continue;
          const path = `${filesFolder}/${placeOf({ shelf, name })}`;
          const known = before.get(nameUnder(key, path));
          if (known?.every((piece) => pieces.names.has(piece)))
            found.set(path, { path, bytes, pieces: [...known] });
          else await storeFile(await store.find({ shelf, name }), path, { pieces, found });
        }
        await nextSlice();
      }
    }
  }
  return [...found.values()];
}

async function storeFile(
  file: FoundFile | null,
  path: string,
  { pieces, found }: { pieces: PieceWriter; found: Map<string, StoredFile> },
): Promise<void> {
  if (!file) return; // deleted meanwhile
  const names: string[] = [];
  for await (const part of inParts(file.read(0, file.bytes), pieceBytes)) {
    names.push(await pieces.stage(part));
    await pieces.put();
  }
  found.set(path, { path, bytes: file.bytes, pieces: names });
}

/** Stores the list of contents; returns its pieces. */
async function storeContents(
  pieces: PieceWriter,
  head: ContentsHead,
  all: readonly StoredFile[],
): Promise<string[]> {
  const lines = async function* () {
    yield Buffer.from(`${JSON.stringify(head)}\n`);
    for (const one of all) yield Buffer.from(`${JSON.stringify(one)}\n`);
  };
  const names: string[] = [];
  for await (const part of inParts(lines(), pieceBytes)) names.push(await pieces.stage(part));
  await pieces.put();
  return names;
}

function* indexOf(
  all: readonly StoredFile[],
  key: string,
  head: Omit<IndexHead, "files" | "bytes">,
): Task<BackupIndex> {
  const files: BackupIndex["files"] = new Map();
  let bytes = 0;
  for (const one of all) {
    files.set(nameUnder(key, one.path), one.pieces);
    bytes += one.bytes;
    yield 1;
  }
  return { head: { ...head, files: all.length, bytes }, files };
}

async function putIndex({ place, staging }: Run, name: string, index: BackupIndex): Promise<void> {
  const path = join(staging, newName());
  try {
    await writeNew(path, [await formatIndex(index)]);
    await place.files.put({ shelf: "backups", name }, path);
  } finally {
    rmSync(path, { force: true });
  }
  await readIndex(place.files, name);
}

/**
 * Removes backups that the rule does not keep, and then all pieces that no backup needs, such as those of a run that was killed. If
 * an index cannot be read, no piece is removed.
 */
async function prune(
  run: Run,
  keep: KeepRule,
  made: string,
): Promise<Pick<LastBackup, "kept" | "oldest_at">> {
  const { files } = run.place;
  const all = (await listBackupNames(files)).map((name) => ({ name, created_at: timeIn(name) }));
  const kept = keptBackups(all, keep);
  const needed = new Set<string>();
  for (const one of all) {
    if (!kept.has(one) && one.name !== made) continue;
    await runInSlices(collect(await readIndex(files, one.name), needed));
  }
  await run.writer.check();
  const left = all.filter((one) => kept.has(one) || one.name === made);
  for (const one of all) if (!left.includes(one)) await removeOne(run, { shelf: "backups", name: one.name });
  for (const name of await namesOn(files, "pieces")) {
    if (!needed.has(name)) await removeOne(run, { shelf: "pieces", name });
  }
  return { kept: left.length, oldest_at: Math.min(...left.map(({ created_at }) => created_at)) };
}

async function removeOne({ place, check }: Run, file: FileName): Promise<void> {
  check();
  await place.files.remove(file);
  await nextSlice();
}

function* collect({ head, files }: BackupIndex, needed: Set<string>): Task<void> {
  for (const piece of head.contents) needed.add(piece);
  for (const pieces of files.values()) {
    for (const piece of pieces) needed.add(piece);
    yield 1;
  }
}

/** The time in a backup's name. */
function timeIn(name: string): number {
  const [year, month, day, hour, minute, second] = (shortName(name).match(/^\d{4}|\d\d/g) ?? []).map(Number);
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second) / 1000;
}
