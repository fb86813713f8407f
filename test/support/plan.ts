// The storeys and layers, and functions that find violations in a tree of files.
import { dirname } from "node:path";
import type { SourceFile } from "./source-tree.ts";

/** The folders of `src`, lowest first. Each file imports from its own storey and lower ones. */
export const storeys = [
  "kernel/lib",
  "kernel/core",
  "kernel/store",
  "kernel/events",
  "kernel/http",
  "text",
  "foundation",
  "places",
  "messaging",
  "personal",
  "outside",
  "operations",
] as const;

/** The layers, lowest first: a file imports only from its own layer and lower ones, in any folder. */
export const layers = ["schema", "store", "access", "queries", "actions", "api"] as const;

/** The folders of `src/web`, lowest first. Each file imports from its own and lower ones; the pages' first files are above them. */
export const webLayers = ["lib", "state", "api", "ui", "features", "shell"] as const;

/** Files that other folders may import: these, and what doors.ts lists. */
const doorOfAll = /\/(schema|access|present|queries|hooks|host|actions(-[a-z-]+)?)\.ts$/;

type Doors = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface Arrow {
  from: string;
  to: string;
  typeOnly: boolean;
}

export interface Broken {
  upward: string[];
  layers: string[];
  cycles: string[];
  typeCycles: string[];
  pastDoor: string[];
}

/** All imports between the files of a tree. */
export function arrowsOf(tree: readonly SourceFile[]): Arrow[] {
  const known = new Set(tree.map(({ path }) => path));
  return tree.flatMap(({ path, imports }) =>
    imports.filter(({ to }) => known.has(to)).map((imported) => ({ ...imported, from: path })),
  );
}

/** The violations, each as the path of imports that shows it. */
export function broken(tree: readonly SourceFile[], doors: Doors = {}): Broken {
  const arrows = arrowsOf(tree);
  const between = arrows.filter(({ from, to }) => folderOf(from) !== folderOf(to));
  return {
    upward: between.filter(({ from, to }) => rankOf(from) < rankOf(to)).map(worded),
    layers: aboveTheirLayer(tree, arrows),
    cycles: cyclesOf(arrows.filter(({ typeOnly }) => !typeOnly)),
    typeCycles: cyclesOf(arrows),
    pastDoor: between.filter(({ from, to }) => isInside(from) && !isDoor(to, doors)).map(worded),
  };
}

/** The violations inside the web client: imports of a higher layer, and folders that import each other, directly or not. */
export function brokenInWeb(tree: readonly SourceFile[]): Pick<Broken, "upward" | "cycles"> {
  const isOurs = (path: string) => path.startsWith("src/web/");
  const arrows = tree
    .filter(({ path }) => isOurs(path))
    .flatMap(({ path, imports }) => imports.map((imported) => ({ ...imported, from: path })))
    .filter(({ to }) => isOurs(to));
  const folders = arrows.map((arrow) => ({ ...arrow, from: dirname(arrow.from), to: dirname(arrow.to) }));
  return {
    upward: arrows.filter(({ from, to }) => webRankOf(from) < webRankOf(to)).map(worded),
    cycles: cyclesOf(folders.filter(({ from, to }) => from !== to)),
  };
}

function webRankOf(path: string): number {
  const layer = webLayers.findIndex((name) => path.startsWith(`src/web/${name}/`));
  return layer < 0 ? webLayers.length : layer;
}

/** Pairs of folders of domains that import each other, lower name first: "src/a/b ⇄ src/a/c". */
export function mutual(tree: readonly SourceFile[]): string[] {
  const isDomain = (path: string) => isInside(path) && !isGround(path);
  const ways = new Set(
    arrowsOf(tree)
      .filter(({ from, to }) => isDomain(from) && isDomain(to) && folderOf(from) !== folderOf(to))
      .map(({ from, to }) => `${folderOf(from)} ⇄ ${folderOf(to)}`),
  );
  return [...ways]
    .filter((way) => {
      const [from = "", to = ""] = way.split(" ⇄ ");
      return from < to && ways.has(`${to} ⇄ ${from}`);
    })
    .toSorted();
}

/** The folder of a file, such as "src/places/channels" or "src/kernel/store"; the path itself for a file outside of all folders. */
function folderOf(path: string): string {
  return /^src\/[^/]+\/[^/]+(?=\/)/.exec(path)?.[0] ?? path;
}

/** Whether every file may import it: it has no layers and no inside. */
function isGround(path: string): boolean {
  return path.startsWith("src/kernel/") || path.startsWith("src/migrations/");
}

/** The storey of a file, counted from the lowest; files outside of all storeys are above them. */
function rankOf(path: string): number {
  if (path.startsWith("src/migrations/")) return 0;
  const storey = storeys.findIndex((name) => path.startsWith(`src/${name}/`));
  return storey < 0 ? storeys.length : storey;
}

function isInside(path: string): boolean {
  return rankOf(path) < storeys.length;
}

function isDoor(path: string, doors: Doors): boolean {
  const listed = Object.keys(doors[folderOf(path)] ?? {});
  return isGround(path) || doorOfAll.test(path) || listed.some((name) => path.endsWith(`/${name}.ts`));
}

/** The layer that a file's name gives it, such as `store` or `store-readers`; null for other names. */
function namedLayer(path: string): number | null {
  const name = /\/([a-z]+)(-[a-z-]+)?\.ts$/.exec(path)?.[1] ?? "";
  const isVariant = /\/(store|actions)-[a-z-]+\.ts$/.test(path);
  const layer = layers.findIndex((one) => one === name && (isVariant || path.endsWith(`/${one}.ts`)));
  if (layer >= 0) return layer;
  return path.endsWith("/present.ts") ? layers.indexOf("access") : null;
}

/** A file whose name gives no layer gets the highest layer that it imports. */
function aboveTheirLayer(tree: readonly SourceFile[], arrows: readonly Arrow[]): string[] {
  const inside = arrows.filter(({ from, to }) => !isGround(from) && isInside(from) && !isGround(to));
  const byFile = Map.groupBy(inside, ({ from }) => from);
  const highest = (path: string, seen: ReadonlySet<string>): string[] => {
    if (namedLayer(path) !== null || seen.has(path)) return [path];
    const ways = (byFile.get(path) ?? []).map(({ to }) => highest(to, new Set([...seen, path])));
    const best = ways.sort((a, b) => topOf(b) - topOf(a))[0];
    return best ? [path, ...best] : [path];
  };
  const topOf = (way: readonly string[]) => namedLayer(way.at(-1) ?? "") ?? 0;
  return tree.flatMap(({ path }) => {
    const own = namedLayer(path);
    if (own === null || !isInside(path) || isGround(path)) return [];
    const ways = (byFile.get(path) ?? []).map(({ to }) => highest(to, new Set([path])));
    return ways.filter((way) => topOf(way) > own).map((way) => [path, ...way].join(" → "));
  });
}

/** For each group of files that all import each other, directly or not, one cycle. */
function cyclesOf(arrows: readonly Arrow[]): string[] {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of arrows) next.set(from, (next.get(from) ?? new Set()).add(to));
  return groupsOf(next).map((group) => roundTrip(group, next).join(" → "));
}

/** Tarjan's strongly connected components of more than one file. */
function groupsOf(next: ReadonlyMap<string, ReadonlySet<string>>): Set<string>[] {
  const found: Set<string>[] = [];
  const number = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const visit = (file: string) => {
    number.set(file, number.size);
    low.set(file, number.get(file) as number);
    open.push(file);
    for (const to of next.get(file) ?? []) {
      if (!number.has(to)) visit(to);
      if (open.includes(to)) low.set(file, Math.min(low.get(file) as number, low.get(to) as number));
    }
    if (low.get(file) !== number.get(file)) return;
    const group = open.splice(open.indexOf(file));
    if (group.length > 1) found.push(new Set(group));
  };
  for (const file of next.keys()) if (!number.has(file)) visit(file);
  return found;
}

/** The shortest path from a file of the group back to itself. */
function roundTrip(group: ReadonlySet<string>, next: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const start = [...group].sort()[0] as string;
  const ways = [[start]];
  for (const way of ways) {
    for (const to of next.get(way.at(-1) as string) ?? []) {
      if (to === start) return [...way, to];
      if (group.has(to) && !ways.some((other) => other.includes(to))) ways.push([...way, to]);
    }
  }
  return [start];
}

function worded({ from, to }: Arrow): string {
  return `${from} → ${to}`;
}
