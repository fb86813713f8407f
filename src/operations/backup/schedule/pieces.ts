// Stores content in pieces: each under a name made of its content, compressed, once for all backups of a place.
import { createHash, createHmac } from "node:crypto";
import { rmSync, statfsSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { FileStore } from "@/foundation/file-stores/schema.ts";
import { writeNew } from "@/foundation/files/incomplete.ts";
import { forEachLimited } from "@/kernel/lib/concurrency.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { nextSlice } from "@/kernel/lib/tasks.ts";
import { startDeflater } from "../deflating.ts";
import { type BackupPlace, namesOn, readAll, refuseDamaged } from "./places.ts";
import type { openerOf, sealerTo } from "./sealing.ts";

/** A multiple of all page sizes of a database, whose unchanged parts are so the same pieces in the next backup. */
export const pieceBytes = 1_048_576;
/** Content that does not compress becomes a little larger. */
const mostStoredBytes = 2 * pieceBytes;
const putsAtOnce = 4;
const inflate = promisify(gunzip);

/** The name of content under a key: nobody without it can tell whether a place holds a certain file. */
export function nameUnder(key: string, content: Uint8Array | string): string {
  return createHmac("sha256", key).update(content).digest("hex").slice(0, 32);
}

interface Staged {
  name: string;
  path: string;
  sha256: string;
}

export interface PieceWriter {
  /** The names of all pieces that the place holds, those that are staged included. */
  readonly names: ReadonlySet<string>;
  /** Bytes that were put into the place. */
  readonly addedBytes: number;
  /** Prepares a piece, unless the place has it; returns its name. Takes the bytes from the caller. */
  stage(content: Uint8Array<ArrayBuffer>): Promise<string>;
  /** Puts all staged pieces into the place, and reads each back. */
  put(): Promise<void>;
  end(): void;
}

interface Writing {
  place: BackupPlace;
  key: string;
  /** Encrypts what is stored, if it is to be. */
  seal: Awaited<ReturnType<typeof sealerTo>>;
  /** The folder for staged pieces. */
  staging: string;
  /** Throws if the work must stop. */
  check: () => void;
}

export async function openPieces({ place, key, seal, staging, check }: Writing): Promise<PieceWriter> {
  const names = await namesOn(place.files, "pieces");
  const deflater = startDeflater(1);
  let staged: Staged[] = [];
  let addedBytes = 0;
  return {
    names,
    get addedBytes() {
      return addedBytes;
    },
    async stage(content) {
      check();
      await nextSlice();
      const name = nameUnder(key, content);
      if (names.has(name)) return name;
      checkRoom(staging);
      const stored = await seal(await deflater.compress(content));
      const path = join(staging, name);
      rmSync(path, { force: true });
      await writeNew(path, [stored]);
      addedBytes += stored.length;
      staged.push({ name, path, sha256: sha256Of(stored) });
      names.add(name);
      return name;
    },
    async put() {
      const all = staged;
      staged = [];
      await forEachLimited(all, putsAtOnce, (one) => {
        check();
        return putPiece(place.files, one);
      });
    },
    end: () => deflater.end(),
  };
}

const sha256Of = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Stores a piece, reads back what was stored, and compares the checksums. */
async function putPiece(files: FileStore, { name, path, sha256 }: Staged): Promise<void> {
  const file = { shelf: "pieces", name } as const;
  await files.put(file, path);
  rmSync(path, { force: true });
  const stored = await readAll(files, file, mostStoredBytes);
  if (stored && sha256Of(stored) === sha256) return;
  await files.remove(file);
  fail(
    "SERVER_NOT_READY",
    `The piece ${name} that was stored reads back ${stored ? "changed" : "as absent"}.`,
  );
}

/** A backup must not use up what a server on the same disk needs. */
const leastRoom = { bytes: 100_000_000, part: 0.02 };

function checkRoom(folder: string): void {
  const { bavail, blocks, bsize } = statfsSync(folder);
  if (bavail * bsize >= Math.min(leastRoom.bytes, leastRoom.part * blocks * bsize)) return;
  fail("SERVER_NOT_READY", `The disk of ${dirname(folder)} is almost full.`);
}

export interface PieceReading {
  files: FileStore;
  /** Under which the names of pieces were made; null while it is not known. */
  key: string | null;
  open: Awaited<ReturnType<typeof openerOf>>;
}

/** The content of a piece; throws unless it is what its name says. */
async function readPiece({ files, key, open }: PieceReading, name: string): Promise<Buffer> {
  const stored = await readAll(files, { shelf: "pieces", name }, mostStoredBytes);
  if (!stored) return refuseDamaged(`the piece ${name} is missing`);
  const content = await inflate(await open(new Uint8Array(stored)), { maxOutputLength: pieceBytes }).catch(
    () => refuseDamaged(`the piece ${name}`),
  );
  if (key !== null && nameUnder(key, content) !== name)
    refuseDamaged(`the checksum of the piece ${name} does not match`);
  return content;
}

const readAhead = 4;

/** The contents of pieces in order; the next ones are fetched while the caller works on one. */
export async function* readPieces(reading: PieceReading, names: readonly string[]): AsyncGenerator<Buffer> {
  const fetch = (name: string) => {
    const piece = readPiece(reading, name);
    piece.catch(() => {}); // if an earlier one fails, nobody waits for it
    return piece;
  };
  const ahead = names.slice(0, readAhead).map(fetch);
  for (let next = readAhead; ahead.length > 0; next++) {
    const piece = await (ahead.shift() as Promise<Buffer>);
    const name = names[next];
    if (name !== undefined) ahead.push(fetch(name));
    yield piece;
  }
}
