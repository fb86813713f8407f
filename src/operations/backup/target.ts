import { existsSync, openSync, rmSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fail } from "@/kernel/errors.ts";
import { diskReason } from "@/operations/data-folder/schema.ts";

/** Throws unless a file may be written there. */
export function checkTarget(file: string, overwrite: boolean): void {
  if (file === "-") fail("BAD_REQUEST", "Name a file: this is not written to standard output.");
  if (existsSync(file) && statSync(file).isDirectory())
    fail("BAD_REQUEST", `${file} is a folder; name a file in it.`);
  if (existsSync(file) && !overwrite)
    fail("BAD_REQUEST", `${file} exists already; name another file, or add --yes.`);
  const folder = dirname(resolve(file));
  if (!existsSync(folder)) fail("BAD_REQUEST", `There is no folder ${folder}.`);
}

/** Throws the error of writing to a place, worded where the disk is to blame; `what` begins the sentence. */
export function notWritten(what: string, error: unknown): never {
  const reason = diskReason(error);
  if (reason === null) throw error;
  fail("BAD_REQUEST", `${what} cannot be written: ${reason}.`);
}

/** Opens a new file that nobody else reads, in the place of what somebody may have put there. */
export function openPrivate(file: string): number {
  rmSync(file, { force: true });
  return openSync(file, "wx", 0o600);
}
