// Allows only one server per data folder. The operating system holds the lock for the process, so it ends with the
// process, however that ends. It also works between containers that share a folder, where process IDs mean nothing.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import {
  endBeginning,
  holdFile,
  makeDataFolder,
  noteBeginning,
  writePrivately,
} from "@/operations/data-folder/host.ts";
import { isLeftVacant } from "@/operations/data-folder/queries.ts";
import { processFile } from "@/operations/data-folder/schema.ts";
import { unusable } from "./organization.ts";

const lockFile = "confab.lock";

/**
 * Locks the folder for this process, creating it if necessary; returns the function that unlocks it. Until an organization is
 * complete there, a folder whose process is killed at any moment stays usable (docs/decisions/lost-database.md).
 */
export function lockFolder(dataDir: string): () => void {
  try {
    makeDataFolder(dataDir);
    const release = holdFile(join(dataDir, lockFile));
    if (!release) return refuseTaken(dataDir);
    // Before the process ID, which in a folder without a database tells of a lost one.
    noteBeginning(dataDir);
    writeFileSync(join(dataDir, processFile), `${process.pid}\n`);
    return () => {
      rmSync(join(dataDir, processFile), { force: true });
      if (isLeftVacant(dataDir)) endBeginning(dataDir);
      release();
    };
  } catch (error) {
    return unusable(dataDir, error);
  }
}

/** What a server records about itself in the folder, for other processes. */
interface Noted {
  /** Its local address. */
  address: string;
  /** Addresses that seem to be reverse proxies which it does not trust. */
  proxies: readonly string[];
}

export function noteServer(dataDir: string, { address, proxies }: Noted): void {
  writePrivately(join(dataDir, processFile), [process.pid, address, ...proxies, ""].join("\n"));
}

/** The proxies that the folder's running server has noticed and does not trust. */
export function listUnlistedProxies(dataDir: string): string[] {
  return isLocked(dataDir) ? linesOfProcess(dataDir).slice(2) : [];
}

/** The local address of the folder's server, or null if it does not run or does not accept connections yet. */
export function addressOf(dataDir: string): string | null {
  return isLocked(dataDir) ? (linesOfProcess(dataDir)[1] ?? null) : null;
}

/** The ID of the process that serves a folder; null if none does. */
export function processOf(dataDir: string): number | null {
  return isLocked(dataDir) ? Number(linesOfProcess(dataDir)[0]) : null;
}

function linesOfProcess(dataDir: string): string[] {
  return readFileSync(join(dataDir, processFile), "utf8").trim().split("\n");
}

export function isLocked(dataDir: string): boolean {
  // Testing takes the lock for a moment, and a server that starts just then would fail. So test only if there has been
  // a server.
  if (!existsSync(join(dataDir, processFile))) return false;
  try {
    const release = holdFile(join(dataDir, lockFile));
    release?.();
    return release === null;
  } catch {
    return true;
  }
}

function refuseTaken(dataDir: string): never {
  const path = join(dataDir, processFile);
  const holder = existsSync(path) ? `process ${linesOfProcess(dataDir)[0]}` : "another process";
  fail(
    "BAD_REQUEST",
    `${holder} serves ${dataDir} already; stop it first, or name another data folder with --data. ` +
      "Other commands work while it runs.",
  );
}
