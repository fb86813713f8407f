// Packs folders into compressed archives and computes checksums of their files.
import { createHash } from "node:crypto";
import { createReadStream, readdirSync, statfsSync, statSync, writeSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { gzip, type ZlibOptions } from "node:zlib";
import { fail } from "@/kernel/errors.ts";
import { extractPrivately } from "@/kernel/unpacking.ts";
import { notRead } from "@/operations/data-folder/host.ts";
import { diskReason } from "@/operations/data-folder/schema.ts";
import { type Manifest, manifestFile, type Report } from "./schema.ts";

export async function checksums(folder: string, report: Report): Promise<Manifest["files"]> {
  const paths = filesIn(folder).sort();
  const total = bytesIn(folder);
  const files: Manifest["files"] = [];
  let done = 0;
  for (const path of paths) {
    const found = await digest(path);
    files.push({ path: relative(folder, path).split(sep).join("/"), ...found });
    done += found.bytes;
    report({ doing: "Reading", done, of: total });
  }
  return files;
}

/** The size of all files in a folder. */
export function bytesIn(folder: string): number {
  return filesIn(folder).reduce((sum, path) => sum + statSync(path).size, 0);
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

export interface Digest {
  bytes: number;
  sha256: string;
}

async function digest(path: string): Promise<Digest> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk);
    bytes += (chunk as Buffer).length;
  }
  return { bytes, sha256: hash.digest("hex") };
}

const compress = promisify<Uint8Array, ZlibOptions, Buffer>(gzip);
/** Its archives are 3 % larger than those of the next level, which takes a third more CPU time. */
const level = 2;
const memberBytes = 4_000_000;

/** A file that is not in the folder: packed first, as it is read, once for the archive and for its checksum. */
export interface Extra {
  path: string;
  bytes: number;
  read(): Iterable<Buffer>;
  onDigest(found: Digest): void;
}

/**
 * Writes a folder as a tar archive, compressed on all cores: as several gzip files one after another, which all programs
 * read as one. The manifest comes last, so `listed` may still read the files while they are packed. The tar library's own
 * file writing treats a short write on a full disk as complete.
 */
export async function pack(
  folder: string,
  { descriptor, listed, extra }: { descriptor: number; listed: Promise<unknown>; extra: Extra | null },
  onBytes: (done: number) => void,
): Promise<Digest> {
  const hash = createHash("sha256");
  let bytes = 0;
  const write = (member: Uint8Array) => {
    hash.update(member);
    bytes += member.length;
    for (let rest = member; rest.length > 0; ) rest = rest.subarray(writeSync(descriptor, rest));
  };
  const members: Promise<Buffer>[] = [];
  for await (const part of inParts(entriesOf(folder, { listed, extra }, onBytes), memberBytes)) {
    members.push(compress(part, { level }));
    if (members.length > availableParallelism()) write(await (members.shift() as Promise<Buffer>));
  }
  for (const member of members) write(await member);
  return { bytes, sha256: hash.digest("hex") };
}

async function* entriesOf(
  folder: string,
  { listed, extra }: { listed: Promise<unknown>; extra: Extra | null },
  onBytes: (done: number) => void,
): AsyncGenerator<Buffer> {
  try {
    if (extra) yield* entryOf(extra, onBytes);
    yield* await tarOf(folder, listed, (done) => onBytes((extra?.bytes ?? 0) + done));
  } catch (error) {
    // What goes wrong with the archive itself is not thrown here, but by who takes these entries.
    notRead((error as { path?: string }).path ?? folder, error);
  }
}

const tarBlock = 512;

async function* entryOf(
  { path, bytes, read, onDigest }: Extra,
  onBytes: (done: number) => void,
): AsyncGenerator<Buffer> {
  const { Header } = await import("tar");
  const header = new Header({ path, size: bytes, type: "File", mode: 0o600, mtime: new Date() });
  header.encode();
  if (header.block) yield header.block;
  const hash = createHash("sha256");
  let done = 0;
  for (const chunk of read()) {
    hash.update(chunk);
    done += chunk.length;
    onBytes(done);
    yield chunk;
  }
  onDigest({ bytes, sha256: hash.digest("hex") });
  yield Buffer.alloc((tarBlock - (bytes % tarBlock)) % tarBlock);
}

async function tarOf(
  folder: string,
  listed: Promise<unknown>,
  onBytes: (done: number) => void,
): Promise<AsyncIterable<Buffer>> {
  const { Pack } = await import("tar");
  let done = 0;
  const packing = new Pack({
    cwd: folder,
    portable: true,
    strict: true,
    mode: 0o600,
    onWriteEntry: (entry) => {
      done += entry.stat?.isFile() ? entry.stat.size : 0;
      onBytes(done);
    },
  });
  // Once reading has failed, nobody waits for the list, whose failure would end the process.
  packing.on("error", () => {});
  for (const name of readdirSync(folder)) if (name !== manifestFile) packing.add(name);
  listed.then(
    () => packing.add(manifestFile).end(),
    (error) => packing.emit("error", error),
  );
  return packing as AsyncIterable<Buffer>;
}

/** The same bytes in parts of a size; the last may be smaller. */
async function* inParts(chunks: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    length += chunk.length;
    if (length < size) continue;
    const all = Buffer.concat(held);
    let at = 0;
    for (; length - at >= size; at += size) yield all.subarray(at, at + size);
    held = [all.subarray(at)];
    length -= at;
  }
  if (length > 0) yield Buffer.concat(held);
}

export async function unpack(file: string, folder: string, report: Report): Promise<void> {
  const tell = (done: number, of: number) => report({ doing: "Unpacking", done, of });
  tell(0, statSync(file).size);
  const accepts = (type: string) => type === "File" || type === "Directory";
  try {
    await extractPrivately({ file, folder, accepts, tell });
  } catch (error) {
    if (diskReason(error) !== null) throw error;
    const reason = (error as Error).message.replace(/^TAR_\w+: |\.$/g, "");
    fail("BAD_REQUEST", `${file} is not a backup, or is incomplete: ${reason}.`);
  }
}

/** Throws if the disk is full, because what was written to it is then incomplete. */
export function checkRoom(folder: string): void {
  if (statfsSync(folder).bavail === 0) throw Object.assign(new Error("The disk is full"), { code: "ENOSPC" });
}
