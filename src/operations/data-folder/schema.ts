// Names of the files in a data folder, words for errors of the disk, and whether a path is in a folder.
import { basename, dirname, join, relative, resolve, sep } from "node:path";

export const databaseFile = "confab.db";
export const filesFolder = "files";
export const processFile = "confab.pid";
/** Exists since the organization was created. */
export const markerFile = "confab.organization";
/** Exists from the first process that may create an organization until its owner has received the key. */
export const beginningFile = "confab.beginning";

/** Notes about an organization's past, which exist only where there has been one. */
export const noteFiles = ["confab.backed-up", "confab.history"];

export type Unfinished = "backup" | "restore" | "snapshot" | "join" | "sample";
export const unfinished: readonly Unfinished[] = ["backup", "restore", "snapshot", "join", "sample"];

/** How the paths of folders for unfinished work begin. A restore's is next to the data folder that it becomes, the others are in it. */
export function stagingStart(what: Unfinished, dataDir: string): string {
  const path = resolve(dataDir);
  return what === "restore" ? join(dirname(path), `restore-${basename(path)}-`) : join(path, `${what}-`);
}

const reasons: Record<string, string> = {
  EACCES: "no permission to write there",
  EPERM: "no permission to write there",
  EROFS: "it is on a read-only file system",
  EEXIST: "it is a file, not a folder",
  ENOTDIR: "a part of its path is a file, not a folder",
  ENOENT: "a part of its path does not exist and cannot be made",
  ENOSPC: "the disk is full",
  EDQUOT: "your disk quota is used up",
  EFBIG: "the file would be larger than is allowed there",
  ENAMETOOLONG: "a name in its path is too long",
  ELOOP: "its path leads in a circle of links",
  EISDIR: "it is a folder, not a file",
  EFAULT: "its path cannot be used",
  ETXTBSY: "another program is running it",
  EBUSY: "another program uses it",
  ESTALE: "the network file system no longer has it",
  ETIMEDOUT: "the network file system does not answer",
  EIO: "the disk reports errors",
  SQLITE_FULL: "the disk is full",
  SQLITE_IOERR: "the disk is full, or reports errors",
  SQLITE_CANTOPEN: "no permission to write there",
  SQLITE_READONLY: "no permission to write there",
  SQLITE_NOTADB: "its confab.db is not a database",
  SQLITE_CORRUPT: "its confab.db is damaged; restore a backup",
  SQLITE_BUSY: "another program holds its database",
};

const readingReasons: Record<string, string> = {
  EACCES: "no permission to read it",
  EPERM: "no permission to read it",
  ENOENT: "it does not exist",
  ENOTDIR: "a part of its path is a file, not a folder",
  SQLITE_CANTOPEN: "no permission to read it",
};

const faults: ReadonlySet<string> = new Set([
  ...["ENOSPC", "EDQUOT", "EROFS", "EIO", "ESTALE"],
  ...["SQLITE_FULL", "SQLITE_IOERR"],
]);

/** As `diskReason`, for errors that tell of the disk itself and never of a mistake in a program; null for others. */
export function diskFault(error: unknown): string | null {
  const { code } = error as { code?: unknown };
  const isOne = typeof code === "string" && (faults.has(code) || faults.has(code.split("_", 2).join("_")));
  return isOne ? diskReason(error) : null;
}

/** As `diskReason`, for a file that is only read. */
export function readingReason(error: unknown): string | null {
  const { code } = error as { code?: unknown };
  return (typeof code === "string" && readingReasons[code]) || diskReason(error);
}

/** Why the operating system or SQLite refused to read or write, as a clause; null for other errors. */
export function diskReason(error: unknown): string | null {
  const { code } = error as { code?: unknown };
  if (typeof code !== "string") return null;
  return reasons[code] ?? reasons[code.split("_", 2).join("_")] ?? null;
}

/** Whether a path is a folder or in it; both are full paths. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`);
}
