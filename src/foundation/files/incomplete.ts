// Incomplete files on this machine; the sweep removes those that a crash leaves.
import { rmSync } from "node:fs";
import { makeFolderOf, pathOf } from "@/foundation/file-stores/disk.ts";
import { newName } from "@/foundation/file-stores/names.ts";
import type { Env } from "@/kernel/core/context.ts";
import { OpenFile } from "@/kernel/store/open-file.ts";

/** A path for a new file that only its owner may read. */
export function incompletePath(env: Pick<Env, "files">): string {
  const path = pathOf(env, "incoming", newName());
  makeFolderOf(path);
  return path;
}

/** Runs work that may write a file at a path, and removes what is left there. */
export async function withIncomplete<T>(
  env: Pick<Env, "files">,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const path = incompletePath(env);
  try {
    return await work(path);
  } finally {
    rmSync(path, { force: true });
  }
}

/** Writes a new file and syncs it to disk; returns its size. `check` gets the size so far and may refuse more. */
export async function writeNew(
  path: string,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  check: (size: number) => void = () => {},
): Promise<number> {
  const file = await OpenFile.create(path);
  try {
    let size = 0;
    for await (const piece of content) {
      size += piece.byteLength;
      check(size);
      await file.append(piece);
    }
    await file.sync();
    return size;
  } finally {
    await file.close();
  }
}
