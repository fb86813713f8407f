// What the protocol of several nodes (node.ts) requires of their shared store, which sees only bytes and numbers, not
// batches. NATS JetStream implements it (nats/); a table whose primary key is `seq` could, too.
import { EndOfNode, NotAppended } from "@/kernel/store/commit-log.ts";
import type { NodeState } from "@/operations/nodes/schema.ts";

/** How long the store keeps the terms of event queues, unless a node stores them again. */
export const termsMs = 3_600_000;

export interface SharedLog {
  /** The max size of an entry. */
  readonly maxBytes: number;
  /**
   * Appends an entry directly after number `after`; resolves once no crash can lose it. The ID identifies the entry
   * if an answer was lost. Rejects with `Fenced` if another entry is there, with `NotAppended` if this one is not
   * in the log and never will be, with `Unanswered` if neither is known.
   */
  append(data: Uint8Array, id: string, after: number): Promise<void>;
  /** Rejects with `NoLog` if the store answers that it has none. */
  ends(): Promise<Ends>;
  /** When an entry was appended, by the store's own clock, in milliseconds since 1970; null if it is not there. */
  findTime(seq: number): Promise<number | null>;
  /** Removes all entries before `first`. */
  forgetBefore(first: number): Promise<void>;
  /** Removes all entries; the next one gets the number `first`. */
  beginAt(first: number): Promise<void>;
  /** Removes all entries, all snapshots and all terms of event queues. */
  remove(): Promise<void>;
  /** The entries with these numbers, both included; fewer if the log ends earlier, or no longer has them. */
  read(from: number, to: number): Promise<Uint8Array[]>;
  readonly lease: Lease;
  /** Held by the node that makes a snapshot. */
  readonly snapshotLease: Lease;
  readonly snapshots: Snapshots;
  readonly facts: SharedFacts;
  /** What clients asked for when they opened event queues, by key: records that expire after an hour. */
  readonly terms: Pick<SharedFacts, "get" | "put">;
  readonly talk: Talk;
  close(): Promise<void>;
}

/** `first` is the oldest entry that still exists, `last` the newest ever appended; 0 before the first. */
export interface Ends {
  readonly first: number;
  readonly last: number;
  /** The size of the existing entries. */
  readonly bytes: number;
}

/** A copy of a database: its place in the log, who made it, and when, in milliseconds since 1970. */
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
  /** Stores one; if interrupted, leaves the others unchanged. */
  put(head: SnapshotHead, content: ReadableStream<Uint8Array>): Promise<void>;
  /** The content of one, as stored; ends with an error if it was replaced meanwhile. */
  get(seq: number): AsyncIterable<Uint8Array>;
}

/** The leading node, and the URL at which the others reach it. */
export interface Leader {
  readonly node: string;
  readonly url: string;
  /** In a lease: differs for each process that holds it. */
  readonly holdId?: string;
  /** In a lease: the term that it leads; absent until it does. */
  readonly term?: number | undefined;
  /** In a lease: its process answers `hasLeft`. One of an earlier version does not. */
  readonly answers?: boolean;
}

/** What the store has of a lease. Each change has another revision. */
export interface LeaseRecord {
  readonly revision: number;
  /** Who holds it; null once it was given back. */
  readonly leader: Leader | null;
}

/**
 * Held by one process at a time, which changes the record again and again; one that has seen no change for two lease times, by its own
 * clock, may take it. It says who may try to lead; the log decides.
 */
export interface Lease {
  /** A lease time. */
  readonly ms: number;
  /** Null if there is no record: nobody has held it yet, or the store has removed the record. */
  read(): Promise<LeaseRecord | null>;
  /**
   * Stores a record in the place of the one with this revision, of none if it is 0; returns the new revision, or null if another record
   * is there. `isRenewed` says that the same process holds it already.
   */
  hold(leader: Leader, revision: number, isRenewed: boolean): Promise<number | null>;
  giveBack(revision: number): Promise<void>;
  /** Whether the holder's process has no connection to the store any more; false if that is not known. */
  hasLeft(leader: Leader): Promise<boolean>;
}

/** Small texts by key, such as `node.a`, kept as safely as the log. */
export interface SharedFacts {
  get(key: string): Promise<string | null>;
  /** Stores a value unless there is one already; returns the one that is stored. */
  setIfAbsent(key: string, value: string): Promise<string>;
  put(key: string, value: string): Promise<void>;
  remove(key: string): Promise<void>;
  /** The facts whose keys begin with a prefix, which ends with a dot. */
  list(prefix: string): Promise<Map<string, Fact>>;
}

export interface Fact {
  readonly value: string;
  /** When it was stored, in milliseconds since 1970, by the clock of the store: those of the nodes may be wrong. */
  readonly at: number;
}

/** A node that follows. Those of earlier versions do not say who they are. */
export interface Peer {
  readonly node: string | null;
  /** Differs for each process of a node. */
  readonly id: string | null;
  readonly position: number;
}

/** A process of a node, and the address at which the others should reach it. */
export interface Tried {
  readonly node: string;
  readonly id: string;
  readonly url: string;
}

/** What a node found that tried the address of another one. */
export interface NodeTrial {
  readonly node: string;
  /** Why it did not reach it, as a clause. */
  readonly fault: string | null;
  /** How many others reach the node that answers; null if it does not know yet. */
  readonly reachedBy: number | null;
  /** Whether it could lead. */
  readonly mayLead: boolean;
}

/** Messages between the nodes. They may get lost. */
export interface Talk {
  /** Sends an appended entry to all other nodes. */
  announce(seq: number, data: Uint8Array): void;
  /** Sends events that are in no entry to all nodes, this one included. */
  broadcast(data: Uint8Array): void;
  /** Asks all nodes that follow for their databases' positions, this one included if it does; waits no longer once so many have answered. */
  positions(enough?: number): Promise<number[]>;
  /** As `positions`, with who answers; waits up to `ms` longer for the answers of `wanted` nodes. */
  peers(wanted: readonly string[], ms: number): Promise<Peer[]>;
  /** Has all other nodes try an address; each answers once it has. Those of earlier versions do not answer. */
  haveTried(of: Tried, found: (trial: NodeTrial) => void): void;
  /** Asks all nodes for their states, this one included. */
  states(): Promise<NodeState[]>;
  listen(listener: {
    onEntry(seq: number, data: Uint8Array): void;
    onEvents(data: Uint8Array): void;
    peer(): Peer;
    /** Null if this node need not try it. */
    trial(of: Tried): Promise<NodeTrial | null>;
  }): void;
  /** Answers those that ask for this node's state, also before it listens; null if it has none to tell. */
  report(state: () => NodeState | null): void;
}

/** Another node has appended an entry: this one must read it before it appends again. */
export class Fenced extends NotAppended {}

export class Unanswered extends Error {}

/** The store answers, and has no log of this cluster. */
export class NoLog extends Error {
  constructor() {
    super("The nats-servers hold no log of this cluster");
  }
}

const usualPatienceMs = 20_000;
const pauseMs = 250;

/**
 * Retries work that fails because the store is slow or elects its leaders; doing the work twice must be harmless. Errors
 * that `isFinal` selects are thrown at once, others once the patience has ended.
 */
export async function withRetries<T>(
  work: () => Promise<T>,
  isFinal: (error: unknown) => boolean = (error) => error instanceof EndOfNode,
  patienceMs = usualPatienceMs,
): Promise<T> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (isFinal(error) || performance.now() > until) throw error;
      await Bun.sleep(pauseMs);
    }
  }
}
