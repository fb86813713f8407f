import type { Log } from "@/kernel/log.ts";
import type { NodeState } from "@/operations/nodes/schema.ts";
import type { Past } from "./queues/past.ts";
import type { Leader, Lease } from "./shared-log.ts";
import type { LogEnd } from "./watching/log-end.ts";

/** The store's lease, and this node as its holder. */
export interface NodeOptions {
  readonly me: Leader;
  readonly log: Log;
  /** Called when this node must stop serving and leading. */
  readonly end: (reason: Error) => void;
  /** It leads only if no other node wants to. */
  readonly isLast?: boolean;
  /** Called whenever this node has become the leader. */
  readonly onLead?: () => void;
  /** This node's state, for others that ask. */
  readonly state?: () => NodeState;
  /** Retains the entries of the last minutes. */
  readonly past?: Past;
  /** Knows how old this node's data may be. */
  readonly logEnd?: LogEnd;
  /** How old its data may be for requests of clients, in milliseconds; by default, any age will do. */
  readonly readsMs?: number;
}

/** How long a node waits after a failure, such as a request that NATS did not answer in time. */
const soonMs = 100;

/** How long after a look at the lease a node looks again, in milliseconds; `leaseMs` is how long a lease lasts. */
export function pauseAfter(
  isDone: boolean,
  { leads, isStuck }: { leads: boolean; isStuck: boolean },
  leaseMs: number,
): number {
  if (leads) return isDone ? leaseMs / 4 : soonMs;
  if (isStuck) return leaseMs;
  // So that candidates do not all try at the same moment.
  return (isDone ? leaseMs / 6 : soonMs) + Math.random() * 50;
}

/** This node's hold on the lease. */
export class HeldLease {
  private revision: number | null = null;
  private until = 0;
  private readonly me: Leader & { readonly holdId: string };
  /** The term that this node leads; others learn it with the next renewal. */
  term: number | undefined;

  constructor(
    private readonly lease: Lease,
    me: Leader,
  ) {
    this.me = { ...me, holdId: crypto.randomUUID() };
  }

  /** By this node's clock, which starts before the lease is requested, so the hold ends here first. */
  get isOver(): boolean {
    return performance.now() > this.until;
  }

  /** Takes the lease, or renews this node's earlier hold of that revision; false if another node was first. */
  async take(revision: number | null): Promise<boolean> {
    const asked = performance.now();
    this.revision = await this.lease.hold({ ...this.me, term: this.term }, revision);
    if (this.revision === null) return false;
    this.until = asked + this.lease.ms;
    return true;
  }

  /** An earlier renewal may have succeeded without an answer, or come too late. So the lease is still this node's, or free. */
  async renew(): Promise<boolean> {
    if (await this.take(this.revision)) return true;
    const held = await this.lease.holder();
    return (!held || held.leader.holdId === this.me.holdId) && this.take(held?.revision ?? null);
  }

  /** Others then need not wait for the lease to expire. */
  async giveBack(): Promise<void> {
    const { revision } = this;
    this.revision = null;
    this.term = undefined;
    if (revision !== null) await this.lease.giveBack(revision).catch(() => {});
  }
}

/** The leader as far as one node knows. */
export class KnownLeader {
  private known: Leader | null = null;
  private ending = new AbortController();

  get leader(): Leader | null {
    return this.known;
  }

  /** Aborts once this leader no longer leads. */
  get gone(): AbortSignal {
    return this.ending.signal;
  }

  set(leader: Leader | null): void {
    if (this.known && this.known.node !== leader?.node) {
      this.ending.abort();
      this.ending = new AbortController();
    }
    this.known = leader;
  }
}
