// The lease by which a node may try to lead, while the store is slow.
import { afterEach, describe, expect, test } from "bun:test";
import { NoAppendAnswer } from "@/cluster/appender.ts";
import { HeldLease, KnownLeader, LeaseWatch } from "@/cluster/leadership.ts";
import { ClusterNode } from "@/cluster/node.ts";
import { type Leader, type SharedLog, Unanswered } from "@/cluster/shared-log.ts";
import { Beats } from "@/cluster/watching/beats.ts";
import { UnconfirmedEntries } from "@/cluster/watching/unconfirmed.ts";
import { encode } from "@/cluster/wire.ts";
import { silentLog } from "@/kernel/lib/log.ts";
import { type Entry, type LogPosition, Unconfirmed } from "@/kernel/store/commit-log.ts";
import type { LoggedWrites } from "@/kernel/store/logged-writes.ts";
import type { NodeState } from "@/operations/nodes/schema.ts";
import { until } from "../support/waiting.ts";
import { MemoryLease, MemoryLog, MemoryNode } from "./memory-log.ts";

const nothing = { written: [], emitted: [] };
/** A lease time that no test reaches. */
const longMs = 600_000;

const [a, b] = [
  { node: "a", url: "http://a" },
  { node: "b", url: "http://b" },
];

test("a node keeps the lease after a renewal that succeeded without an answer", async () => {
  const lease = new MemoryLease();
  const held = new HeldLease(lease, a);
  expect(await held.take(0)).toBe(true);
  lease.losesAnswer = true;
  await expect(held.renew()).rejects.toThrow("timeout");
  lease.losesAnswer = false;
  expect(await held.renew()).toBe(true);
  expect(await held.renew()).toBe(true);
  await held.giveBack();
  expect(await lease.read()).toMatchObject({ leader: null });
});

test("a lost lease is not renewed, even if nobody holds it now, but may be kept where that does no harm", async () => {
  for (const lose of [
    (lease: MemoryLease) => {
      lease.record = null;
    },
    (lease: MemoryLease) => {
      lease.put(b);
      lease.put(null);
    },
  ]) {
    const lease = new MemoryLease();
    const held = new HeldLease(lease, a);
    await held.take(0);
    lose(lease);
    expect(await held.renew()).toBe(false);
    expect(await held.renew()).toBe(false);
    expect((await lease.read())?.leader ?? null).toBeNull();
    expect(await held.keep()).toBe(true);
    expect(await held.renew()).toBe(true);
  }
});

test("a lease that another node took is lost, even if its process has the same name", async () => {
  for (const other of [b, a]) {
    const lease = new MemoryLease();
    const held = new HeldLease(lease, a);
    await held.take(0);
    lease.record = null;
    expect(await new HeldLease(lease, other).take(0)).toBe(true);
    expect(await held.keep()).toBe(false);
    await held.giveBack();
    expect((await lease.read())?.leader?.node).toBe(other.node);
  }
});

describe("a lease that another process holds", () => {
  const watched = async (ms: number, leader: Leader | null) => {
    const lease = new MemoryLease(ms);
    lease.put(leader);
    const watch = new LeaseWatch(lease, "mine");
    return { lease, watch, seen: await watch.look() };
  };

  test("is free once its record has not changed for two lease times by this process's own clock", async () => {
    const { watch } = await watched(20, { ...a, holdId: "other" });
    const seen = await until(async () => {
      const one = await watch.look();
      return one.isFree && one;
    }, "it is free");
    expect(seen).toMatchObject({ leader: { node: "a" }, revision: 1, isAlive: false });
    if (seen) expect(seen.unchangedMs).toBeGreaterThanOrEqual(40);
  });

  test("is not free while its record changes, or because the store has removed the record", async () => {
    const { lease, watch, seen } = await watched(longMs, { ...a, holdId: "other" });
    expect(seen).toMatchObject({ isFree: false, isAlive: false });
    lease.put({ ...a, holdId: "other" });
    expect(await watch.look()).toMatchObject({ isFree: false, isAlive: false, revision: 2 });
    lease.put({ ...a, holdId: "other" });
    expect(await watch.look()).toMatchObject({ isFree: false, isAlive: true, revision: 3 });
    lease.record = null;
    expect(await watch.look()).toMatchObject({ isFree: false, leader: { node: "a" }, revision: 0 });
  });

  test("is free at once if it was given back, or if the holder was this process", async () => {
    const { lease, watch } = await watched(longMs, { ...a, holdId: "other" });
    lease.put(null);
    expect(await watch.look()).toMatchObject({ isFree: true, leader: null, revision: 2 });
    lease.record = null;
    expect(await watch.look()).toMatchObject({ isFree: true, leader: null, revision: 0 });
    expect((await watched(longMs, { ...a, holdId: "mine" })).seen).toMatchObject({ isFree: true });
    expect((await watched(longMs, { ...a, holdId: "another process of a" })).seen.isFree).toBe(false);
  });

  test("may be taken once its process has had no connection for a moment, unless it is renewed or comes back", async () => {
    const { lease, watch } = await watched(longMs, { ...a, holdId: "other" });
    const left = (seen: { isLeft: boolean }) => seen.isLeft && seen;
    lease.isLeft = true;
    expect(await watch.look()).toMatchObject({ isFree: false, isLeft: false });
    expect(watch.leftMs).toBeLessThanOrEqual(150);
    lease.isLeft = false;
    await Bun.sleep(200);
    expect((await watch.look()).isLeft).toBe(false);
    expect(watch.leftMs).toBeGreaterThan(1_000);
    lease.isLeft = true;
    const seen = await until(async () => left(await watch.look()), "it has left");
    expect(seen).toMatchObject({ isFree: false, leader: { node: "a" }, revision: 1 });
    expect(watch.leftMs).toBe(0);
    lease.put({ ...a, holdId: "other" });
    expect(await watch.look()).toMatchObject({ isLeft: false, revision: 2 });
    expect((await watched(longMs, { ...a, holdId: "mine" })).seen.isLeft).toBe(false);
  });

  test("is taken from a dead one, but not from one that lives", async () => {
    const dead = new MemoryLease(20);
    dead.put({ ...b, holdId: "dead" });
    expect(await new HeldLease(dead, a).takeUnlessHeld()).toBe(true);

    const lease = new MemoryLease(longMs);
    lease.put({ ...b, holdId: "alive" });
    const { read } = lease;
    lease.read = async () => {
      const record = await read.call(lease);
      lease.put({ ...b, holdId: "alive" });
      return record;
    };
    // It looks again after a quarter of a lease time.
    Object.assign(lease, { ms: 4 });
    expect(await new HeldLease(lease, a).takeUnlessHeld()).toBe(false);
  });
});

describe("a node that waits for an upgrade, and leads only where no other does,", () => {
  const started = async (other: Partial<NodeState>) => {
    const log = new MemoryLog(longMs);
    let looks = 0;
    const states = async () => {
      looks++;
      return [
        { node: "a", is_waiting: true },
        { node: "b", ...other },
      ] as NodeState[];
    };
    const { talk, ...shared } = log.shared();
    const peers = async () => [{ node: "b", id: "b", position: 0 }];
    const one = new MemoryNode({ ...shared, talk: { ...talk, states, peers } }, a, { isLast: true });
    await one.start();
    return { one, looks: () => looks };
  };

  test.each([{ is_draining: true }, { is_waiting: true }])(
    "leads at once if the others say %o",
    async (other) => {
      const { one } = await started(other);
      await until(() => one.node.leads, "it leads");
      await one.node.stop();
    },
  );

  test("leaves the lead to one that may take it", async () => {
    const { one, looks } = await started({ is_draining: false });
    await until(() => looks() > 0, "it has looked");
    await one.node.stop();
    expect(one.position.seq).toBe(0);
  });
});

describe("a node that leads", () => {
  const ending: MemoryNode[] = [];
  afterEach(async () => {
    for (const one of ending.splice(0)) await one.node.stop();
  });
  const nodeOf = (log: MemoryLog, me: Leader, more: Partial<SharedLog> = {}) => {
    const one = new MemoryNode(log.shared(more), me);
    ending.push(one);
    return one;
  };
  const others = (log: MemoryLog, after: MemoryNode, term: number) =>
    log.entries.push(encode({ term, leads: "b", after: after.position.digest }, nothing));

  test("takes over again if it lost its lease, because another node may have led meanwhile", async () => {
    for (const lose of ["its record was removed", "another node gave it back"]) {
      const log = new MemoryLog(100);
      const { lease } = log;
      const one = nodeOf(log, a);
      await one.start();
      await until(() => one.node.leads, "it leads");
      expect(one.node.term).toBe(1);
      others(log, one, 2);
      if (lose === "its record was removed") lease.record = null;
      else {
        lease.put({ ...b, holdId: "b" });
        lease.put(null);
      }
      await until(() => one.node.leads && one.node.term > 1, `it leads again: ${lose}`);
      expect(one.node.term).toBe(3);
      expect(one.position.seq).toBe(log.entries.length);
    }
  });

  test("is followed by another one if it dies, though the store never ends its lease", async () => {
    const log = new MemoryLog(50);
    log.lease.put({ ...b, holdId: "dead" });
    const one = nodeOf(log, a);
    await one.start();
    await until(() => one.node.leads, "it leads");
    expect(log.lease.record?.leader?.node).toBe("a");
  });

  test("refuses another process of its name at its start, and that one changes nothing", async () => {
    const log = new MemoryLog();
    const one = nodeOf(log, a);
    await one.start();
    await until(() => one.node.leads, "it leads");
    const twin = nodeOf(log, { ...a, url: "http://elsewhere" });
    await expect(twin.start()).rejects.toThrow("Another server runs as the node a of this cluster.");
    expect(log.listeners).toHaveLength(1);
    expect([one.node.leads, one.node.term]).toEqual([true, 1]);
  });

  test("is not robbed of the lease by a process of its name that started unseen, which ends", async () => {
    const log = new MemoryLog();
    const { lease } = log;
    const leader = { ...a, holdId: "first" };
    const read = lease.read.bind(lease);
    // Renewed between any two looks.
    lease.read = () => {
      lease.put(leader);
      return read();
    };
    const twin = nodeOf(log, a);
    await twin.start();
    await until(() => twin.reason, "the twin ends");
    expect(twin.reason).toContain("Another server runs as the node a of this cluster.");
    expect(lease.record?.leader).toEqual(leader);
    expect(log.entries).toHaveLength(0);
  });
});

test("a node knows since when it leads, follows or is drained", async () => {
  const log = new MemoryLog(50);
  const began = Date.now();
  const [first, second] = [new MemoryNode(log.shared(), a), new MemoryNode(log.shared(), b)];
  await first.start();
  await until(() => first.node.leads, "a leads");
  const leads = first.node.since;
  expect(leads).toBeGreaterThanOrEqual(began);
  await second.start();
  const follows = second.node.since;
  // Renewals change nothing.
  const { revision } = log.lease.record ?? { revision: 0 };
  await until(() => (log.lease.record?.revision ?? 0) > revision + 2, "the lease was renewed");
  expect([first.node.since, second.node.since]).toEqual([leads, follows]);

  const asked = Date.now();
  await first.node.drain(true);
  const drained = first.node.since;
  expect(drained).toBeGreaterThanOrEqual(asked);
  await until(() => second.node.leads, "b leads");
  expect(second.node.since).toBeGreaterThanOrEqual(drained);
  await until(() => Date.now() > drained, "a millisecond passes", 1);
  // To be asked again changes nothing; to lead in another term does.
  await first.node.drain(true);
  expect(first.node.since).toBe(drained);
  const before = second.node.since;
  await until(() => Date.now() > before, "a millisecond passes", 1);
  await second.node.giveUp("it is less reached");
  expect(second.node.since).toBeGreaterThan(before);
  for (const one of [first, second]) await one.node.stop();
});

describe("two processes of one name that started at the same moment", () => {
  test("while another node leads: one of them ends", async () => {
    const log = new MemoryLog(50);
    const leader = new MemoryNode(log.shared(), b);
    await leader.start();
    await until(() => leader.node.leads, "b leads");
    const twins = [1, 2].map(() => new MemoryNode(log.shared(), a));
    await Promise.all(twins.map((one) => one.start()));
    await until(() => twins.some(({ reason }) => reason !== null), "one of them ends");
    expect(twins.filter(({ reason }) => reason !== null)).toHaveLength(1);
    for (const one of [leader, ...twins]) await one.node.stop();
  });
});

test("requests do not wait for a leader that was replaced by another process with its name", () => {
  const known = new KnownLeader();
  known.set({ ...a, holdId: "first" });
  const { gone } = known;
  known.set({ ...a, holdId: "first", term: 2 });
  expect(gone.aborted).toBe(false);
  known.set({ ...a, holdId: "second" });
  expect(gone.aborted).toBe(true);
  expect(known.gone.aborted).toBe(false);
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
    entries.expect(mine.seq);
    return entries.errorFor(new NoAppendAnswer("No answer", mine)).found;
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

test.each([
  ["got no answer", () => Promise.reject(new Unanswered("timeout"))],
  // As after it was frozen: its entry may have been refused while it could not read that.
  ["lost the lease while it waits for an answer", (lease: MemoryLease) => never(() => lease.put(b))],
])(
  "what the log has at the place of an entry is known, too, if it is read while the leader steps down that %s",
  async (_, answer) => {
    const lease = new MemoryLease();
    const entries: Uint8Array[] = [];
    let announced: (seq: number, data: Uint8Array) => void = () => {};
    const shared = {
      maxBytes: 1_000_000,
      lease,
      append: async (data: Uint8Array) => {
        if (entries.length > 0) return answer(lease);
        entries.push(data);
      },
      ends: async () => ({ first: 1, last: entries.length, bytes: 0 }),
      read: async (from: number, to: number) => entries.slice(from - 1, to),
      talk: {
        announce: () => {},
        peers: async () => [],
        report: () => {},
        listen: (listener: { onEntry: typeof announced }) => {
          announced = (seq, data) => listener.onEntry(seq, data);
        },
      },
      close: async () => {},
    } as unknown as SharedLog;
    const node = new ClusterNode(shared, { me: a, log: silentLog, end: () => {} });
    const replica = {
      position: { seq: 0, digest: "" } as LogPosition,
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
    // The next write need not wait for the log, which does not answer any more.
    const read = node.read(replica.position).then(String, String);
    expect(await read).toBe("Error: This node stops");
  },
);

/** Does something, and gets no answer. */
function never(act: () => void): Promise<never> {
  act();
  return new Promise(() => {});
}
