// For a node of a cluster: lets clients continue their queues at another node (docs/decisions/queues-on-nodes.md).
import type { EventQueue, PastEvents } from "@/kernel/event-queue.ts";
import { perApp } from "@/kernel/per-app.ts";
import type { Opening } from "./schema.ts";

export interface QueueKeeper {
  /** The events that this node can repeat. */
  readonly past: PastEvents;
  /**
   * Stores how a queue was opened here. Resolves once another node can read it, or after a moment; in that case it is retried.
   */
  keep(queue: EventQueue, opening: Opening): Promise<void>;
  /** How a queue was opened, at any node; null if there is no such queue, or if it has ended. */
  find(queueId: string): Promise<Opening | null>;
  forget(queueId: string): Promise<void>;
  /** Brings this node to the end of the log. */
  catchUp(): Promise<void>;
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
