import { statSync } from "node:fs";
import { basename } from "node:path";
import { fail } from "@/kernel/errors.ts";

/** A picture on this machine, which is read as an upload would be. */
export function pictureAt(path: string, mostMib: number): { path: string; name: string; size: number } {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) fail("BAD_REQUEST", `There is no file ${path}.`);
  if (stat.size > mostMib * 1_048_576) {
    fail("BAD_REQUEST", `${path} is larger than the ${mostMib} MiB that are allowed.`);
  }
  return { path, name: basename(path), size: stat.size };
}
