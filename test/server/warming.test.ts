// Reading the initial state of a large organization once after the start.
import { expect, test } from "bun:test";
import { roles } from "@/foundation/permissions/schema.ts";
import type { Actor, Ctx, StateReader } from "@/kernel/core/context.ts";
import { earlyInSteps } from "@/kernel/events/state.ts";
import { silentLog } from "@/kernel/lib/log.ts";
import { nextSlice } from "@/kernel/lib/tasks.ts";
import { unreadCache } from "@/messaging/receipts/cached-unread.ts";
import { createChannel } from "@/places/channel-administration/actions.ts";
import { warmUp } from "@/warming.ts";
import { world } from "../support/world.ts";

const enough = 2000;

/**
 * An organization with this many more members, and a state of two parts that note who reads them; the first with pauses. `usual` adds
 * the parts of the real state.
 */
async function organization(members: number, pauses: number, usual = false) {
  const { app, ctx } = world();
  await app.env.db.write(app.system, (tx) =>
    tx.run(
      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) " +
        "INSERT INTO users (email, email_key, delivery_email, delivery_email_key, full_name, full_name_key, role, is_bot, date_joined) " +
        "SELECT 'm' || i, 'm' || i, 'm' || i, 'm' || i, 'm' || i, 'm' || i, ?, 0, 0 FROM n",
      members,
      roles.member,
    ),
  );
  const channels = [];
  for (const name of ["one", "two"])
    channels.push((await createChannel(ctx("olive"), { name, description: "", subscribers: [] })).stream_id);
  const [one = 0, two = 0] = channels;
  await app.env.db.write(app.system, (tx) => {
    const sql =
      "INSERT INTO subscriptions (channel_id, user_id, is_subscribed, color) SELECT ?, id, 1, '' FROM users WHERE email = ?";
    for (const who of ["m7", "m1999"]) tx.run(sql, one, who);
    tx.run(sql, two, "m1999");
  });
  const read: string[] = [];
  const note = (part: string) => (ctx: Ctx) => {
    read.push(
      `${part} ${app.env.db.get<{ email: string }>("SELECT email FROM users WHERE id = ?", ctx.actor.id)?.email}`,
    );
    return {};
  };
  const inSteps = earlyInSteps(function* (ctx) {
    note("first")(ctx);
    for (let i = 0; i < pauses; i++) yield 1;
    note("end of first")(ctx);
    return {};
  });
  const state = new Map<string, StateReader>([
    ...(usual ? app.env.state : []),
    ["first", inSteps],
    ["second", note("second")],
  ]);
  const env = { ...app.env, state };
  return { app: { ...app, env, ctx: (actor: Actor) => ({ ...app.ctx(actor), env }) }, read };
}

const until = async (isTrue: () => boolean) => {
  while (!isTrue()) await Bun.sleep(1);
};

const someTurns = async () => {
  for (let i = 0; i < 20; i++) await nextSlice();
};

test("it is read ten times as the member in most channels, one part after another", async () => {
  const { app, read } = await organization(enough, 1000);
  warmUp(app, silentLog);
  await until(() => read.length === 30);
  await someTurns();
  const once = ["first m1999", "end of first m1999", "second m1999"];
  expect(read).toEqual(Array.from({ length: 10 }, () => once).flat());
});

test("it opens no queue, changes nothing, and keeps nothing of what the member has not read", async () => {
  const { app, read } = await organization(enough, 0, true);
  const { changes } = app.env.db;
  warmUp(app, silentLog);
  await until(() => read.length === 30 && unreadCache(app.system).keys().length === 0);
  expect(app.env.queues.all.size).toBe(0);
  expect(app.env.db.changes).toBe(changes);
});

test("the server's end ends it within a part", async () => {
  const { app, read } = await organization(enough, Number.POSITIVE_INFINITY);
  const end = warmUp(app, silentLog);
  await until(() => read.length === 1);
  end();
  await someTurns();
  expect(read).toEqual(["first m1999"]);
});

test("a small organization's is not read", async () => {
  const { app, read } = await organization(1, 0);
  warmUp(app, silentLog);
  await someTurns();
  expect(read).toEqual([]);
});
