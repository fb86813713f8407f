// The project's files and their imports, for the tests of the layout.
import { posix } from "node:path";
import { Glob } from "bun";

export const root = posix.resolve(import.meta.dir, "../..");

export interface Import {
  /** The path of one of our files, with its extension, or the name of an imported package. */
  to: string;
  typeOnly: boolean;
  /** What the file exports under these names; "*" stands for all of it. */
  names: string[];
}

export interface SourceFile {
  path: string;
  text: string;
  lines: number;
  imports: Import[];
}

const statement =
  /\b(?:(?:import|export)\s+(type\s+)?(?:([\w*{}\s,$]+?)\s+from\s+)?|import\()["']([^"'\n]+)["']/g;

/** Reads all TypeScript files of `folders`. */
export async function sourceTree(...folders: string[]): Promise<SourceFile[]> {
  const paths = [...new Glob(`{${folders.join(",")}}/**/*.{ts,tsx}`).scanSync(root)].sort();
  const texts = await Promise.all(paths.map(async (path) => [path, await textOf(path)] as const));
  return treeOf(Object.fromEntries(texts));
}

/** As `sourceTree`, for files given as text, keyed by path. */
export function treeOf(texts: Record<string, string>): SourceFile[] {
  return Object.entries(texts).map(([path, text]) => ({
    path,
    text,
    lines: text.trimEnd().split("\n").length,
    imports: [...text.matchAll(statement)].map(([, type, names = "", to = ""]) => ({
      to: resolved(path, to, texts),
      typeOnly: type !== undefined || /^\{(\s*type\s+[^,]+,?)+\s*\}$/.test(names),
      names: namesIn(names),
    })),
  }));
}

/** The exported names in the clause of an import, such as "a" and "b" of `{ a, type b as c }`. */
function namesIn(clause: string): string[] {
  if (!clause.includes("{")) return ["*"];
  const listed = clause.replace(/^[^{]*\{|\}[^}]*$/g, "").split(",");
  return listed.map((one) => one.trim().replace(/^type |\sas .*/g, "")).filter((name) => name !== "");
}

/** Returns the text of a file; empty if it does not exist. */
export async function textOf(path: string): Promise<string> {
  const file = Bun.file(posix.join(root, path));
  return (await file.exists()) ? file.text() : "";
}

/** Turns "@/kernel/db" and "./db.ts" into "src/kernel/store/db.ts"; a package keeps its name. */
function resolved(from: string, to: string, texts: Record<string, string>): string {
  const alias = to.replace(/^@\//, "src/").replace(/^@(cli|console)\//, "$1/");
  const path = to.startsWith(".") ? posix.join(posix.dirname(from), to) : alias;
  return [path, `${path}.ts`, `${path}.tsx`].find((candidate) => candidate in texts) ?? path;
}
