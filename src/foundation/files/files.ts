// Storing, finding and removing the organization's files, wherever they are.
import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { placementOf, storeAt, storesOf } from "@/foundation/file-stores/access.ts";
import type { FileName, FileStore, FoundFile } from "@/foundation/file-stores/schema.ts";
import type { Env } from "@/kernel/core/context.ts";
import { withIncomplete, writeNew } from "./incomplete.ts";
import { moveFile } from "./moving.ts";

type Place = Pick<Env, "db" | "files">;

/**
 * Stores a complete, synced file of this machine; once this resolves, it survives a power cut. The caller removes what may be
 * left at its path.
 */
export async function keepFile(env: Place, file: FileName, path: string): Promise<void> {
  const { at } = placementOf(env);
  await storeAt(env, at).put(file, path);
  const now = placementOf(env).at;
  // A move to another store began meanwhile, and may have searched this store before the file was in it.
  if (now !== at) await moveFile(env, file, { from: storeAt(env, at), to: storeAt(env, now) });
}

/** Stores bytes under a name: completely or not at all. */
export async function writeWhole(env: Place, file: FileName, bytes: Uint8Array): Promise<void> {
  await withIncomplete(env, async (path) => {
    const handle = await open(path, "wx", 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await keepFile(env, file, path);
  });
}

/** Null if there is no such file. Can be read even while it moves to another store. */
export async function findFile(env: Place, file: FileName): Promise<FoundFile | null> {
  const found = await lookFor(env, file);
  if (!found) return null;
  return { bytes: found.bytes, read: (start, end) => following(env, file, { found, start, end }) };
}

interface Located extends FoundFile {
  store: FileStore;
}

async function lookFor(env: Place, file: FileName): Promise<Located | null> {
  for (;;) {
    const before = placementOf(env);
    const [first, ...others] = storesOf(env);
    // Between the looks at two stores, the file may have moved to the first.
    const all = others.length > 0 ? [first, ...others, first] : [first];
    for (const store of all) {
      const found = await store.find(file);
      if (found) return { ...found, store };
    }
    const now = placementOf(env);
    if (now.at === before.at && now.also === before.also) return null;
  }
}

async function* following(
  env: Place,
  file: FileName,
  { found, start, end }: { found: FoundFile; start: number; end: number },
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let at = start;
  try {
    for await (const piece of found.read(at, end)) {
      at += piece.length;
      yield piece;
    }
  } catch (error) {
    const moved = await lookFor(env, file);
    if (!moved) throw error;
    yield* moved.read(at, end);
  }
}

/** Deletes a file that no row names any more. If a store does not answer, the sweep deletes it later. */
export async function removeFile(env: Place, file: FileName): Promise<void> {
  await Promise.all(storesOf(env).map((store) => store.remove(file).catch(() => {})));
}

/**
 * Runs work with the path of the file, or of a copy of it, on this machine; again if the file moves to another store meanwhile. Null
 * if there is no such file.
 */
export async function onThisMachine<T>(
  env: Place,
  file: FileName,
  work: (path: string) => Promise<T>,
): Promise<T | null> {
  for (;;) {
    const found = await lookFor(env, file);
    if (!found) return null;
    const path = found.store.pathOf(file);
    if (path === null)
      return withIncomplete(env, async (copy) => {
        await writeNew(copy, following(env, file, { found, start: 0, end: found.bytes }));
        return work(copy);
      });
    try {
      return await work(path);
    } catch (error) {
      if (existsSync(path)) throw error;
    }
  }
}
