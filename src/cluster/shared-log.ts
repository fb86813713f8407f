// What the protocol of several nodes (node.ts) asks of the store that they share. It knows bytes and numbers, nothing of
// batches: NATS JetStream does this (nats/), and a table whose primary key is `seq` could.
import { EndOfNode, NotAppended } from "@/kernel/commit-log.ts";
import type { NodeState } from "@/operations/nodes/schema.ts";

export interface SharedLog {
  /** The largest entry that it takes. */
  readonly maxBytes: number;
  /**
   * Appends an entry directly behind number `after`; resolves once no crash can lose it. The ID makes the entry known
   * again where an answer was lost. Rejects with `Fenced` if another entry is there, with `NotAppended` if this one is not
   * in the log and never will be, with `Unanswered` if that could not be found out.
   */
  append(data: Uint8Array, id: string, after: number): Promise<void>;
  ends(): Promise<Ends>;
  /** When an entry was taken, by the store's own clock, in milliseconds since 1970; null if it is not there. */
  takenAt(seq: number): Promise<number | null>;
  /** Forgets all entries before one. */
  forgetBefore(first: number): Promise<void>;
  /** Forgets all entries, and gives the next one this number. */
  beginAt(first: number): Promise<void>;
  /** Forgets all entries and all snapshots. */
  remove(): Promise<void>;
  /** The entries with these numbers, both included; fewer if the log ends earlier, or no longer has them. */
  read(from: number, to: number): Promise<Uint8Array[]>;
  readonly lease: Lease;
  /** Held by the node that makes a snapshot. */
  readonly chore: Lease;
  readonly snapshots: Snapshots;
  readonly facts: Facts;
  readonly talk: Talk;
  close(): Promise<void>;
}

/** `first` is the oldest entry that is there, `last` the newest that ever was; 0 before the first. */
export interface Ends {
  readonly first: number;
  readonly last: number;
  /** What the entries that are there occupy. */
  readonly bytes: number;
}

/** A copy of a database: where in the log it is, who made it, and when, in milliseconds since 1970. */
export interface SnapshotHead {
  readonly seq: number;
  readonly digest: string;
  readonly schema: number;
  readonly node: string;
  readonly at: number;
  /** The size of the database. */
  readonly bytes: number;
}

/** The newest two are kept. */
export interface Snapshots {
  /** Newest first. */
  list(): Promise<SnapshotHead[]>;
  /** Stores one; whatever ends this early leaves the others as they were. */
  put(head: SnapshotHead, content: ReadableStream<Uint8Array>): Promise<void>;
  /** The content of one, as it was stored; ends with an error if it was replaced meanwhile. */
  get(seq: number): AsyncIterable<Uint8Array>;
}

/** Who leads, and where the others reach it. */
export interface Leader {
  readonly node: string;
  readonly url: string;
}

/** Held by one node at a time, and lost by whoever does not renew it in time. It says who may try; the log decides. */
export interface Lease {
  readonly ms: number;
  /** Its holder, and the revision that a renewal has to name; null if it is free. */
  holder(): Promise<{ leader: Leader; revision: number } | null>;
  /** Takes it (`revision` null) or renews it; returns the new revision, or null if another node was first. */
  hold(leader: Leader, revision: number | null): Promise<number | null>;
  giveBack(revision: number): Promise<void>;
}

/** Small texts by key, such as `node.a`, kept as safely as the log. */
export interface Facts {
  get(key: string): Promise<string | null>;
  /** Stores a value unless there is one already; returns the one that is stored. */
  settle(key: string, value: string): Promise<string>;
  put(key: string, value: string): Promise<void>;
  remove(key: string): Promise<void>;
  /** Those whose keys begin so; the prefix ends with a dot. */
  list(prefix: string): Promise<Map<string, string>>;
}

/** Messages between the nodes that may get lost. */
export interface Talk {
  /** Sends an entry that the log has taken to all other nodes. */
  announce(seq: number, data: Uint8Array): void;
  /** Sends events that are in no entry to all nodes, this one included. */
  tell(data: Uint8Array): void;
  /** Asks the other nodes how far their databases are. */
  positions(): Promise<number[]>;
  /** Asks all nodes how they are, this one included. */
  states(): Promise<NodeState[]>;
  listen(listener: {
    announced(seq: number, data: Uint8Array): void;
    told(data: Uint8Array): void;
    position(): number;
    /** Null for a node that does not serve yet. */
    state(): NodeState | null;
  }): void;
}

/** Another node has written since: whoever appends must read on before it writes again. */
export class Fenced extends NotAppended {}

export class Unanswered extends Error {}

const patienceMs = 20_000;
const pauseMs = 250;

/** Does work again that fails while NATS elects its own leaders, or is slow; it must do no harm to do it twice. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof EndOfNode || performance.now() > until) throw error;
      await Bun.sleep(pauseMs);
    }
  }
}
