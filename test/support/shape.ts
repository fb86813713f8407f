// What files of domains may export and call, depending on their names: where permissions are checked, where transactions are
// passed, where writing is allowed.
import type { SourceFile } from "./source-tree.ts";

const actionsFile = /\/actions(-[a-z-]+)?\.ts$/;
const txFile = /\/tx(-[a-z-]+)?\.ts$/;
const storeFile = /\/store(-[a-z-]+)?\.ts$/;

/** The files of folders in the storeys above the kernel. */
function domainFiles(tree: readonly SourceFile[]): SourceFile[] {
  return tree.filter(({ path }) => /^src\/(?!kernel\/)[^/]+\/[^/]+\//.test(path));
}

/** Everything except types that actions files export, as "path: line". */
export function exportsOfActions(tree: readonly SourceFile[]): string[] {
  return domainFiles(tree)
    .filter(({ path }) => actionsFile.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^export (?!type\b|interface\b).*$/gm)].map(([line]) => `${path}: ${line}`),
    );
}

/** Exports of actions files that are not made by `action()` or `operation()`. */
export function unguarded(tree: readonly SourceFile[]): string[] {
  return exportsOfActions(tree).filter(
    (line) => !/: export const \w+ = (action|operation)(<[^(]*>)?\(/.test(line),
  );
}

/** Exported functions that take a transaction, as "path: name". */
export function inTransaction(tree: readonly SourceFile[]): string[] {
  const heads = [
    /^export (?:async )?function\*? (\w+)(?:<[^\n]*>)?\(([\s\S]*?)\)(?::| \{)/gm,
    /^export const (\w+) = (?:async )?\(([\s\S]*?)\)(?::| =>)/gm,
  ];
  return domainFiles(tree).flatMap(({ path, text }) =>
    heads
      .flatMap((head) => [...text.matchAll(head)])
      .filter(([, , parameters = ""]) => /: Tx\b/.test(parameters))
      .map(([, name]) => `${path}: ${name}`),
  );
}

/** Exported functions that take a transaction and are neither in a tx file nor in a store. */
export function bareTransactions(tree: readonly SourceFile[]): string[] {
  return inTransaction(tree).filter((line) => {
    const [path = ""] = line.split(": ");
    return !txFile.test(path) && !storeFile.test(path);
  });
}

/** Calls that begin a transaction outside the kernel: `action()` does this and checks the permission in it. */
export function ownTransactions(tree: readonly SourceFile[]): string[] {
  return domainFiles(tree)
    .filter(({ text }) => /\bdb\.write\(/.test(text))
    .map(({ path }) => path);
}

/** Paths of files that make queries. */
export function queryMakers(tree: readonly SourceFile[]): string[] {
  return domainFiles(tree)
    .filter(({ text }) => /= query\b/.test(text))
    .map(({ path }) => path);
}

/** Paths from files with queries to code that writes: in the file itself, or in its imports. */
export function writingQueries(tree: readonly SourceFile[]): string[] {
  const byPath = new Map(domainFiles(tree).map((file) => [file.path, file]));
  const writes = /= (action|operation)\b|\bdb\.write\(|\btx\b/;
  const waysFrom = (path: string, way: readonly string[]): string[] => {
    const file = byPath.get(path);
    if (!file || way.includes(path)) return [];
    const here = [...way, path];
    const isFirst = way.length === 0;
    if (txFile.test(path) || actionsFile.test(path) || (isFirst && writes.test(file.text)))
      return [here.join(" → ")];
    if (storeFile.test(path)) return [];
    return file.imports
      .filter(({ typeOnly }) => isFirst || !typeOnly)
      .flatMap(({ to }) => waysFrom(to, here));
  };
  return queryMakers(tree).flatMap((path) => waysFrom(path, []));
}

/** The permissions of the actions and operations in files whose functions are jobs, as "path: permission". */
export function permissionsOfJobs(tree: readonly SourceFile[]): string[] {
  const domains = domainFiles(tree);
  const jobFiles = domains.flatMap(({ path, text, imports }) => {
    const [, list = ""] = /\bjobs: \[([\s\S]*?)\]/.exec(text) ?? [];
    if (!path.endsWith("/api.ts")) return [];
    const names = [...list.matchAll(/run: (\w+)|^\s*(\w+)\s*,?\s*$/gm)].map(
      ([, run, job]) => run ?? job ?? "",
    );
    return imports.flatMap(({ to }) =>
      domains.filter((file) => file.path === to && declaresAny(file, names)),
    );
  });
  return [...new Set(jobFiles)]
    .filter(({ path }) => !actionsFile.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/= (?:action|operation)\(\s*([\w.]+)/g)].map(([, name]) => `${path}: ${name}`),
    );
}

function declaresAny({ text }: SourceFile, names: readonly string[]): boolean {
  return names.some((name) =>
    new RegExp(`^export (async function|function|const) ${name}\\b`, "m").test(text),
  );
}

/** Re-exports, as "path: line"; the module that stands for zod has to re-export it. */
export function reExports(tree: readonly SourceFile[]): string[] {
  const forms = /^export (?:type )?(?:\{[^}]*\}|\*[^"]*) from "[^"]+";$/gm;
  return tree
    .filter(({ path }) => !path.startsWith("src/web/") && path !== "src/kernel/lib/zod.ts")
    .flatMap(({ path, text }) => [...text.matchAll(forms)].map(([line]) => `${path}: ${line}`));
}
