// A simulated disk: its state as the recorded calls left it, and as it may be after a power cut at any moment.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { bytesOf, type Call, descriptorsOf, type Listener, stringsOf, textOf } from "./trace.ts";

/** A file or folder; its content is computed from its changes. */
type Node = number;

type Change =
  | { kind: "write"; node: Node; at: number; bytes: Uint8Array }
  | { kind: "truncate"; node: Node; size: number }
  /**
   * A change of names: removes some and adds one, atomically. It is certainly on disk once `node`, the target folder, has been
   * synced.
   */
  | { kind: "entries"; node: Node; removed: Entry[]; added?: Entry };

interface Entry {
  folder: Node;
  name: string;
  node: Node;
}

export type Step =
  | Change
  /** A sync: the changes of `node` among the first `before` steps are certainly on disk. */
  | { kind: "sync"; node: Node; before: number }
  /** Output that left the machine: nothing that it promises may be lost afterwards. */
  | { kind: "said"; text: string };

export interface Recording {
  /** The folder whose contents are recorded. */
  root: string;
  steps: Step[];
  folders: ReadonlySet<Node>;
  /** Paths of files that a killed process was creating, removing or changing: the outcome is unknown. */
  undecided: ReadonlySet<string>;
}

const pageBytes = 4096;
const top: Node = 0;

/** Replays a run whose files are under `root`, a folder that was empty at the start. */
export class Recorder implements Listener<number> {
  readonly steps: Step[] = [];
  private readonly folders = new Set<Node>([top]);
  private readonly names = new Map<Node, Map<string, Node>>([[top, new Map()]]);
  private readonly sizes = new Map<Node, number>();
  private readonly positions = new Map<string, number>();
  /** Open files whose writes reach the disk before they return. */
  private readonly synchronous = new Set<string>();
  private readonly undecided = new Set<string>();
  private nodes = top;

  constructor(private readonly root: string) {}

  /** Treats what existed before the run as on disk. */
  adopt(): void {
    for (const entry of readdirSync(this.root, { withFileTypes: true, recursive: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isDirectory()) this.make(path);
      else {
        const [node, bytes] = [++this.nodes, readFileSync(path)];
        this.sizes.set(node, bytes.length);
        this.enter(path, node);
        this.change({ kind: "write", node, at: 0, bytes });
      }
    }
    const before = this.steps.length;
    for (let node = top; node <= this.nodes; node++) this.steps.push({ kind: "sync", node, before });
  }

  recording(): Recording {
    return { root: this.root, steps: this.steps, folders: this.folders, undecided: this.undecided };
  }

  began(name: string, args: string): number {
    // Output counts from the start of its call, because it may leave then; a write counts from the end of its call.
    if (
      /^(write|writev|sendto|sendmsg)$/.test(name) &&
      /^\d+<(socket|pipe|\\x73\\x6f\\x63\\x6b|\\x70\\x69\\x70\\x65)/.test(args)
    ) {
      this.steps.push({ kind: "said", text: stringsOf(args).map(textOf).join("") });
    }
    return this.steps.length;
  }

  ended({ name, args, result, path }: Call, begun: number): void {
    if (result < 0) return;
    const descriptors = descriptorsOf(args);
    const [descriptor = { fd: "", path: "" }] = descriptors;
    const paths = () => pathsOf(name, stringsOf(args), descriptors);
    if (Number.isNaN(result)) {
      const named = /^(open|creat|rename|link|mkdir|unlink|rmdir|truncate)/.test(name)
        ? paths()
        : [descriptor.path];
      for (const path of named) if (this.isWithin(path)) this.undecided.add(path.slice(this.root.length + 1));
      return;
    }
    const only = () => paths()[0] ?? "";
    if (/^(open|creat)/.test(name)) this.open(path, args, result);
    else if (/^p?write/.test(name)) {
      this.write(name, descriptor, { args, result, bytes: () => bytesOf(stringsOf(args).join("")) });
    } else if (name === "lseek") this.positions.set(`${descriptor.fd} ${this.find(descriptor.path)}`, result);
    else if (/^f(data)?sync$/.test(name)) this.sync(descriptor.path, begun);
    else if (name.startsWith("rename")) this.rename(paths());
    else if (/^link/.test(name)) this.link(paths());
    else if (name.startsWith("mkdir")) this.make(only());
    else if (/^(unlink|rmdir)/.test(name)) this.remove(only());
    else if (/^f?truncate$/.test(name)) {
      this.resize(name === "truncate" ? only() : descriptor.path, Number(/(\d+)\)?$/.exec(args)?.[1]));
    } else if (descriptors.some((one) => this.isWithin(one.path)) || /^(sync|symlink|io_uring)/.test(name)) {
      throw new Error(
        `The recording does not know ${name}(${args.slice(0, 200)}): add it to test/power/disk.ts.`,
      );
    }
  }

  private sync(path: string, before: number): void {
    const node = this.find(path);
    if (node !== null) this.steps.push({ kind: "sync", node, before });
  }

  private resize(path: string, size: number): void {
    const node = this.find(path);
    if (node !== null) this.truncate(node, size);
  }

  private open(path: string, args: string, fd: number): void {
    if (!this.isWithin(path)) return;
    let node = this.find(path);
    if (node === null) {
      node = ++this.nodes;
      this.sizes.set(node, 0);
      this.enter(path, node);
    } else if (args.includes("O_TRUNC") && (this.sizes.get(node) ?? 0) > 0) this.truncate(node, 0);
    const key = `${fd} ${node}`;
    this.positions.set(key, args.includes("O_APPEND") ? Number.NaN : 0);
    if (/\bO_D?SYNC\b/.test(args)) this.synchronous.add(key);
    else this.synchronous.delete(key);
  }

  private write(
    name: string,
    { fd, path }: { fd: string; path: string },
    { args, result, bytes }: { args: string; result: number; bytes(): Uint8Array },
  ): void {
    const node = this.find(path);
    if (node === null) return;
    const size = this.sizes.get(node) ?? 0;
    const key = `${fd} ${node}`;
    const isAt = name.startsWith("p");
    const position = this.positions.get(key) ?? Number.NaN;
    const given = name === "pwritev2" ? args.split(", ").at(-2) : args.split(", ").at(-1);
    const at = isAt ? Number(given?.replace(")", "")) : Number.isNaN(position) ? size : position;
    const written = bytes().subarray(0, result);
    const end = at + written.length;
    this.change({ kind: "write", node, at, bytes: written });
    this.sizes.set(node, Math.max(size, end));
    if (this.synchronous.has(key)) this.steps.push({ kind: "sync", node, before: this.steps.length });
    if (!isAt && !Number.isNaN(position)) this.positions.set(key, end);
  }

  private truncate(node: Node, size: number): void {
    this.change({ kind: "truncate", node, size });
    this.sizes.set(node, size);
  }

  private make(path: string): void {
    if (!this.isWithin(path) || this.find(path) !== null) return;
    const node = ++this.nodes;
    this.folders.add(node);
    this.names.set(node, new Map());
    this.enter(path, node);
  }

  private enter(path: string, node: Node, removed: Entry[] = []): void {
    const added = { ...this.placeOf(path), node };
    const replaced = this.names.get(added.folder)?.get(added.name);
    const all = replaced === undefined ? removed : [...removed, { ...added, node: replaced }];
    for (const { folder, name } of all) this.names.get(folder)?.delete(name);
    this.names.get(added.folder)?.set(added.name, node);
    this.change({ kind: "entries", node: added.folder, removed: all, added });
  }

  private rename([from = "", to = ""]: string[]): void {
    const node = this.find(from);
    if (node === null && !this.isWithin(to)) return;
    if (node === null || !this.isWithin(to)) throw new Error(`A file moved in or out: ${from} to ${to}`);
    this.enter(to, node, [{ ...this.placeOf(from), node }]);
  }

  private link([from = "", to = ""]: string[]): void {
    const node = this.find(from);
    if (node !== null && this.isWithin(to)) this.enter(to, node);
  }

  private remove(path: string): void {
    const node = this.find(path);
    if (node === null) return;
    const { folder, name } = this.placeOf(path);
    this.names.get(folder)?.delete(name);
    this.change({ kind: "entries", node: folder, removed: [{ folder, name, node }] });
  }

  private change(change: Change): void {
    this.steps.push(change);
  }

  private isWithin(path: string): boolean {
    return path.startsWith(`${this.root}/`) && !path.endsWith(" (deleted)");
  }

  private placeOf(path: string): { folder: Node; name: string } {
    const folder = this.find(posix.dirname(path));
    if (folder === null) throw new Error(`The recording has lost track of ${posix.dirname(path)}.`);
    return { folder, name: posix.basename(path) };
  }

  /** The node at a path now; null if there is none, or if the path is outside the root. */
  private find(path: string): Node | null {
    if (path === this.root) return top;
    if (!this.isWithin(path)) return null;
    let node: Node | undefined = top;
    for (const name of path.slice(this.root.length + 1).split("/")) {
      node = this.names.get(node)?.get(name);
      if (node === undefined) return null;
    }
    return node;
  }
}

/** The paths that a call names, made absolute with the folders of its descriptors. */
function pathsOf(name: string, strings: string[], descriptors: { path: string }[]): string[] {
  const isAt = name.includes("at") && name !== "truncate";
  return strings.map((hex, index) => {
    const path = textOf(hex);
    if (posix.isAbsolute(path)) return path;
    const base = isAt ? descriptors[index]?.path : undefined;
    if (base === undefined)
      throw new Error(`${name} names ${path}, whose folder the recording does not know.`);
    return join(base, path);
  });
}

/** Decides what a power cut leaves of an unsynced change: all of it, none, or some pages of a write. */
export interface Luck {
  keeps(change: Change): boolean;
  keepsPage(): boolean;
}

/** Keeps nothing unsynced. */
export const noLuck: Luck = { keeps: () => false, keepsPage: () => false };

/** Keeps a random subset; takes a generator of numbers between 0 and 1. */
export function someLuck(random: () => number): Luck {
  const share = random();
  return { keeps: () => random() < share, keepsPage: () => random() < 0.7 };
}

/** Keeps everything, as if there were no power cut. */
export const allLuck: Luck = { keeps: () => true, keepsPage: () => true };

/** The files by their path under the root, after a power cut that follows the first `length` steps. */
export function diskAfter(
  { steps, folders }: Recording,
  length: number,
  luck: Luck,
): Map<string, Uint8Array> {
  const synced = syncedBefore(steps, length);
  const files = new Map<Node, Content>();
  const names = new Map<Node, Map<string, Node>>();
  const inFolder = (folder: Node) => names.get(folder) ?? names.set(folder, new Map()).get(folder)!;
  const contentOf = (node: Node) => files.get(node) ?? files.set(node, new Content()).get(node)!;
  for (let index = 0; index < length; index++) {
    const step = steps[index]!;
    if (step.kind === "said" || step.kind === "sync") continue;
    const isSafe = synced[index] === 1;
    if (!isSafe && !luck.keeps(step)) continue;
    if (step.kind === "entries") {
      for (const { folder, name, node } of step.removed) {
        if (inFolder(folder).get(name) === node) inFolder(folder).delete(name);
      }
      if (step.added) inFolder(step.added.folder).set(step.added.name, step.added.node);
    } else if (step.kind === "truncate") contentOf(step.node).truncate(step.size);
    else if (isSafe) contentOf(step.node).write(step.at, step.bytes);
    else
      for (const page of pagesOf(step)) if (luck.keepsPage()) contentOf(step.node).write(page.at, page.bytes);
  }
  const found = new Map<string, Uint8Array>();
  const walk = (folder: Node, path: string) => {
    for (const [name, node] of inFolder(folder)) {
      if (folders.has(node)) walk(node, posix.join(path, name));
      else found.set(posix.join(path, name), contentOf(node).bytes());
    }
  };
  walk(top, "");
  return found;
}

/** For each step, 1 if a sync among the first `length` covers it. */
function syncedBefore(steps: readonly Step[], length: number): Uint8Array {
  const synced = new Uint8Array(length);
  const waiting = new Map<Node, number[]>();
  for (let index = 0; index < length; index++) {
    const step = steps[index]!;
    if (step.kind === "said") continue;
    if (step.kind === "sync") {
      const left = (waiting.get(step.node) ?? []).filter((at) => {
        if (at < step.before) synced[at] = 1;
        return at >= step.before;
      });
      waiting.set(step.node, left);
      continue;
    }
    const list = waiting.get(step.node);
    if (list) list.push(index);
    else waiting.set(step.node, [index]);
  }
  return synced;
}

function* pagesOf({
  at,
  bytes,
}: {
  at: number;
  bytes: Uint8Array;
}): Generator<{ at: number; bytes: Uint8Array }> {
  let from = 0;
  while (from < bytes.length) {
    const to = Math.min(bytes.length, from + pageBytes - ((at + from) % pageBytes));
    yield { at: at + from, bytes: bytes.subarray(from, to) };
    from = to;
  }
}

class Content {
  private buffer = new Uint8Array(0);
  private size = 0;

  write(at: number, bytes: Uint8Array): void {
    const end = at + bytes.length;
    if (end > this.buffer.length) {
      const larger = new Uint8Array(Math.max(end, this.buffer.length * 2));
      larger.set(this.buffer.subarray(0, this.size));
      this.buffer = larger;
    }
    this.buffer.set(bytes, at);
    this.size = Math.max(this.size, end);
  }

  truncate(size: number): void {
    if (size > this.size) this.write(size - 1, new Uint8Array(1));
    else this.buffer.fill(0, size, this.size);
    this.size = size;
  }

  bytes(): Uint8Array {
    return this.buffer.subarray(0, this.size);
  }
}

/** Numbers between 0 and 1, the same for the same seed. */
export function generator(from: number): () => number {
  let state = from >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Writes to memory-mapped files are not recorded; SQLite maps only files that are rebuilt after a power cut. */
export function isKept(name: string): boolean {
  return !name.endsWith("-shm");
}

export function writeDisk(disk: ReadonlyMap<string, Uint8Array>, place: string): void {
  for (const [name, bytes] of disk) {
    const path = join(place, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, isKept(name) ? bytes : crypto.getRandomValues(new Uint8Array(32_768)));
  }
}
