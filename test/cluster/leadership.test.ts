// The lease by which a node may try to lead, while the store is slow.
import { expect, test } from "bun:test";
import { NoAnswer } from "@/cluster/appender.ts";
import { HeldLease } from "@/cluster/leadership.ts";
import { ClusterNode } from "@/cluster/node.ts";
import { type Leader, type Lease, type SharedLog, Unanswered } from "@/cluster/shared-log.ts";
import { Beats } from "@/cluster/watching/beats.ts";
import { UnconfirmedEntries } from "@/cluster/watching/unconfirmed.ts";
import { encode } from "@/cluster/wire.ts";
import { type Entry, type Position, Unconfirmed } from "@/kernel/commit-log.ts";
import { silentLog } from "@/kernel/log.ts";
import type { LoggedWrites } from "@/kernel/logged-writes.ts";
import { until } from "../support/waiting.ts";

/** A lease in memory that can execute a request without answering it. */
class TestLease implements Lease {
  readonly ms = 2_000;
  revision = 0;
  held: Leader | null = null;
  losesAnswer = false;

  async holder() {
    return this.held && { leader: this.held, revision: this.revision };
  }

  async hold(leader: Leader, revision: number | null): Promise<number | null> {
    if (revision === null ? this.held !== null : this.held === null || revision !== this.revision)
      return null;
    this.held = leader;
    this.revision++;
    if (this.losesAnswer) throw new Error("timeout");
    return this.revision;
  }

  async giveBack(revision: number): Promise<void> {
    if (revision === this.revision) this.held = null;
  }
}

const [a, b] = [
  { node: "a", url: "http://a" },
  { node: "b", url: "http://b" },
];

test("a node keeps the lease after a renewal that succeeded without an answer", async () => {
  const lease = new TestLease();
  const held = new HeldLease(lease, a);
  expect(await held.take(null)).toBe(true);
  lease.losesAnswer = true;
  await expect(held.renew()).rejects.toThrow("timeout");
  lease.losesAnswer = false;
  expect(await held.renew()).toBe(true);
  expect(await held.renew()).toBe(true);
  await held.giveBack();
  expect(await lease.holder()).toBeNull();
});

test("a node takes a lease again that expired before its renewal came", async () => {
  const lease = new TestLease();
  const held = new HeldLease(lease, a);
  await held.take(null);
  lease.held = null;
  expect(await held.renew()).toBe(true);
});

test("a lease that another node took is lost, even if its process has the same name", async () => {
  for (const other of [b, a]) {
    const lease = new TestLease();
    const held = new HeldLease(lease, a);
    await held.take(null);
    lease.held = null;
    expect(await new HeldLease(lease, other).take(null)).toBe(true);
    expect(await held.renew()).toBe(false);
    await held.giveBack();
    expect((await lease.holder())?.leader.node).toBe(other.node);
  }
});

test("what the log has at the place of an unanswered entry decides what became of it", async () => {
  const mine = { seq: 7, digest: "mine" };
  const foundWith = async (read: { seq: number; digest: string } | null) => {
    const node = {
      checkLog: async () => {
        if (read) entries.read(read);
      },
      reach: async () => true,
    };
    const entries = new UnconfirmedEntries(node, read?.seq === mine.seq ? 60_000 : 1);
    return entries.errorFor(new NoAnswer("No answer", mine)).found;
  };
  expect(await foundWith(mine)).toBe(true);
  expect(await foundWith({ seq: 7, digest: "another's" })).toBe(false);
  expect(await foundWith({ seq: 6, digest: "mine" })).toBeNull();
  expect(await foundWith(null)).toBeNull();
});

test("a process that is too busy to look at the lease in time notices that", async () => {
  let begun = 0;
  const beats = new Beats(async () => {
    begun++;
    return 10;
  });
  beats.start();
  await until(() => begun >= 2, "it looks at the lease", 1);
  expect(begun).toBeGreaterThan(1);
  const busyUntil = performance.now() + 400;
  const before = begun;
  while (performance.now() < busyUntil);
  await until(() => begun > before, "it looks at the lease again", 1);
  expect(beats.areLate).toBe(true);
  await beats.stop();
});

test("what became of an unanswered entry is also known if the log shows it while the leader steps down", async () => {
  const lease = new TestLease();
  const entries: Uint8Array[] = [];
  let announced: (seq: number, data: Uint8Array) => void = () => {};
  const shared = {
    maxBytes: 1_000_000,
    lease,
    append: async (data: Uint8Array) => {
      if (entries.length > 0) throw new Unanswered("timeout");
      entries.push(data);
    },
    ends: async () => ({ first: 1, last: entries.length, bytes: 0 }),
    read: async (from: number, to: number) => entries.slice(from - 1, to),
    talk: {
      announce: () => {},
      positions: async () => [],
      listen: (listener: { announced: typeof announced }) => {
        announced = (seq, data) => listener.announced(seq, data);
      },
    },
    close: async () => {},
  } as unknown as SharedLog;
  const node = new ClusterNode(shared, { me: a, log: silentLog, end: () => {} });
  const replica = {
    position: { seq: 0, digest: "" } as Position,
    nextEventId: 0,
    isStuck: false,
    schema: 1,
    async catchUp() {
      for (const entry of await node.read(replica.position)) replica.apply(entry);
    },
    apply: ({ position }: Entry) => {
      replica.position = position;
    },
    keepRoom: () => {},
  };
  await node.start(replica as unknown as LoggedWrites);
  await until(() => node.leads, "the node leads", 1);
  const giveBack = Promise.withResolvers<void>();
  lease.giveBack = () => giveBack.promise;
  const nothing = { written: [], emitted: [] };
  const appended = node.append(nothing, replica.position).catch((error: unknown) => error);
  await until(() => !node.leads, "the node no longer leads", 1);
  const others = encode({ term: 2, leads: "b", after: replica.position.digest }, nothing);
  entries.push(others);
  announced(2, others);
  giveBack.resolve();
  const thrown = (await appended) as Unconfirmed;
  expect(thrown).toBeInstanceOf(Unconfirmed);
  expect(await thrown.found).toBe(false);
  await node.stop();
});
