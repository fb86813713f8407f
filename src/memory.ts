import { readFileSync } from "node:fs";
import { totalmem } from "node:os";
import { dirname, join } from "node:path";

const share = 1 / 8;
const limitsV2 = ["memory.max", "memory.high"];
const limitsV1 = ["memory.limit_in_bytes"];

let known: number | null = null;

/** The default limit, in bytes, for each kind of data that slow or hostile clients can make pile up in memory. */
export function shareOfMemory(): number {
  known ??= memoryThereIs() * share;
  return known;
}

/** Bytes of memory that this process may use: the machine's, or less where a container or a service's unit says so. */
export function memoryThereIs(root = "/"): number {
  const groups = textOf(join(root, "proc/self/cgroup")).split("\n");
  return Math.min(totalmem(), ...groups.flatMap((line) => limitsOf(line, root)));
}

/** A line is `0::/path` of cgroups, version 2, or `4:memory:/path` of version 1. */
function limitsOf(line: string, root: string): number[] {
  const [, id, controllers, path] = /^(\d+):([^:]*):(\/.*)$/.exec(line) ?? [];
  if (path === undefined) return [];
  const isV2 = id === "0" && controllers === "";
  if (!isV2 && !controllers?.split(",").includes("memory")) return [];
  const top = join(root, isV2 ? "sys/fs/cgroup" : "sys/fs/cgroup/memory");
  const files = isV2 ? limitsV2 : limitsV1;
  return pathsUpFrom(path).flatMap((group) => files.map((file) => numberIn(join(top, group, file))));
}

/** A group is also limited by its parents; inside a container, only the top one may be visible. */
function pathsUpFrom(path: string): string[] {
  return path === "/" ? [path] : [path, ...pathsUpFrom(dirname(path))];
}

function numberIn(file: string): number {
  const text = textOf(file).trim();
  return /^\d+$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
