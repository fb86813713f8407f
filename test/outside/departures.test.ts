// The turns in which things leave the machine: hosts and people in turn, slow hosts in places of their own, faults alone.
import { describe, expect, test } from "bun:test";
import type { Ctx } from "@/kernel/core/context.ts";
import { departures, restMs, slowMs } from "@/kernel/events/departures.ts";
import { until } from "../support/waiting.ts";
import { world } from "../support/world.ts";

interface Row {
  id: number;
  owner: number;
  host: string;
}

const limits = { atOnce: 4, perOwner: 2, perHost: 3, perSlowHost: 1 };

/** A queue in memory; what is sent is held until `end`. */
function scene() {
  const { app, clock } = world();
  const peers = { leads: true, tell() {} };
  const ctx = app.ctx(app.system.actor);
  const here: Ctx = { ...ctx, db: Object.create(ctx.db, { peers: { value: peers } }) };
  const rows: Row[] = [];
  const begun: number[] = [];
  const givenUp: number[] = [];
  const held = new Map<number, PromiseWithResolvers<void>>();
  const canGiveUp = { is: true };
  const remove = (id: number) => {
    const place = rows.findIndex((row) => row.id === id);
    if (place >= 0) rows.splice(place, 1);
  };
  const run = departures<Row>({
    limits,
    keyOf: ({ id }) => id,
    listHosts: () => [...new Set(rows.map(({ host }) => host))].sort(),
    listOwners: (_, host, above, max) => {
      const there = rows.filter((row) => row.host === host && row.owner > above);
      return [...new Set(there.map(({ owner }) => owner))].sort((a, b) => a - b).slice(0, max);
    },
    listDue: (_, host, owner, max) =>
      rows.filter((row) => row.host === host && row.owner === owner).slice(0, max),
    async send(_, { id }) {
      begun.push(id);
      const one = Promise.withResolvers<void>();
      held.set(id, one);
      await one.promise;
      remove(id);
    },
    async giveUp(_, { id }) {
      if (!canGiveUp.is) throw new Error("cannot delete");
      givenUp.push(id);
      remove(id);
    },
  });
  let ids = 0;
  return {
    clock,
    begun,
    givenUp,
    canGiveUp,
    rows,
    run: () => run(here),
    peers,
    add: (owner: number, host: string, count = 1) =>
      Array.from({ length: count }, () => {
        rows.push({ id: ++ids, owner, host });
        return ids;
      }),
    end(...some: number[]) {
      for (const id of some) held.get(id)?.resolve();
    },
    fail: (id: number) => held.get(id)?.reject(new Error(`fault of ${id}`)),
    /** Resolves once so many have begun. */
    reached: (count: number) =>
      until(
        () => begun.length >= count,
        () => `${count} have begun, not ${begun.length}`,
        0,
      ),
    endAll: () =>
      until(
        () => {
          for (const id of begun) held.get(id)?.resolve();
          return rows.length === 0;
        },
        "all have left",
        0,
      ),
  };
}

describe("departures", () => {
  test("start no more on a node that no longer leads, which could not delete what it has sent", async () => {
    const s = scene();
    s.add(1, "x", 9);
    const done = s.run();
    expect(s.begun).toHaveLength(limits.perOwner);
    s.peers.leads = false;
    s.end(...s.begun);
    await done;
    expect([s.begun.length, s.rows.length]).toEqual([limits.perOwner, 9 - limits.perOwner]);
    s.peers.leads = true;
    const on = s.run();
    await s.endAll();
    await on;
    expect(s.begun).toHaveLength(9);
  });

  test("start one of each owner, then a second one, and the next as soon as one has ended", async () => {
    const s = scene();
    const [a1 = 0, a2 = 0] = s.add(1, "x", 5);
    const [b1 = 0] = s.add(2, "x", 1);
    const done = s.run();
    expect(s.begun).toEqual([a1, b1, a2]);
    s.end(b1);
    await s.reached(3);
    const [c1 = 0] = s.add(3, "x", 1);
    s.end(a2);
    await s.reached(4);
    // The turn goes on after the first owner.
    expect(s.begun[3]).toBe(c1);
    await s.endAll();
    await done;
    expect(s.begun.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test("start no more at once than fit, of one owner, or to one host", async () => {
    const s = scene();
    s.add(1, "x", 9);
    s.add(2, "x", 9);
    s.add(3, "y", 9);
    s.add(3, "z", 9);
    const done = s.run();
    const begun = s.begun.map((id) => Math.ceil(id / 9));
    expect(begun).toHaveLength(limits.atOnce);
    expect(begun.filter((owner) => owner > 2)).toHaveLength(2);
    await s.endAll();
    await done;
    expect(s.begun).toHaveLength(36);
    expect(new Set(s.begun).size).toBe(36);
  });

  test("go on in a later call while hosts do not answer, which leave the places to others", async () => {
    const s = scene();
    for (const [owner, host] of [
      [1, "x"],
      [1, "y"],
      [2, "x"],
      [2, "y"],
    ] as const) {
      s.add(owner, host, 50);
    }
    const calls = [s.run()];
    expect(s.begun).toHaveLength(limits.atOnce);
    const [other = 0, next = 0] = s.add(3, "fine", 2);
    calls.push(s.run());
    expect(s.begun).not.toContain(other);
    s.clock.advance(slowMs / 1000);
    calls.push(s.run());
    expect(s.begun.slice(limits.atOnce)).toEqual([other, next]);
    s.end(other, next);
    await Promise.all(calls.slice(1));

    // After they have timed out, one each is tried, besides everything else.
    s.end(...s.begun.slice(0, limits.atOnce));
    await s.reached(limits.atOnce + 4);
    const again = s.begun.slice(limits.atOnce + 2).map((id) => s.rows.find((row) => row.id === id)?.host);
    expect(again.sort()).toEqual(["x", "y"]);
    const more = [...s.add(4, "fine", 2), ...s.add(5, "fine", 1)];
    calls.push(s.run());
    expect(s.begun.slice(-3).sort((a, b) => a - b)).toEqual(more);
    await s.endAll();
    await Promise.all(calls);
  });

  test("use a slow host fully again once it answers in time", async () => {
    const s = scene();
    const [first = 0] = s.add(1, "x");
    const done = s.run();
    s.clock.advance(10);
    s.add(1, "x", 2);
    s.add(2, "x", 2);
    s.end(first);
    await s.reached(2);
    await Promise.resolve();
    expect(s.begun).toHaveLength(2);
    s.end(s.begun[1] as number);
    await s.reached(2 + limits.perHost);
    await s.endAll();
    await done;
  });

  test("give up a row that fails by a fault, alone, and report the fault at the end", async () => {
    const s = scene();
    const [bad = 0] = s.add(1, "x");
    const good = s.add(1, "x", 3);
    const fault = s.run().then(
      () => null,
      (error: Error) => error.message,
    );
    s.fail(bad);
    await s.reached(3);
    expect(s.givenUp).toEqual([bad]);
    await s.endAll();
    expect(await fault).toBe(`fault of ${bad}`);
    expect(s.begun).toEqual([bad, ...good]);
  });

  test("let a row rest that can neither be sent nor given up", async () => {
    const s = scene();
    const [bad = 0] = s.add(1, "x");
    s.canGiveUp.is = false;
    const done = s.run();
    s.fail(bad);
    await expect(done).rejects.toThrow(`fault of ${bad}`);
    await s.run();
    expect(s.begun).toEqual([bad]);
    s.clock.advance(restMs / 1000);
    const again = s.run();
    await s.reached(2);
    s.end(bad);
    await again;
    expect(s.rows).toEqual([]);
  });
});
