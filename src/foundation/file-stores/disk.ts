// Files on the disk, in the data folder, next to the database.
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Env } from "@/kernel/core/context.ts";
import { syncFolder } from "@/kernel/store/durable.ts";
import { OpenFile } from "@/kernel/store/open-file.ts";
import { newName, placeOf } from "./names.ts";
import type { FileName, FileStore, FoundFile, ListedFile } from "./schema.ts";

type Folder = Pick<Env, "files">;
type FolderName = FileName["shelf"] | "incoming";

/** The folder of a shelf, or of incomplete files, which are always on the disk. */
export function shelfOf({ files }: Folder, shelf: FolderName): string {
  if (files === "") throw new Error("This process has no folder for files");
  return join(files, shelf);
}

export function pathOf(env: Folder, shelf: FolderName, name: string): string {
  return join(shelfOf(env, shelf), "..", placeOf({ shelf, name }));
}

/** Creates the folder of a temporary file; only its owner may read the folder. */
export function makeFolderOf(path: string): void {
  const folder = dirname(path);
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/** Folders that this process has synced. An existing folder may not have been synced. */
const settled = new Set<string>();

/** Creates a folder that survives a power cut, and its `levels` parents. */
async function settleFolder(folder: string, levels: number): Promise<void> {
  if (levels === 0 || (settled.has(folder) && existsSync(folder))) return;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await settleFolder(dirname(folder), levels - 1);
  await syncFolder(dirname(folder));
  settled.add(folder);
}

export function diskStore(env: Folder): FileStore {
  const at = ({ shelf, name }: { shelf: FolderName; name: string }) => pathOf(env, shelf, name);
  return {
    kind: "disk",
    address: resolve(env.files),
    async put(file, from) {
      const path = at(file);
      await settleFolder(dirname(path), 3); // of the first two letters, of the shelf, of all files
      await rename(from, path);
      await syncFolder(dirname(path));
    },
    async find(file): Promise<FoundFile | null> {
      const path = at(file);
      const bytes = statSync(path, { throwIfNoEntry: false })?.size;
      return bytes === undefined ? null : { bytes, read: (start, end) => piecesOf(path, start, end) };
    },
    async remove(file) {
      rmSync(at(file), { force: true });
    },
    list: (shelf) => filesIn(shelfOf(env, shelf)),
    pathOf: at,
    readNote: (name) => readNote(join(env.files, name)),
    writeNote: (name, text) =>
      writeNote(join(env.files, name), at({ shelf: "incoming", name: newName() }), text),
  };
}

async function readNote(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return null;
    throw error;
  }
}

async function writeNote(path: string, temporary: string, text: string): Promise<void> {
  makeFolderOf(temporary);
  await writeFile(temporary, text, { mode: 0o600, flush: true });
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

const pieceBytes = 131_072;

/** The file is opened at the first read; from then on it can be deleted without harm to the reader. */
async function* piecesOf(path: string, start: number, end: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (end - start <= pieceBytes) {
    if (end > start) yield await Bun.file(path).slice(start, end).bytes();
    return;
  }
  const file = await OpenFile.toRead(path);
  try {
    for (let at = start; at < end; ) {
      const piece = Buffer.allocUnsafe(Math.min(pieceBytes, end - at));
      const bytesRead = await file.read(piece, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield piece.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

const listedAtOnce = 500;

/** The files of a shelf, a few hundred at a time, so that requests can run in between. */
export async function* filesIn(root: string): AsyncGenerator<ListedFile[]> {
  for (const folder of namesIn(root)) {
    const names = namesIn(join(root, folder));
    for (let at = 0; at < names.length; at += listedAtOnce) {
      await new Promise((resolve) => setImmediate(resolve));
      yield names.slice(at, at + listedAtOnce).flatMap((name) => {
        const stat = statSync(join(root, folder, name), { throwIfNoEntry: false });
        return stat ? [{ name, bytes: stat.size, changedAt: stat.mtimeMs / 1000 }] : [];
      });
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const { code = "" } = error as { code?: string };
    if (code === "ENOENT") return [];
    throw error;
  }
}
