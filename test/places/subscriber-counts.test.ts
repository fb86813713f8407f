// The numbers of subscribers that channels show, when the changes come from elsewhere: another process, the log of a cluster, a
// transaction that is rolled back. Numbers of folders that earlier versions made: test/operations/migrations.test.ts.
import { describe, expect, spyOn, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { open } from "@/app.ts";
import type { Core } from "@/core.ts";
import { deactivateUser, reactivateUser } from "@/foundation/accounts/actions.ts";
import { createChannel } from "@/places/channel-administration/actions.ts";
import { subscriberCounts, subscriberIds } from "@/places/subscriptions/access.ts";
import { subscribe, unsubscribe } from "@/places/subscriptions/actions.ts";
import { subscribeAtOnce } from "@/places/subscriptions/actions-at-once.ts";
import { temporaryFolders } from "../support/folder.ts";
import { testNodes } from "../support/nodes.ts";
import { type CastName, type World, world } from "../support/world.ts";

const newPlace = temporaryFolders();
const people = ["ada", "moss", "mel", "max", "gus"] as const satisfies CastName[];

async function channels(w: World, count: number): Promise<number[]> {
  const made: number[] = [];
  for (let i = 0; i < count; i++) {
    const name = `counted ${i}`;
    made.push((await createChannel(w.ctx("olive"), { name, subscribers: [w.user("olive").id] })).stream_id);
  }
  return made;
}

/** The numbers that are kept, and the members counted one by one; their tables are the same for each database. */
function numbersOf({ system }: Pick<Core, "system">, ids: readonly number[]) {
  const counts = subscriberCounts(system);
  return {
    kept: ids.map((id) => counts.get(id) ?? 0),
    counted: ids.map((id) => subscriberIds(system, id).size),
  };
}

describe("the number of a channel's subscribers", () => {
  test("is that of its active members, whatever happened before", async () => {
    const changes = ["join", "leave", "deactivate", "reactivate", "join, undone"] as const;
    const change = fc.record({
      what: fc.constantFrom(...changes),
      who: fc.uniqueArray(fc.constantFrom(...people), { minLength: 1 }),
      where: fc.uniqueArray(fc.nat(2), { minLength: 1 }),
    });
    const run = async (history: readonly (typeof change extends fc.Arbitrary<infer C> ? C : never)[]) => {
      const w = world();
      const ids = await channels(w, 3);
      const ctx = w.ctx("olive");
      const away = new Set<CastName>();
      for (const { what, who, where } of history) {
        const idsOf = (names: readonly CastName[]) => names.map((name) => w.user(name).id);
        const channel_ids = where.map((i) => ids[i] ?? 0);
        const user_ids = idsOf(who.filter((name) => !away.has(name)));
        if (what === "join") await subscribe(ctx, { channel_ids, user_ids });
        if (what === "leave") await unsubscribe(ctx, { channel_ids, user_ids });
        for (const name of what === "deactivate" || what === "reactivate" ? who : []) {
          if (away.has(name) !== (what === "reactivate")) continue;
          await (what === "deactivate" ? deactivateUser : reactivateUser)(ctx, w.user(name).id);
          if (!away.delete(name)) away.add(name);
        }
        if (what === "join, undone") {
          const undone = ctx.db.write(ctx, (tx) => {
            subscribeAtOnce.in(tx, { channel_ids, user_ids });
            throw new Error("undone");
          });
          await expect(undone).rejects.toThrow("undone");
        }
        const { kept, counted } = numbersOf(w.app, ids);
        expect(kept).toEqual(counted);
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(change, { minLength: 5, maxLength: 12 }), run), {
      numRuns: 15,
    });
  });

  test("is found without counting all subscriptions again after each change", async () => {
    const w = world();
    const [id = 0] = await channels(w, 2);
    const shown = async () =>
      (await w.as("olive").get("/streams")).body.streams.find(
        (one: { stream_id: number }) => one.stream_id === id,
      ).subscriber_count;
    expect(await shown()).toBe(1);
    await subscribe(w.ctx("olive"), { channel_ids: [id], user_ids: [w.user("mel").id] });
    const asked = spyOn(w.app.env.db, "all");
    expect(await shown()).toBe(2);
    const counting = asked.mock.calls
      .map(([sql]) => sql)
      .filter((sql) => /COUNT.*\bsubscriptions\b/s.test(sql));
    asked.mockRestore();
    expect(counting).toEqual([]);
  });

  test("follows what another process changes", async () => {
    const w = world();
    const ids = await channels(w, 2);
    const folder = newPlace();
    await Bun.write(join(folder, "confab.db"), w.app.env.db.sqlite.serialize());
    const [server, command] = [open(folder, { hosting: true }), open(folder)];
    expect(numbersOf(server, ids).kept).toEqual([1, 1]);
    const owner = command.ctx({ kind: "user", id: w.user("olive").id, client: "confab" });
    const user_ids = [w.user("mel").id, w.user("max").id];
    await subscribe(owner, { channel_ids: ids, user_ids });
    await deactivateUser(owner, w.user("max").id);
    server.env.db.noticeOthers(server.system);
    expect(numbersOf(server, ids)).toEqual({ kept: [2, 2], counted: [2, 2] });
    await Promise.all([command.close(), server.close()]);
  });

  test("follows the log of a cluster", async () => {
    const { w, nodes, caughtUp, close } = testNodes(2);
    const [leader, follower] = nodes.map(({ app }) => app) as unknown as [Core, Core];
    const ctx = leader.ctx({ kind: "user", id: w.user("olive").id, client: "test" });
    const { stream_id: id } = await createChannel(ctx, {
      name: "counted",
      subscribers: [w.user("olive").id],
    });
    await caughtUp();
    expect(numbersOf(follower, [id]).kept).toEqual([1]);
    await subscribe(ctx, { channel_ids: [id], user_ids: [w.user("mel").id, w.user("max").id] });
    await unsubscribe(ctx, { channel_ids: [id], user_ids: [w.user("mel").id] });
    await caughtUp();
    expect(numbersOf(follower, [id])).toEqual({ kept: [2], counted: [2] });
    await close();
  });
});
