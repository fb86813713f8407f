import { describe, expect, test } from "bun:test";
import { deleteMessage } from "@/messaging/messages/actions.ts";
import { findMark } from "@/messaging/receipts/store.ts";
import { createChannel } from "@/places/channel-administration/actions.ts";
import { runJob } from "../support/jobs.ts";
import type { Json } from "../support/requests.ts";
import { type CastName, type World, world } from "../support/world.ts";

const path = (w: World, who: CastName) => `/users/me/muted_users/${w.user(who).id}`;
const mute = (w: World, who: CastName, other: CastName) => w.as(who).post(path(w, other));
const unmute = (w: World, who: CastName, other: CastName) => w.as(who).delete(path(w, other));

async function stage() {
  const w = world();
  const people: CastName[] = ["mel", "max", "gus"];
  const subscribers = people.map((who) => w.user(who).id);
  const { stream_id } = await createChannel(w.ctx("mel"), { name: "Design", description: "", subscribers });
  const send = async (by: CastName, content = "hello"): Promise<number> =>
    (await w.as(by).post("/messages", { type: "channel", to: stream_id, topic: "Lunch", content })).body.id;
  const write = async (by: CastName, to: CastName): Promise<number> =>
    (await w.as(by).post("/messages", { type: "direct", to: [w.user(to).id], content: "psst" })).body.id;
  const isRead = async (who: CastName, id: number): Promise<boolean> =>
    (await w.as(who).get(`/messages/${id}`)).body.message.flags.includes("read");
  const unread = async (who: CastName): Promise<number> => (await w.queue(who)).state.unread_msgs.count;
  return { w, stream_id, send, write, isRead, unread };
}

const shownTo = async (w: World, who: CastName) =>
  (await w.queue(who, { fetch_event_types: ["muted_users"] })).state.muted_users;

describe("mute-user", () => {
  test("lists muted users, and emits it only to the actor", async () => {
    const { w } = await stage();
    const muted = { id: w.user("mel").id, timestamp: w.clock.now() };
    const { status, events } = await mute(w, "max", "mel");
    expect(status).toBe(200);
    expect(events).toEqual([{ audience: ["max"], event: { type: "muted_users", muted_users: [muted] } }]);
    w.clock.advance(5);
    const second = { id: w.user("bolt").id, timestamp: w.clock.now() };
    expect((await mute(w, "max", "bolt")).events[0]!.event.muted_users).toEqual([muted, second]);
    expect(await shownTo(w, "max")).toEqual([muted, second]);
    expect(await shownTo(w, "mel")).toEqual([]);
  });

  test("marks all their messages as read, and no others", async () => {
    const { w, send, write, isRead, unread } = await stage();
    const theirs = [await send("mel"), await write("mel", "max")];
    const others = [await send("gus"), await write("gus", "max")];
    const { events } = await mute(w, "max", "mel");
    expect(events.slice(1)).toMatchObject([
      {
        audience: ["max"],
        event: { type: "update_message_flags", op: "add", flag: "read", messages: theirs, all: false },
      },
    ]);
    for (const id of theirs)
      expect([await isRead("max", id), await isRead("gus", theirs[0]!)]).toEqual([true, false]);
    for (const id of others) expect(await isRead("max", id)).toBe(false);
    expect(await unread("max")).toBe(2);
  });

  test("makes their later messages arrive read, only for the user who muted them", async () => {
    const { w, send, write, isRead, unread } = await stage();
    await mute(w, "max", "mel");
    const queues = { max: await w.queue("max"), gus: await w.queue("gus") };
    const id = await send("mel", "hello @**all** @**Max**");
    const direct = await write("mel", "max");
    const flagsIn = async (who: "max" | "gus") =>
      (await queues[who].poll())
        .filter(({ type }) => type === "message")
        .map(({ flags }: Json) => flags.includes("read"));
    expect([await flagsIn("max"), await flagsIn("gus")]).toEqual([[true, true], [false]]);
    expect([await isRead("max", id), await isRead("max", direct), await isRead("gus", id)]).toEqual([
      true,
      true,
      false,
    ]);
    expect([await unread("max"), await unread("gus")]).toEqual([0, 1]);
    const flags = (await w.as("max").get(`/messages/${id}`)).body.message.flags;
    expect(flags).toContain("mentioned");
  });

  test("writes nothing more for a message, however many have muted its sender", async () => {
    const { w, send } = await stage();
    const count = () => {
      const { sqlite } = w.app.env.db;
      const rows = (table: string) =>
        sqlite.query(`SELECT COUNT(*) AS n FROM ${table}`).get() as { n: number };
      return ["read_marks", "message_flags", "mute_spans"].map((table) => rows(table).n);
    };
    await send("mel");
    for (const who of ["max", "gus"] as const) await mute(w, who, "mel");
    const before = count();
    await send("mel");
    expect(count()).toEqual(before);
  });

  test("keeps a message unread that was marked as unread", async () => {
    const { w, send, isRead, unread } = await stage();
    await mute(w, "max", "mel");
    const [kept, other] = [await send("mel"), await send("mel")];
    const change = (op: "add" | "remove") =>
      w.as("max").post("/messages/flags", { messages: [kept], op, flag: "read" });
    expect((await change("remove")).body.messages).toEqual([kept]);
    expect([await isRead("max", kept), await isRead("max", other), await unread("max")]).toEqual([
      false,
      true,
      1,
    ]);
    await runJob(w, "mark-muted-read");
    expect([await isRead("max", kept), await unread("max")]).toEqual([false, 1]);
    await change("add");
    expect([await isRead("max", kept), await unread("max")]).toEqual([true, 0]);
  });

  test.each([
    ["oneself", "max", "You cannot mute yourself."],
    ["somebody twice", "gus", "You have muted this user already."],
  ] as const)("refuses %s", async (_, other, msg) => {
    const { w } = await stage();
    await mute(w, "max", "gus");
    expect(await mute(w, "max", other)).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg },
      events: [],
    });
  });

  test("refuses unknown users, and allows bots", async () => {
    const { w } = await stage();
    const unknown = await w.as("max").post("/users/me/muted_users/999");
    expect(unknown).toMatchObject({ status: 400, body: { msg: "No such user" }, events: [] });
    expect(await mute(w, "bolt", "max")).toMatchObject({ status: 200 });
    expect(await mute(w, "max", "dex")).toMatchObject({ status: 200 });
  });
});

describe("unmute-user", () => {
  test("makes later messages arrive unread; those between stay read", async () => {
    const { w, send, isRead, unread } = await stage();
    await mute(w, "max", "mel");
    const between = await send("mel");
    const { events } = await unmute(w, "max", "mel");
    expect(events).toEqual([{ audience: ["max"], event: { type: "muted_users", muted_users: [] } }]);
    const later = await send("mel");
    expect([await isRead("max", between), await isRead("max", later), await unread("max")]).toEqual([
      true,
      false,
      1,
    ]);
    await mute(w, "max", "mel");
    expect(await unread("max")).toBe(0);
    await unmute(w, "max", "mel");
    expect([await isRead("max", between), await isRead("max", later)]).toEqual([true, true]);
  });

  test("refuses users who are not muted or do not exist", async () => {
    const { w } = await stage();
    await mute(w, "max", "mel");
    await unmute(w, "max", "mel");
    const msg = "You have not muted this user.";
    expect(await unmute(w, "max", "mel")).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg },
      events: [],
    });
    const unknown = await w.as("max").delete("/users/me/muted_users/999");
    expect(unknown).toMatchObject({ status: 400, body: { msg: "No such user" }, events: [] });
  });
});

describe("settling what muting says", () => {
  const spans = (w: World) =>
    w.app.env.db.sqlite.query("SELECT COUNT(*) AS n FROM mute_spans").get() as { n: number };

  test("converts it into read marks, emits nothing, and removes ended mutes", async () => {
    const { w, send, isRead } = await stage();
    await mute(w, "max", "mel");
    const first = await send("mel");
    await send("gus");
    const second = await send("mel");
    await unmute(w, "max", "mel");
    const received = w.events.length;
    await runJob(w, "mark-muted-read");
    expect([w.events.length, spans(w).n]).toEqual([received, 0]);
    expect([await isRead("max", first), await isRead("max", second), await isRead("max", first + 1)]).toEqual(
      [true, true, false],
    );
  });

  test("continues while somebody is muted", async () => {
    const { w, send, isRead, unread } = await stage();
    await mute(w, "max", "mel");
    await send("mel");
    await runJob(w, "mark-muted-read");
    const home = w.app.env.db.get<{ home_id: number }>("SELECT home_id FROM messages LIMIT 1")!.home_id;
    expect(findMark(w.app.system, w.user("max").id, home)).toMatchObject({ upto: 1, bits: null });
    const later = await send("mel");
    expect([await isRead("max", later), await unread("max"), spans(w).n]).toEqual([true, 0, 1]);
  });

  test("handles deleted messages", async () => {
    const { w, send, isRead } = await stage();
    await mute(w, "max", "mel");
    const gone = await send("mel");
    await unmute(w, "max", "mel");
    await deleteMessage(w.ctx("ada"), gone);
    await mute(w, "max", "mel");
    const later = await send("mel");
    expect(await isRead("max", later)).toBe(true);
    await runJob(w, "mark-muted-read");
    expect([await isRead("max", later), spans(w).n]).toEqual([true, 1]);
  });
});

describe("read receipts", () => {
  const receipts = async (w: World, who: CastName, id: number): Promise<number[]> =>
    (await w.as(who).get(`/messages/${id}/read_receipts`)).body.user_ids;

  test("omit users muted by the reader, and users who mute the reader", async () => {
    const { w, send } = await stage();
    const id = await send("mel");
    for (const who of ["max", "gus"] as const)
      await w.as(who).post("/messages/flags", { messages: [id], op: "add", flag: "read" });
    const [max, gus] = [w.user("max").id, w.user("gus").id];
    expect(await receipts(w, "mel", id)).toEqual([max, gus].sort((a, b) => a - b));
    await mute(w, "max", "mel");
    expect(await receipts(w, "mel", id)).toEqual([gus]);
    await mute(w, "mel", "gus");
    expect(await receipts(w, "mel", id)).toEqual([]);
    await unmute(w, "max", "mel");
    expect(await receipts(w, "mel", id)).toEqual([max]);
  });

  test("are the same before and after the job marks messages as read", async () => {
    const { w, send } = await stage();
    await mute(w, "max", "mel");
    const [id, kept] = [await send("mel"), await send("mel")];
    await w.as("max").post("/messages/flags", { messages: [kept], op: "remove", flag: "read" });
    const seen = async () => [await receipts(w, "gus", id), await receipts(w, "gus", kept)];
    const before = await seen();
    expect(before).toEqual([[w.user("max").id], []]);
    await runJob(w, "mark-muted-read");
    expect(await seen()).toEqual(before);
  });
});
