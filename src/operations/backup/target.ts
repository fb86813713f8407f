import { existsSync, openSync, rmSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fail } from "@/kernel/errors.ts";
import { diskReason } from "@/operations/data-folder/schema.ts";

/** Throws unless a file can be written to this path. */
export function checkTarget(file: string, overwrite: boolean): void {
  if (file === "-") fail("BAD_REQUEST", "Name a file: this command cannot write to standard output.");
  if (existsSync(file) && statSync(file).isDirectory())
    fail("BAD_REQUEST", `${file} is a folder; name a file in it.`);
  if (existsSync(file) && !overwrite)
    fail("BAD_REQUEST", `${file} already exists; name another file, or add --yes.`);
  const folder = dirname(resolve(file));
  if (!existsSync(folder)) fail("BAD_REQUEST", `There is no folder ${folder}.`);
}

/** Throws an error of writing, worded if the disk caused it; `what` begins the sentence. */
export function notWritten(what: string, error: unknown): never {
  const reason = diskReason(error);
  if (reason === null) throw error;
  fail("BAD_REQUEST", `${what} cannot be written: ${reason}.`);
}

/** Creates a file that only the current user can read, replacing any that exists. */
export function openPrivate(file: string): number {
  rmSync(file, { force: true });
  return openSync(file, "wx", 0o600);
}
