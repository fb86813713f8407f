import { statSync } from "node:fs";
import { basename } from "node:path";
import { fail } from "@/kernel/errors.ts";

/** A picture file on this machine, in the form in which uploads are passed on. */
export function pictureAt(path: string, maxMib: number): { path: string; name: string; size: number } {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) fail("BAD_REQUEST", `There is no file ${path}.`);
  if (stat.size > maxMib * 1_048_576) {
    fail("BAD_REQUEST", `${path} is larger than the maximum of ${maxMib} MiB.`);
  }
  return { path, name: basename(path), size: stat.size };
}
