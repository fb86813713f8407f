import type { Log } from "@/kernel/lib/log.ts";
import type { NodeState } from "@/operations/nodes/schema.ts";
import type { Past } from "./queues/past.ts";
import type { Leader, Lease, LeaseRecord, NodeTrial, Tried } from "./shared-log.ts";
import type { LogEnd } from "./watching/log-end.ts";

/** The store's lease, and this node as its holder. */
export interface LeadershipOptions {
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
  /** Tries the address of another node. */
  readonly trial?: (of: Tried) => Promise<NodeTrial | null>;
  /** Retains the entries of the last minutes. */
  readonly past?: Past;
  /** Knows how old this node's data may be. */
  readonly logEnd?: LogEnd;
  /** How old its data may be for requests of clients, in milliseconds; by default, any age will do. */
  readonly readsMs?: number;
}

/** For how long a holder must have no connection to the store: one that moves to another nats-server has none for a moment. */
const goneMs = 150;
/** How long a node waits after a failure, such as a request that NATS did not answer in time. */
const soonMs = 100;

/** How long a lease lasts after it was taken or renewed: for its holder since it asked, for others since they saw the change. */
export function holdMs({ ms }: Pick<Lease, "ms">): number {
  return 2 * ms;
}

/**
 * How long after a look at the lease a node looks again, in milliseconds. `leaseMs` is a lease time, `leftMs` how long the lease of
 * another node may still be held, as far as is known.
 */
export function pauseAfter(
  isDone: boolean,
  { leads, isStuck, leftMs }: { leads: boolean; isStuck: boolean; leftMs: number },
  leaseMs: number,
): number {
  if (leads) return isDone ? leaseMs / 2 : soonMs;
  if (isStuck) return 2 * leaseMs;
  // So that candidates do not all try at the same moment.
  const usual = leftMs > 0 ? Math.min(leftMs, leaseMs / 5) : leaseMs / 5;
  return (isDone ? usual : soonMs) + Math.random() * 50;
}

/** What a process that does not hold a lease knows of it. */
export interface SeenLeadership {
  /** Who holds it, if nobody has given it back; null if nobody is known to. */
  readonly leader: Leader | null;
  /** The node that held it last. */
  readonly former: string | null;
  /** Whether it may be taken, in the place of the record with `revision`. */
  readonly isFree: boolean;
  /** Its holder has left the store without giving it back, so it may be taken, too. */
  readonly isLeft: boolean;
  readonly revision: number;
  /** Since when nothing has changed. */
  readonly unchangedMs: number;
  /** Its holder has renewed it more than once while this process looked. */
  readonly isAlive: boolean;
}

/**
 * A lease as others see it. Only this process's own clock decides whether the holder is dead: the store's servers may remove the record
 * early or late, if their clocks are wrong.
 */
export class LeaseWatch {
  private last: LeaseRecord | null = null;
  private changedAt = performance.now();
  /** Since when its holder has had no connection to the store; null while it has, or while that is not known. */
  private goneAt: number | null = null;
  private renewals = 0;
  private former: string | null = null;

  constructor(
    private readonly lease: Lease,
    /** This process as a holder. */
    private readonly holdId: string,
  ) {}

  /** How long the current holder may still live, if it is dead; 0 if the lease is free. */
  get leftMs(): number {
    const now = performance.now();
    if (this.isFreeAfter(now - this.changedAt)) return 0;
    const end = this.changedAt + holdMs(this.lease);
    return Math.max(0, Math.min(end, this.goneAt === null ? end : this.goneAt + goneMs) - now);
  }

  async look(): Promise<SeenLeadership> {
    const record = await this.lease.read();
    const now = performance.now();
    if (record && record.revision !== this.last?.revision) {
      const isSame = record.leader !== null && record.leader.holdId === this.last?.leader?.holdId;
      this.renewals = isSame ? this.renewals + 1 : 0;
      this.last = record;
      this.former = record.leader?.node ?? this.former;
      this.changedAt = now;
      this.goneAt = null;
    } else await this.lookForHolder();
    const unchangedMs = now - this.changedAt;
    const isFree = this.isFreeAfter(unchangedMs);
    return {
      leader: this.last?.leader ?? null,
      former: this.former,
      isFree,
      isLeft: this.goneAt !== null && performance.now() - this.goneAt >= goneMs,
      revision: record?.revision ?? 0,
      unchangedMs,
      isAlive: !isFree && this.renewals > 1,
    };
  }

  private async lookForHolder(): Promise<void> {
    const leader = this.last?.leader ?? null;
    const hasLeft = leader !== null && leader.holdId !== this.holdId && (await this.lease.hasLeft(leader));
    this.goneAt = hasLeft ? (this.goneAt ?? performance.now()) : null;
  }

  /** Resolves once it is known whether the holder lives. */
  async settle(): Promise<SeenLeadership> {
    for (;;) {
      const seen = await this.look();
      if (seen.isFree || seen.isAlive) return seen;
      await Bun.sleep(this.lease.ms / 4);
    }
  }

  /** A record that is gone says no more than one that does not change: a server with a wrong clock may have removed it. */
  private isFreeAfter(unchangedMs: number): boolean {
    const leader = this.last?.leader ?? null;
    return leader === null || leader.holdId === this.holdId || unchangedMs >= holdMs(this.lease);
  }
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

  /** Differs for each process that may hold it. */
  get id(): string {
    return this.me.holdId;
  }

  /** By this node's clock, which starts before the lease is requested, so the hold ends here first. */
  get isOver(): boolean {
    return performance.now() > this.until;
  }

  /** Takes the lease in the place of a record, of none if the revision is 0; false if another node was first. */
  async take(revision: number): Promise<boolean> {
    const asked = performance.now();
    const isRenewed = this.revision !== null;
    const held = await this.lease.hold({ ...this.me, term: this.term }, revision, isRenewed);
    if (held === null) return false;
    this.revision = held;
    this.until = asked + holdMs(this.lease);
    return true;
  }

  /**
   * False once the lease is lost, even if it is free now: another node may have held it meanwhile, and have led. An earlier renewal may
   * have succeeded without an answer; then the lease is still this node's.
   */
  async renew(): Promise<boolean> {
    if (this.revision === null) return false;
    if (await this.take(this.revision)) return true;
    const record = await this.lease.read();
    const isMine = record?.leader?.holdId === this.me.holdId;
    if (record && isMine && (await this.take(record.revision))) return true;
    this.revision = null;
    return false;
  }

  /** Renews it, or takes it again if it is free, also if another process held it in between. */
  async keep(): Promise<boolean> {
    if (await this.renew()) return true;
    const record = await this.lease.read();
    return !record?.leader && this.take(record?.revision ?? 0);
  }

  /** Takes the lease unless its holder lives. Whether a holder does shows after two lease times at most. */
  async takeUnlessHeld(): Promise<boolean> {
    const { isFree, revision } = await new LeaseWatch(this.lease, this.id).settle();
    return isFree && this.take(revision);
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
    if (this.known && !isSame(this.known, leader)) {
      this.ending.abort();
      this.ending = new AbortController();
    }
    this.known = leader;
  }
}

/** Whether both are one process: its successor may have the same name, and does not answer what the former one was asked. */
function isSame(one: Leader, other: Leader | null): boolean {
  return one.node === other?.node && one.url === other.url && one.holdId === other.holdId;
}
