// The files of an unpacked export. Notes which of them are read, so that the report can name the others.
import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import type { z } from "zod";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { isInside } from "@/operations/data-folder/schema.ts";
import { readJson, readLines } from "./checking.ts";

/** More are named by their folders. */
const maxNamed = 1000;

/** Paths are relative to the folder, with slashes; the unpacked files have composed names. */
export class UnpackedFiles {
  constructor(
    private readonly root: string,
    private readonly folder = root,
    private readonly read: Set<string> = new Set(),
  ) {}

  /** The folder that contains a file: this one, or a folder directly in it. */
  with(file: string): UnpackedFiles {
    if (this.has(file)) return this;
    const below = readdirSync(this.folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const found = below.map(({ name }) => this.below(name)).find((one) => one.has(file));
    return found ?? fail("BAD_REQUEST", `This is not an export of this kind: it has no ${file}.`);
  }

  below(name: string): UnpackedFiles {
    return new UnpackedFiles(this.root, join(this.folder, name.normalize("NFC")), this.read);
  }

  has(path: string): boolean {
    return existsSync(join(this.folder, path.normalize("NFC")));
  }

  /** The names of the files that are directly in a folder, sorted; none if there is no such folder. */
  namesIn(folder: string): string[] {
    const path = join(this.folder, folder.normalize("NFC"));
    if (!existsSync(path) || !statSync(path).isDirectory()) return [];
    const entries = readdirSync(path, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort();
  }

  /**
   * The file at a path that the export names, which counts as read; null if it does not exist. Throws if the path leads outside the
   * export.
   */
  file(path: string): string | null {
    const full = resolve(this.folder, path.normalize("NFC").replaceAll("\\", "/").replace(/^\/+/, ""));
    if (!isInside(this.folder, full)) {
      fail("BAD_REQUEST", `The export names a file outside itself: ${JSON.stringify(path.slice(0, 200))}.`);
    }
    if (!existsSync(full) || !statSync(full).isFile()) return null;
    if (!isInside(realpathSync(this.folder), realpathSync(full))) return null;
    this.read.add(full);
    return full;
  }

  /** Parses and checks a JSON file; null if it does not exist. */
  json<T>(path: string, rule: z.ZodType<T>): T | null {
    const full = join(this.folder, path.normalize("NFC"));
    this.read.add(full);
    return readJson(full, rule);
  }

  /** The lines of a file, parsed as JSON, with their numbers. */
  lines(path: string): AsyncGenerator<{ line: number; value: unknown }> {
    const full = join(this.folder, path.normalize("NFC"));
    this.read.add(full);
    return readLines(full);
  }

  /** The paths of all files of the export that were not read; of very many, their folders with how many are there, up to a number. */
  unread(): string[] {
    const left = readdirSync(this.root, { withFileTypes: true, recursive: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !this.read.has(path))
      .map((path) => relative(this.root, path).split(sep).join("/"));
    return nameFiles(left);
  }
}

function nameFiles(paths: string[]): string[] {
  if (paths.length <= maxNamed) return paths.sort();
  const folders = Map.groupBy(paths, (path) => path.split("/").slice(0, -1).slice(0, 2).join("/"));
  const entries = [...folders]
    .flatMap(([folder, files]) => (folder === "" ? files : [`${folder}/ (${files.length} files)`]))
    .sort();
  const more = entries.length - maxNamed;
  return [...entries.slice(0, maxNamed), ...(more > 0 ? [`and ${more} more files and folders`] : [])];
}
