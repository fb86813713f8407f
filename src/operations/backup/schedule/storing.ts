// Makes one backup: the database and all files, in pieces, into a place; then removes what the place need not keep.
import { createHash, randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { storesOf } from "@/foundation/file-stores/access.ts";
import { isOurs, newName, placeOf } from "@/foundation/file-stores/names.ts";
import { type FoundFile, shelves } from "@/foundation/file-stores/schema.ts";
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
  type LastBackup,
  placeFormat,
  type StoredFile,
} from "../schema.ts";
import { type BackupFacts, holdDatabase, inServer } from "../store.ts";
import { type BackupIndex, formatIndex, newBackupName, presentBackup, readIndex } from "./indexes.ts";
import { nameUnder, openPieces, type PieceWriter, pieceBytes } from "./pieces.ts";
import {
  type BackupPlace,
  beginWriting,
  openPlace,
  takePlace,
  type Writer,
  type WriterPatience,
} from "./places.ts";
import { readOthers, removeOthers } from "./pruning.ts";
import { sealerTo } from "./sealing.ts";

interface StoringInput {
  plan: BackupPlan;
  /** Aborts the work: the server stops. */
  signal: AbortSignal;
  patience: WriterPatience;
}

/** Nobody reads from a place which organization it is of. */
function secretOf(ctx: Ctx, what: string): string {
  return createHash("sha256")
    .update(`${what}:${realmOf(ctx).avatar_salt}`)
    .digest("hex");
}

/** Makes a backup, while the server works, and returns what is to be known of it. */
export async function storeBackup(ctx: Ctx, { plan, signal, patience }: StoringInput): Promise<LastBackup> {
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
    const run = { ctx, place, plan, staging: staging.folder, writer, check };
    const created_at = clock.now();
    // First, because nothing may be stored while old backups cannot be removed: the place would grow with each try.
    const others = await readOthers(place.files, { keep: plan.keep, created_at });
    const { name, index } = await storeAll(run, { created_at, before: others.newest });
    const kept = await removeOthers(run, others, index);
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
  plan: BackupPlan;
  staging: string;
  writer: Writer;
  check: () => void;
}

async function storeAll(
  run: Run,
  { created_at, before }: { created_at: number; before: BackupIndex["files"] },
): Promise<{ name: string; index: BackupIndex }> {
  const { ctx, writer, plan } = run;
  const recipients = plan.recipients.toSorted();
  // Pieces of one content that are encrypted to others have other names.
  const key = secretOf(ctx, ["names of backups", ...recipients].join(" "));
  const seal = await sealerTo(recipients);
  const pieces = await openPieces({ ...run, key, seal });
  try {
    const { facts, stored } = await storeDatabase(ctx, pieces);
    const all = [stored, ...(await storeFiles(run, { pieces, key, before }))];
    const head = { format: placeFormat, created_at, last_message_id: facts.last_message_id } as const;
    const contents = await storeContents(pieces, { ...head, organization: facts.organization, key }, all);
    const index = await runInSlices(
      buildIndex(all, key, { ...head, version, recipients, contents, added_bytes: pieces.addedBytes }),
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

function* buildIndex(
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
