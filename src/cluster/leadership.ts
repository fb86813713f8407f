import type { Leader, Lease } from "./shared-log.ts";

/** This node's hold on the lease. */
export class HeldLease {
  private revision: number | null = null;
  private until = 0;

  constructor(
    private readonly lease: Lease,
    private readonly me: Leader,
  ) {}

  /** By this node's clock, which starts before the lease is requested, so the hold ends here first. */
  get isOver(): boolean {
    return performance.now() > this.until;
  }

  /** Takes the lease, or renews this node's earlier hold of that revision; false if another node was first. */
  async take(revision: number | null): Promise<boolean> {
    const asked = performance.now();
    this.revision = await this.lease.hold(this.me, revision);
    if (this.revision === null) return false;
    this.until = asked + this.lease.ms;
    return true;
  }

  renew(): Promise<boolean> {
    return this.take(this.revision);
  }

  /** Others then need not wait for the lease to expire. */
  async giveBack(): Promise<void> {
    const { revision } = this;
    this.revision = null;
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
