// What files of domains may export and call, depending on their names: where permissions are checked, where transactions are
// passed, where writing is allowed.
import type { SourceFile } from "./source-tree.ts";

const actionsFile = /\/actions(-[a-z-]+)?\.ts$/;
const storeFile = /\/store(-[a-z-]+)?\.ts$/;

/** The files of folders in the storeys above the kernel. */
function domainFiles(tree: readonly SourceFile[]): SourceFile[] {
  return tree.filter(({ path }) => /^src\/(?!kernel\/)[^/]+\/[^/]+\//.test(path));
}

/** The exports of actions files that are neither types nor parts of a transaction, as "path: line". */
export function exportsOfActions(tree: readonly SourceFile[]): string[] {
  return domainFiles(tree)
    .filter(({ path }) => actionsFile.test(path))
    .flatMap(({ path, text }) => {
      const parts = new Set(partsIn(text));
      return [...text.matchAll(/^export (?!type\b|interface\b)(?:function\*? (\w+)\b)?.*$/gm)]
        .filter(([, name]) => name === undefined || !parts.has(name))
        .map(([line]) => `${path}: ${line}`);
    });
}

/** The functions of actions files that record to the audit log, in their own text or by a function of their file: "path name". */
export function recorders(tree: readonly SourceFile[]): string[] {
  return domainFiles(tree)
    .filter(({ path }) => actionsFile.test(path))
    .flatMap(({ path, text }) => {
      const heads = [...text.matchAll(/^(?:export )?(?:const|(?:async )?function\*?) (\w+)/gm)];
      const declared = heads.map(({ 1: name = "", index }, i) => ({
        name,
        text: text.slice(index, heads[i + 1]?.index),
      }));
      const found = new Set(["recordAudit"]);
      for (let before = 0; before < found.size; ) {
        before = found.size;
        const calls = new RegExp(`\\b(${[...found].join("|")})\\(`);
        for (const one of declared) if (calls.test(one.text)) found.add(one.name);
      }
      return [...found].filter((name) => name !== "recordAudit").map((name) => `${path} ${name}`);
    });
}

/** Exports of actions files that are neither parts of a transaction nor made by `action()` or `operation()`. */
export function unguarded(tree: readonly SourceFile[]): string[] {
  return exportsOfActions(tree).filter(
    (line) => !/: export const \w+ = (action|operation)(<[^(]*>)?\(/.test(line),
  );
}

/**
 * The names of a file's parts of a transaction: exported functions whose first parameter is one. They check no permission,
 * since only the body of an action has a transaction to give them.
 */
function partsIn(text: string): string[] {
  const heads = /^export function\*? (\w+)(?:<[^(]*>)?\(\s*tx: Tx\b/gm;
  return [...text.matchAll(heads)].map(([, name = ""]) => name);
}

/** Imports of parts of a transaction by files outside of the domains, which may only call guarded actions. */
export function strayParts(tree: readonly SourceFile[]): string[] {
  const domains = domainFiles(tree);
  const parts = new Map(domains.map(({ path, text }) => [path, new Set(partsIn(text))]));
  const inside = new Set(domains.map(({ path }) => path));
  return tree
    .filter(({ path }) => !inside.has(path))
    .flatMap(({ path, text, imports }) =>
      imports.flatMap(({ to, names }) => {
        const isNamed = (name: string) =>
          names.includes(name) || (names.includes("*") && new RegExp(`\\b${name}\\b`).test(text));
        return [...(parts.get(to) ?? [])].filter(isNamed).map((name) => `${path} → ${to}: ${name}`);
      }),
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

/** Exported functions that take a transaction outside of actions, their parts and stores. */
export function bareTransactions(tree: readonly SourceFile[]): string[] {
  return inTransaction(tree).filter((line) => {
    const [path = ""] = line.split(": ");
    return !actionsFile.test(path) && !storeFile.test(path);
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
    if (actionsFile.test(path) || (isFirst && writes.test(file.text))) return [here.join(" → ")];
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
