// A log that nodes of one process share in memory, and a lease in it whose record a test can change, as a faulty store would.
import type { LeadershipOptions } from "@/cluster/leadership.ts";
import { ClusterNode } from "@/cluster/node.ts";
import {
  Fenced,
  type Leader,
  type Lease,
  type LeaseRecord,
  type Peer,
  type SharedLog,
  type Talk,
} from "@/cluster/shared-log.ts";
import { silentLog } from "@/kernel/lib/log.ts";
import type { Entry, LogPosition } from "@/kernel/store/commit-log.ts";
import type { LoggedWrites } from "@/kernel/store/logged-writes.ts";

/** Never expires by itself. It can execute a request without answering it. */
export class MemoryLease implements Lease {
  record: LeaseRecord | null = null;
  losesAnswer = false;
  /** The holder's process has no connection. */
  isLeft = false;
  private revisions = 0;

  constructor(readonly ms = 1_000) {}

  async read(): Promise<LeaseRecord | null> {
    return this.record;
  }

  async hold(leader: Leader, revision: number): Promise<number | null> {
    if (revision !== (this.record?.revision ?? 0)) return null;
    this.put(leader);
    if (this.losesAnswer) throw new Error("timeout");
    return this.revisions;
  }

  async giveBack(revision: number): Promise<void> {
    if (revision === this.record?.revision) this.put(null);
  }

  async hasLeft(): Promise<boolean> {
    return this.isLeft;
  }

  /** Stores a record, whatever there is. */
  put(leader: Leader | null): void {
    this.record = { revision: ++this.revisions, leader };
  }
}

type Listener = Parameters<Talk["listen"]>[0];

export class MemoryLog {
  readonly entries: Uint8Array[] = [];
  readonly lease: MemoryLease;
  /** Of each node that follows. */
  readonly listeners: Listener[] = [];

  /** By default, none takes the lead from another on a busy machine, unless a test lets it. */
  constructor(leaseMs = 1_000) {
    this.lease = new MemoryLease(leaseMs);
  }

  /** What one node opens; `more` replaces parts of it. */
  shared(more: Partial<SharedLog> = {}): SharedLog {
    let mine: Listener | null = null;
    const { entries, lease, listeners } = this;
    const talk: Partial<Talk> = {
      announce: (seq, data) => {
        for (const one of listeners) if (one !== mine) one.onEntry(seq, data);
      },
      broadcast: () => {},
      positions: async () => listeners.map((one) => one.peer().position),
      peers: async () => listeners.map((one): Peer => one.peer()),
      haveTried: (of, found) => {
        for (const one of listeners) void one.trial(of).then((trial) => trial && found(trial));
      },
      states: async () => [],
      report: () => {},
      listen: (listener) => {
        mine = listener;
        listeners.push(listener);
      },
    };
    const shared: Partial<SharedLog> = {
      maxBytes: 1_000_000,
      lease,
      append: async (data, _, after) => {
        if (entries.length !== after) throw new Fenced("Another entry is there");
        entries.push(data);
      },
      ends: async () => ({ first: 1, last: entries.length, bytes: 0 }),
      read: async (from, to) => entries.slice(from - 1, to),
      talk: talk as Talk,
      close: async () => {
        if (mine) listeners.splice(listeners.indexOf(mine), 1);
      },
      ...more,
    };
    return shared as SharedLog;
  }
}

/** A node whose database is a position. */
export class MemoryNode {
  readonly node: ClusterNode;
  /** Why it ended. */
  reason: string | null = null;
  position: LogPosition = { seq: 0, digest: "" };

  constructor(shared: SharedLog, me: Leader, more: Partial<LeadershipOptions> = {}) {
    const end = (error: Error) => {
      this.reason = error.message;
    };
    this.node = new ClusterNode(shared, { me, log: silentLog, end, ...more });
  }

  async start(): Promise<void> {
    await this.node.start(this.replica as unknown as LoggedWrites);
  }

  readonly replica = {
    nextEventId: 0,
    isStuck: false,
    schema: 1,
    self: this,
    get position() {
      return this.self.position;
    },
    async catchUp() {
      for (;;) {
        const entries = await this.self.node.read(this.position);
        if (entries.length === 0) return;
        for (const entry of entries) this.apply(entry);
      }
    },
    apply({ position }: Entry) {
      this.self.position = position;
    },
    keepRoom() {},
    deliver() {},
  };
}
