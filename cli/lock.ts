// One server for a data folder: the lock belongs to the process in the kernel's eyes, so it ends with it however it ends,
// and holds between containers that share a folder, where process IDs say nothing.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fail } from "@/kernel/errors.ts";
import { holdFile, makeDataFolder } from "@/operations/data-folder/host.ts";
import { processFile } from "@/operations/data-folder/schema.ts";
import { unusable } from "./organization.ts";

const lockFile = "confab.lock";

/** Takes the folder for this process, making it where there is none; returns what gives it back. */
export function lockFolder(dataDir: string): () => void {
  try {
    makeDataFolder(dataDir);
    const release = holdFile(join(dataDir, lockFile));
    if (!release) return taken(dataDir);
    writeFileSync(join(dataDir, processFile), `${process.pid}\n`);
    return () => {
      rmSync(join(dataDir, processFile), { force: true });
      release();
    };
  } catch (error) {
    return unusable(dataDir, error);
  }
}

/** Tells other processes where on this machine the server answers that holds the folder. */
export function noteAddress(dataDir: string, address: string): void {
  writeFileSync(join(dataDir, processFile), `${process.pid}\n${address}\n`);
}

/** Where on this machine the server of the folder answers; null where none runs, or it does not answer yet. */
export function addressOf(dataDir: string): string | null {
  return isLocked(dataDir) ? (linesOfProcess(dataDir)[1] ?? null) : null;
}

function linesOfProcess(dataDir: string): string[] {
  return readFileSync(join(dataDir, processFile), "utf8").trim().split("\n");
}

/** Whether a server runs on the folder. */
export function isLocked(dataDir: string): boolean {
  // Looking takes the lock for a moment, which a server that starts just then must not meet: hence only where one was.
  if (!existsSync(join(dataDir, processFile))) return false;
  try {
    const release = holdFile(join(dataDir, lockFile));
    release?.();
    return release === null;
  } catch {
    return true;
  }
}

function taken(dataDir: string): never {
  const path = join(dataDir, processFile);
  const holder = existsSync(path) ? `process ${linesOfProcess(dataDir)[0]}` : "another process";
  fail(
    "BAD_REQUEST",
    `${holder} serves ${dataDir} already; stop it first, or name another data folder with --data. ` +
      "Other commands work beside it.",
  );
}
