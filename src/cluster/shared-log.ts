// What the protocol of several nodes (node.ts) asks of the store that they share. It knows bytes and numbers, nothing of
// batches: NATS JetStream does this (jetstream.ts), and a table whose primary key is `seq` could.
import { NotAppended } from "@/kernel/commit-log.ts";

export interface SharedLog {
  /** The largest entry that it takes. */
  readonly maxBytes: number;
  /**
   * Appends an entry directly behind number `after`; resolves once no crash can lose it. The ID makes the entry known
   * again where an answer was lost. Rejects with `Fenced` if another entry is there, with `NotAppended` if this one is not
   * in the log and never will be, with `Unanswered` if that could not be found out.
   */
  append(data: Uint8Array, id: string, after: number): Promise<void>;
  /** The numbers of the oldest and the newest entry; `last` is 0 before the first. */
  ends(): Promise<{ first: number; last: number }>;
  /** The entries with these numbers, both included; fewer if the log ends earlier, or no longer has them. */
  read(from: number, to: number): Promise<Uint8Array[]>;
  readonly lease: Lease;
  readonly talk: Talk;
  close(): Promise<void>;
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

/** Messages between the nodes that may get lost. */
export interface Talk {
  /** Sends an entry that the log has taken to all other nodes. */
  announce(seq: number, data: Uint8Array): void;
  /** Sends events that are in no entry to all nodes, this one included. */
  tell(data: Uint8Array): void;
  /** Asks the other nodes how far their databases are. */
  positions(): Promise<number[]>;
  listen(listener: {
    announced(seq: number, data: Uint8Array): void;
    told(data: Uint8Array): void;
    position(): number;
  }): void;
}

/** Another node has written since: whoever appends must read on before it writes again. */
export class Fenced extends NotAppended {}

export class Unanswered extends Error {}
