import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { databaseFile, filesFolder, markerFile, processFile } from "./schema.ts";

const markerText =
  "An organization of Confab lies in this folder. This file tells Confab so if the database is ever missing: keep it.\n";

/** Notes that a folder holds an organization. */
export function markFolder(dataDir: string): void {
  const marker = join(dataDir, markerFile);
  if (!existsSync(marker)) writeFileSync(marker, markerText, { mode: 0o600 });
}

const leftBehind = [
  databaseFile,
  `${databaseFile}-wal`,
  `${databaseFile}-shm`,
  filesFolder,
  markerFile,
  processFile,
];

/** Moves what a lost organization left into a folder of its own; returns that folder's name. */
export function putAside(dataDir: string, now: Date): string {
  const name = `former-${now.toISOString().replace(/\..*/, "").replaceAll(":", "")}`;
  mkdirSync(join(dataDir, name), { mode: 0o700 });
  for (const entry of leftBehind) {
    if (existsSync(join(dataDir, entry))) renameSync(join(dataDir, entry), join(dataDir, name, entry));
  }
  return name;
}
