// On one of several nodes: what lets a client go on with its queue at another one (docs/decisions/queues-on-nodes.md).
import type { EventQueue, PastEvents } from "@/kernel/event-queue.ts";
import { perApp } from "@/kernel/per-app.ts";
import type { Opening } from "./schema.ts";

export interface QueueKeeper {
  /** The events that this node can repeat. */
  readonly past: PastEvents;
  /** Stores how a queue was opened here. Resolves once that survives this node, or after a moment: then it is tried again. */
  keep(queue: EventQueue, opening: Opening): Promise<void>;
  /** How a queue was opened, at any node; null if there is none with this ID, or if it has ended. */
  find(queueId: string): Promise<Opening | null>;
  forget(queueId: string): Promise<void>;
  /** Brings this node to the end of the log. */
  catchUp(): Promise<void>;
}

const keepers = perApp((): { of: QueueKeeper | null } => ({ of: null }));

/** From now on, the queues of this process survive it. */
export function keepQueues(reads: Parameters<typeof keepers>[0], keeper: QueueKeeper): void {
  keepers(reads).of = keeper;
}

/** Null for a standalone server. */
export function queueKeeper(reads: Parameters<typeof keepers>[0]): QueueKeeper | null {
  return keepers(reads).of;
}
