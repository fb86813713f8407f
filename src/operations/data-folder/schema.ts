// Names of the files in a data folder, and words for errors of the disk.
export const databaseFile = "confab.db";
export const filesFolder = "files";
export const processFile = "confab.pid";
/** Exists since the organization was created. */
export const markerFile = "confab.organization";

const reasons: Record<string, string> = {
  EACCES: "no permission to write there",
  EPERM: "no permission to write there",
  EROFS: "it is on a read-only file system",
  EEXIST: "it is a file, not a folder",
  ENOTDIR: "a part of its path is a file, not a folder",
  ENOENT: "a part of its path does not exist and cannot be made",
  ENOSPC: "the disk is full",
  EDQUOT: "your disk quota is used up",
  EIO: "the disk reports errors",
  SQLITE_FULL: "the disk is full",
  SQLITE_IOERR: "the disk is full, or reports errors",
  SQLITE_CANTOPEN: "no permission to write there",
  SQLITE_READONLY: "no permission to write there",
  SQLITE_NOTADB: "its confab.db is not a database",
  SQLITE_CORRUPT: "its confab.db is damaged; restore a backup",
  SQLITE_BUSY: "another program holds its database",
};

/** Why the operating system or SQLite refused to read or write, as a clause; null for other errors. */
export function diskReason(error: unknown): string | null {
  const { code } = error as { code?: unknown };
  if (typeof code !== "string") return null;
  return reasons[code] ?? reasons[code.split("_", 2).join("_")] ?? null;
}
