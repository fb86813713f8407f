import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fail } from "@/kernel/errors.ts";

/** Throws unless a file may be written there. */
export function checkTarget(file: string, overwrite: boolean): void {
  if (existsSync(file) && !overwrite)
    fail("BAD_REQUEST", `${file} exists already; name another file, or add --yes.`);
  const folder = dirname(resolve(file));
  if (!existsSync(folder)) fail("BAD_REQUEST", `There is no folder ${folder}.`);
}
