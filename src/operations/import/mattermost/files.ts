import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileIn } from "@/operations/import/intake/checking.ts";

/** Paths are written from the archive's `data` folder on. */
export function attached(folder: string, path: string): string | null {
  if (path === "") return null;
  const data = join(folder, "data");
  return (existsSync(data) ? fileIn(data, path) : null) ?? fileIn(folder, path);
}
