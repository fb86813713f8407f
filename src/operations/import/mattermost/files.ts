import type { UnpackedFiles } from "@/operations/import/intake/contents.ts";

/** The file at a path, which is relative to the archive's `data` folder. */
export function findAttached(contents: UnpackedFiles, path: string): string | null {
  if (path === "") return null;
  return (contents.has("data") ? contents.below("data").file(path) : null) ?? contents.file(path);
}
