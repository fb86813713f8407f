// Packs folders into compressed archives and computes checksums of their files.
import { createHash } from "node:crypto";
import { createReadStream, readdirSync, statfsSync, statSync, writeSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { extractPrivately } from "@/kernel/store/unpacking.ts";
import { notRead } from "@/operations/data-folder/host.ts";
import { diskReason } from "@/operations/data-folder/schema.ts";
import { startDeflater } from "./deflating.ts";
import { type Manifest, manifestFile, type ReportProgress } from "./schema.ts";

export async function checksums(folder: string, report: ReportProgress): Promise<Manifest["files"]> {
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

const memberBytes = 4_000_000;

/** A file that is not in the folder: packed first, as it is read, once for the archive and for its checksum. */
export interface Extra {
  path: string;
  bytes: number;
  read(): AsyncIterable<Buffer>;
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
  const deflater = startDeflater();
  try {
    const members: Promise<Uint8Array>[] = [];
    for await (const part of inParts(entriesOf(folder, { listed, extra }, onBytes), memberBytes)) {
      const member = deflater.compress(part);
      member.catch(() => {}); // if an earlier one fails, nobody waits for it
      members.push(member);
      if (members.length > deflater.width) write(await (members.shift() as Promise<Uint8Array>));
    }
    for (const member of members) write(await member);
  } finally {
    deflater.end();
  }
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
  for await (const chunk of read()) {
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

/** The same bytes in parts of a size, each in memory of its own; the last may be smaller. */
export async function* inParts(
  chunks: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let part = Buffer.allocUnsafeSlow(size);
  let length = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const copied = chunk.subarray(at, at + size - length);
      part.set(copied, length);
      at += copied.length;
      length += copied.length;
      if (length < size) continue;
      yield part;
      part = Buffer.allocUnsafeSlow(size);
      length = 0;
    }
  }
  if (length > 0) yield part.subarray(0, length);
}

export async function unpack(file: string, folder: string, report: ReportProgress): Promise<void> {
  const onProgress = (done: number, of: number) => report({ doing: "Unpacking", done, of });
  onProgress(0, statSync(file).size);
  const accepts = (type: string) => type === "File" || type === "Directory";
  try {
    await extractPrivately({ file, folder, accepts, onProgress: onProgress });
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
