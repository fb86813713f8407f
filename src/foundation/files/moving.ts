// Moves a file from one store to another, so that at least one of them has it at any time.
import { createHash } from "node:crypto";
import type { FileName, FileStore, FoundFile } from "@/foundation/file-stores/schema.ts";
import type { Env } from "@/kernel/core/context.ts";
import { withIncomplete, writeNew } from "./incomplete.ts";

interface Way {
  from: FileStore;
  to: FileStore;
}

/** Copies a file, reads the copy, and removes the original only if both are the same. Null if it has been deleted. */
export async function moveFile(
  env: Pick<Env, "files">,
  file: FileName,
  { from, to }: Way,
): Promise<{ bytes: number } | null> {
  const found = await from.find(file);
  if (!found) return null;
  const sha256 = await copyTo(to, file, { env, found, path: from.pathOf(file) });
  const copy = await to.find(file);
  const isSame = copy?.bytes === found.bytes && (await digestOf(bytesOf(copy))) === sha256;
  if (!isSame)
    throw new Error(`The copy of ${file.shelf}/${file.name} differs; the original is where it was`);
  await from.remove(file);
  return { bytes: found.bytes };
}

interface FileToMove {
  env: Pick<Env, "files">;
  found: FoundFile;
  /** Null if the file is not on this machine. */
  path: string | null;
}

/** Returns the digest of what was read. */
async function copyTo(to: FileStore, file: FileName, { env, found, path }: FileToMove): Promise<string> {
  if (path !== null && to.pathOf(file) === null) {
    await to.put(file, path);
    return digestOf(bytesOf(found));
  }
  return withIncomplete(env, async (copy) => {
    const hash = createHash("sha256");
    await writeNew(copy, passing(bytesOf(found), hash));
    await to.put(file, copy);
    return hash.digest("hex");
  });
}

const bytesOf = (found: FoundFile) => found.read(0, found.bytes);

async function digestOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of pieces) hash.update(piece);
  return hash.digest("hex");
}

async function* passing<T extends Uint8Array>(
  pieces: AsyncIterable<T>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<T> {
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
}
