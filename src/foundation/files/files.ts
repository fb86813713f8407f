// Files on disk, next to the database. We generate their names; no path comes from a client.
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { mkdir, open, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Env } from "@/kernel/context.ts";
import { syncFolder } from "@/kernel/durable.ts";

/** The folders: incomplete uploads, uploads, their thumbnails, pictures of people, emoji and organization, exports. */
export type Shelf = "incoming" | "uploads" | "thumbnails" | "pictures" | "exports";

const ours = /^[0-9a-f]{32}(?:-[a-z]+)?(?:\.webp)?$/;

/** Whether a name has the form of generated names. */
export function isOurs(name: string): boolean {
  return ours.test(name);
}

/** A name that nobody can guess, the same on every file system. */
export function newName(): string {
  return randomBytes(16).toString("hex");
}

export function shelfOf({ files }: Pick<Env, "files">, shelf: Shelf): string {
  if (files === "") throw new Error("This process has no folder for files");
  return join(files, shelf);
}

export function pathOf(env: Pick<Env, "files">, shelf: Shelf, name: string): string {
  if (!isOurs(name)) throw new Error(`Not a name that the server generated: ${JSON.stringify(name)}`);
  return join(shelfOf(env, shelf), name.slice(0, 2), name);
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

/** Moves a complete, synced file to its final name; once this resolves, the file survives a power cut. */
export async function keepFile(path: string, from: string): Promise<void> {
  await settleFolder(dirname(path), 3); // of the first two letters, of the shelf, of all files
  await rename(from, path);
  await syncFolder(dirname(path));
}

/** Writes a file atomically: it exists completely or not at all. */
export async function writeWhole(env: Pick<Env, "files">, path: string, bytes: Uint8Array): Promise<void> {
  const aside = pathOf(env, "incoming", newName());
  makeFolderOf(aside);
  try {
    const handle = await open(aside, "wx", 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await keepFile(path, aside);
  } finally {
    rmSync(aside, { force: true });
  }
}

export function removeFile(path: string): void {
  rmSync(path, { force: true });
}
