// For a node of a cluster: lets clients continue their queues at another node (docs/decisions/queues-on-nodes.md).
import type { PastEvents } from "@/kernel/core/queue-types.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import type { Opening, QueueTerms } from "./schema.ts";

export interface QueueKeeper {
  /** The events that this node can repeat. */
  readonly past: PastEvents;
  /** Prepares a queue of a user that is opened here, so that each node can tell from its ID how it was opened. */
  name(terms: QueueTerms, userId: number): NamedQueue;
  /** How a queue of this user was opened, at any node; null if there is no such queue, or if this node knows that it has ended. */
  find(queueId: string, userId: number): Promise<Opening | null>;
  /** Brings this node to the end of the log. */
  catchUp(): Promise<void>;
  /** Has `past` hold all events from this ID on, as far as it holds what is so old. */
  reachBack(id: number): Promise<void>;
}

export interface NamedQueue {
  /** `start` is where in the sequence of event IDs it is opened. */
  readonly idOf: (start: number) => string;
  /** Resolves once other nodes can read its terms, or after a moment; in that case it is retried. Null if they can already. */
  readonly kept: Promise<void> | null;
}

const keepers = perApp((): { of: QueueKeeper | null } => ({ of: null }));

/** From now on, clients can continue the queues of this process at other nodes. */
export function keepQueues(reads: Parameters<typeof keepers>[0], keeper: QueueKeeper): void {
  keepers(reads).of = keeper;
}

/** Null for a standalone server. */
export function queueKeeper(reads: Parameters<typeof keepers>[0]): QueueKeeper | null {
  return keepers(reads).of;
}
