import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileIn } from "@/operations/import/intake/checking.ts";

/** The file at a path, which is relative to the archive's `data` folder. */
export function attached(folder: string, path: string): string | null {
  if (path === "") return null;
  const data = join(folder, "data");
  return (existsSync(data) ? fileIn(data, path) : null) ?? fileIn(folder, path);
}
