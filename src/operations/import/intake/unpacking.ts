// Unpacks an archive, after checking the paths, sizes and types of its members.
import { isUtf8 } from "node:buffer";
import {
  constants,
  createReadStream,
  createWriteStream,
  type Dirent,
  existsSync,
  mkdirSync,
  readdirSync,
  statfsSync,
  statSync,
} from "node:fs";
import { copyFile } from "node:fs/promises";
import { dirname, join, posix, relative, sep } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Entry, ZipFile } from "yauzl";
import { AppError, failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { extractPrivately } from "@/kernel/store/unpacking.ts";
import { notRead } from "@/operations/data-folder/host.ts";
import { diskFault, diskReason } from "@/operations/data-folder/schema.ts";
import type { OnProgress } from "@/operations/import/schema.ts";

const mib = 1_048_576;
const maxMembers = 5_000_000;
const maxMember = 10_240 * mib;
/** Text compresses to a tenth or twentieth; a large archive that compresses to less than a hundredth is an attack. */
const maxRatio = 100;
const harmlessSize = 256 * mib;

/** An archive member, as listed in the archive's directory. */
interface Member {
  path: string;
  size: number;
  isFile: boolean;
  isFolder: boolean;
}

/** The path of a member as exports name it elsewhere: composed, also if it was packed on a Mac. */
const normalizePath = (path: string) => posix.normalize(path.replaceAll("\\", "/")).normalize("NFC");

/** Where members are unpacked to: those that have the path of an earlier one get another, and so are named as not read. */
class Places {
  private readonly taken = new Set<string>();

  of(path: string): string {
    let place = path;
    for (let nth = 2; this.taken.has(place); nth++) place = `${path} (${nth})`;
    this.taken.add(place);
    return place;
  }
}

/** Checks members one by one; throws at the first that must not be unpacked. */
class Gate {
  private bytes = 0;
  private members = 0;
  private readonly places = new Places();

  constructor(
    private readonly packed: number,
    readonly folder: string,
  ) {}

  /** The path to unpack a member to; null for folders. */
  admit({ path, size, isFile, isFolder }: Member): string | null {
    const shown = JSON.stringify(path.slice(0, 200));
    const clean = normalizePath(path);
    if (
      clean.startsWith("../") ||
      clean === ".." ||
      clean.startsWith("/") ||
      /^[a-z]:/i.test(clean) ||
      path.includes("\0")
    ) {
      refuse(`its member ${shown} leads outside the folder that it is unpacked to`);
    }
    if (!isFile && !isFolder) refuse(`its member ${shown} is neither a file nor a folder`);
    if (size > maxMember) refuse(`its member ${shown} is larger than ${maxMember / mib / 1024} GiB`);
    if (++this.members > maxMembers) refuse(`it has more than ${maxMembers} members`);
    this.bytes += size;
    if (this.bytes > harmlessSize && this.bytes > this.packed * maxRatio) {
      refuse(`it unpacks to more than ${maxRatio} times its size`);
    }
    return isFile ? join(this.folder, this.places.of(clean)) : null;
  }

  /** Throws if the disk is too full for the admitted members. */
  checkRoom(): void {
    const { bavail, bsize } = statfsSync(this.folder);
    if (this.bytes > bavail * bsize) {
      fail(
        "BAD_REQUEST",
        `The export unpacks to ${Math.ceil(this.bytes / mib)} MiB, and the disk has only ` +
          `${Math.floor((bavail * bsize) / mib)} MiB left.`,
      );
    }
  }
}

class Refused extends Error {}

function refuse(reason: string): never {
  throw new Refused(reason);
}

/**
 * Unpacks a zip archive or a tar archive, compressed or not, into an empty folder, or copies the folder of one that is unpacked. Returns
 * the paths of what cannot be copied.
 */
export async function unpackExport(file: string, folder: string, onProgress: OnProgress): Promise<string[]> {
  if (!existsSync(file)) fail("BAD_REQUEST", `There is no file ${file}.`);
  const found = statSync(file);
  const gate = new Gate(found.isDirectory() ? Number.POSITIVE_INFINITY : found.size, folder);
  try {
    if (found.isDirectory()) return await copyUnpacked(file, gate, onProgress);
    if (await isZip(file)) await unzip(file, gate, onProgress);
    else await untar(file, gate, onProgress);
    return [];
  } catch (error) {
    if (error instanceof AppError || diskFault(error) !== null) throw error;
    if (diskReason(error) !== null) notRead(pathOf(error) ?? file, error);
    const reason = (error as Error).message.replace(/^TAR_\w+: |\.$/g, "");
    fail("BAD_REQUEST", `${file} cannot be imported: ${reason}.`);
  }
}

/** The path that the operating system refused. */
export function pathOf(error: unknown): string | undefined {
  return (error as { path?: string }).path;
}

/** What is in a folder, and in folders in it, except the folders. */
export function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? entriesIn(join(folder, entry.name)) : [entry],
    );
  } catch (error) {
    return notRead(folder, error);
  }
}

/** Copies files, because the organization's own must not change with those of the export. */
async function copyUnpacked(from: string, gate: Gate, onProgress: OnProgress): Promise<string[]> {
  const left: string[] = [];
  const files: [source: string, target: string][] = [];
  for (const entry of entriesIn(from)) {
    const source = join(entry.parentPath, entry.name);
    const path = relative(from, source).split(sep).join("/");
    const target = entry.isFile()
      ? gate.admit({ path, size: statSync(source).size, isFile: true, isFolder: false })
      : null;
    if (target === null) left.push(path);
    else files.push([source, target]);
  }
  gate.checkRoom();
  for (const [index, [source, target]] of files.entries()) {
    onProgress("Copying", index, files.length);
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    await copyFile(source, target, constants.COPYFILE_FICLONE);
  }
  return left;
}

async function isZip(file: string): Promise<boolean> {
  for await (const chunk of createReadStream(file, { end: 3 }))
    return (chunk as Buffer).toString("latin1").startsWith("PK");
  return false;
}

async function unzip(file: string, gate: Gate, onProgress: OnProgress): Promise<void> {
  const { openPromise } = await import("yauzl");
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false });
  try {
    const entries: [Entry, string][] = [];
    for await (const entry of zip.eachEntry()) {
      if (entry.isEncrypted()) refuse(`its member ${JSON.stringify(entry.fileName)} is encrypted`);
      const path = gate.admit(memberOf(entry));
      if (path !== null) entries.push([entry, path]);
    }
    gate.checkRoom();
    for (const [index, [entry, path]] of entries.entries()) {
      onProgress("Unpacking", index, entries.length);
      await unzipMember(zip, entry, path);
    }
  } finally {
    zip.close();
  }
}

const [unixKind, unixFile, unixFolder] = [0xf000, 0x8000, 0x4000];

/** Many programs write names in UTF-8 without saying so; the standard's code page of 1981 would garble them. */
function nameOf({ fileName, fileNameRaw, generalPurposeBitFlag, extraFields }: Entry): string {
  const declaresUtf8 =
    (generalPurposeBitFlag & utf8Flag) !== 0 || extraFields.some(({ id }) => id === unicodePath);
  return declaresUtf8 || !isUtf8(fileNameRaw) ? fileName : fileNameRaw.toString("utf8");
}

const utf8Flag = 0x800;
const unicodePath = 0x7075;

function memberOf(entry: Entry): Member {
  const { uncompressedSize, externalFileAttributes, versionMadeBy } = entry;
  const fileName = nameOf(entry);
  const kind = versionMadeBy >> 8 === 3 ? (externalFileAttributes >>> 16) & unixKind : 0;
  const isFolder = fileName.endsWith("/");
  return {
    path: fileName,
    size: uncompressedSize,
    isFile: !isFolder && (kind === 0 || kind === unixFile),
    isFolder: isFolder && (kind === 0 || kind === unixFolder),
  };
}

/** The library throws if a member is longer or shorter than the directory says. */
async function unzipMember(zip: ZipFile, entry: Entry, path: string): Promise<void> {
  const stream = await zip.openReadStreamPromise(entry);
  await keep(stream, path);
}

async function keep(stream: Readable, path: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  await pipeline(stream, createWriteStream(path, { mode: 0o600 }));
}

/** Reads the archive twice, so that all members are checked before the first is unpacked. */
async function untar(file: string, gate: Gate, onProgress: OnProgress): Promise<void> {
  await admitAll(file, gate);
  gate.checkRoom();
  const places = new Places();
  await extractPrivately({
    file,
    folder: gate.folder,
    accepts: () => true,
    placeOf: (path) => places.of(normalizePath(path)),
    onProgress: (done, of) => onProgress("Unpacking", done, of),
  });
}

async function admitAll(file: string, gate: Gate): Promise<void> {
  const { Parser } = await import("tar");
  const source = createReadStream(file);
  await new Promise<void>((resolve, reject) => {
    const stop = (error: unknown) => {
      source.destroy();
      reject(error);
    };
    const parser = new Parser({
      strict: true,
      onReadEntry: (entry) => {
        const isFolder = entry.type === "Directory";
        const isFile = entry.type === "File" || entry.type === "OldFile";
        try {
          gate.admit({ path: entry.path, size: entry.size, isFile, isFolder });
          entry.resume();
        } catch (error) {
          stop(error);
        }
      },
    });
    parser.on("error", stop);
    parser.on("end", () => resolve());
    source.on("error", stop);
    source.on("data", (chunk) => {
      if (!parser.write(chunk as Buffer)) source.pause();
    });
    parser.on("drain", () => source.resume());
    source.on("end", () => parser.end());
  });
}
