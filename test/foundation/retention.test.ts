import { afterAll, describe, expect, test } from "bun:test";
import { recordAudit } from "@/foundation/audit/actions.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { retentionState } from "@/foundation/retention/schema.ts";
import { deleteExpired } from "@/messaging/bulk-deletion/retention.ts";
import { jsonHere, runHere } from "../support/command-line.ts";
import { stage } from "../support/console.ts";
import { openDatabaseOf } from "../support/database.ts";
import { cleanUp, newOrganization } from "../support/executable.ts";
import { runJob } from "../support/jobs.ts";
import type { Json, Params } from "../support/requests.ts";
import { type CapturedEvent, type CastName, type World, world } from "../support/world.ts";

const day = 86_400;

/** The channel `short` with this retention, and `usual` with the organization's. */
async function scene({ short = 7 as number | null, organization = -1 } = {}) {
  const w = world();
  const channels: Record<string, number> = {};
  for (const name of ["short", "usual"]) {
    const subscribers = [w.user("mel").id, w.user("gus").id];
    channels[name] = (await w.as("ada").post("/channels/create", { name, subscribers })).body.id;
  }
  // Set directly, because the actions for these settings are tested elsewhere.
  await w.app.env.db.write(w.ctx("system"), (tx) => {
    tx.run("UPDATE channels SET message_retention_days = ? WHERE name = 'short'", short);
    realmSettings.write(tx, "message_retention_days", organization);
  });
  return { ...w, channels };
}

async function send({ as }: World, to: string, topic = "t", content = "a"): Promise<number> {
  return (await as("mel").post("/messages", { type: "channel", to, topic, content })).body.id;
}

async function sendDirect({ as, user }: World, to: CastName[]): Promise<number> {
  const people = to.map((name) => user(name).id);
  return (await as("mel").post("/messages", { type: "direct", to: people, content: "psst" })).body.id;
}

const run = (w: World) => runJob(w, "retention");

const left = ({ app }: World) =>
  app.env.db.all<{ id: number }>("SELECT id FROM messages ORDER BY id").map((row) => row.id);

const deleted = (events: CapturedEvent[]) => events.filter(({ event }) => event.type === "delete_message");

describe("retention", () => {
  test("deletes a channel's expired messages, and emits that by topic to their readers", async () => {
    const w = await scene();
    const old = [
      await send(w, "short", "cake"),
      await send(w, "short", "pie"),
      await send(w, "short", "Cake"),
    ];
    const kept = [await send(w, "usual"), await sendDirect(w, ["gus"])];
    await w.as("gus").post(`/messages/${old[0]}/reactions`, { emoji_name: "tada" });
    await w.as("gus").post("/messages/flags", { messages: old, op: "add", flag: "starred" });
    w.clock.advance(7 * day - 10);
    const young = await send(w, "short", "cake");
    expect(await run(w)).toEqual([]);

    w.clock.advance(11);
    const events = await run(w);
    expect(left(w)).toEqual([...kept, young]);
    const place = { type: "delete_message", message_type: "stream", stream_id: w.channels.short };
    expect(events).toEqual([
      { audience: ["mel", "gus"], event: { ...place, message_ids: [old[0], old[2]], topic: "cake" } },
      { audience: ["mel", "gus"], event: { ...place, message_ids: [old[1]], topic: "pie" } },
      {
        audience: ["olive", "ada", "moss", "mel", "max", "gus", "bolt"],
        event: expect.objectContaining({ property: "first_message_id", value: young }),
      },
    ]);
    expect(w.app.env.db.all("SELECT * FROM reactions")).toEqual([]);
    expect(w.app.env.db.all("SELECT * FROM message_flags")).toEqual([]);
  });

  test("of the organization applies to direct messages and to channels without their own", async () => {
    const w = await scene({ short: null, organization: 30 });
    const old = [await send(w, "short"), await send(w, "usual"), await sendDirect(w, ["gus"])];
    w.clock.advance(31 * day);
    const young = [await send(w, "usual"), await sendDirect(w, ["gus"])];
    const events = deleted(await run(w));
    expect(left(w)).toEqual(young);
    expect(events.map(({ event }) => event.message_ids)).toEqual(old.map((id) => [id]));
    expect(events[2]).toEqual({
      audience: ["mel", "gus"],
      event: { type: "delete_message", message_type: "private", message_ids: [old[2]] },
    });
  });

  test("of a channel may be longer than the organization's, or unlimited", async () => {
    const w = await scene({ short: -1, organization: 30 });
    const kept = await send(w, "short");
    await send(w, "usual");
    w.clock.advance(1000 * day);
    await run(w);
    expect(left(w)).toEqual([kept]);
  });

  test("keeps everything by default", async () => {
    const w = await scene({ short: null });
    const kept = [await send(w, "short"), await sendDirect(w, ["gus"])];
    w.clock.advance(10_000 * day);
    expect(await run(w)).toEqual([]);
    expect(left(w)).toEqual(kept);
  });

  test("releases the files that messages link to, and emits that to their owners", async () => {
    const w = await scene();
    const { url } = (await w.as("mel").upload("/user_uploads", new File(["hi"], "a.txt"))).body;
    const id = await send(w, "short", "t", `[a](${url})`);
    const messages = async () => (await w.as("mel").get("/attachments")).body.attachments[0].messages;
    expect(await messages()).toMatchObject([{ id }]);
    w.clock.advance(8 * day);
    const events = await run(w);
    expect(await messages()).toEqual([]);
    expect(events.find(({ event }) => event.type === "attachment")).toMatchObject({
      audience: ["mel"],
      event: { op: "update", attachment: { messages: [] } },
    });
  });

  test("applies to archived channels, too", async () => {
    const w = await scene();
    await send(w, "short");
    await w.app.env.db.write(w.ctx("system"), (tx) => tx.run("UPDATE channels SET is_archived = 1"));
    w.clock.advance(8 * day);
    expect(deleted(await run(w))).toHaveLength(1);
    expect(left(w)).toEqual([]);
  });

  test("works in batches through any number of conversations", async () => {
    const w = await scene({ organization: 30 });
    await w.app.env.db.write(w.ctx("system"), (tx) => {
      const numbers = (most: number) =>
        `(WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ${most}) SELECT value FROM n)`;
      const one = `${tx.now}, 0, 't', 't', 'x', 'x'`;
      const message =
        "INSERT INTO messages (conversation_id, home_id, seq, sender_id, client_id, sent_at, bits, topic, topic_key, " +
        "content, rendered) SELECT ";
      tx.run("INSERT INTO clients (id, name) VALUES (1, 'x')");
      tx.run(`${message} 1, 1, value, ${w.user("mel").id}, 1, ${one} FROM ${numbers(1100)}`);
      const people = `${w.user("mel").id},`;
      tx.run(
        `INSERT INTO conversations (id, participants) SELECT 10 + value, ?||value FROM ${numbers(1010)}`,
        people,
      );
      tx.run(
        `${message} 10 + value, 10 + value, 1, ${w.user("mel").id}, 1, ${one} FROM ${numbers(1010)} WHERE value > 990`,
      );
    });
    w.clock.advance(31 * day);
    const events = deleted(await run(w));
    expect(events.slice(0, 11).map(({ event }) => event.message_ids.length)).toEqual(Array(11).fill(100));
    expect(events).toHaveLength(11 + 20);
    expect(left(w)).toEqual([]);
  });

  test("runs only in the server, one run at a time", async () => {
    const w = await scene();
    await send(w, "short");
    w.clock.advance(8 * day);
    expect(deleteExpired(w.ctx("olive"))).rejects.toThrow("Only the server itself may do this");
    await w.app.env.db.write(w.ctx("system"), () => {});
    const from = w.events.length;
    await Promise.all([run(w), run(w)]);
    expect(deleted(w.events.slice(from))).toHaveLength(1);
  });
});

/** Messages of 30 days ago in `usual` and to gus, one of them with a file; of today, one more. */
async function aged() {
  const w = await scene({ short: null });
  const { url } = (await w.as("mel").upload("/user_uploads", new File(["hi"], "a.txt"))).body;
  const { url: shared } = (await w.as("mel").upload("/user_uploads", new File(["ho"], "b.txt"))).body;
  const old = [await send(w, "usual", "t", `[a](${url}) [b](${shared})`), await sendDirect(w, ["gus"])];
  w.clock.advance(30 * day);
  const young = await send(w, "usual", "t", `[b](${shared})`);
  return { ...w, old, young };
}

const keep = ({ as }: World, days: number | "unlimited", who: CastName = "olive") =>
  as(who).patch("/realm", { message_retention_days: days });

async function sweeps({ as }: World): Promise<Json[]> {
  return (await as("ada").get("/audit_log", { event: "retention_swept" })).body.entries;
}

describe("a shorter retention", () => {
  test("reads as changed at once, and deletes a day later, with an entry that counts", async () => {
    const w = await aged();
    const { status, events } = await keep(w, 7);
    expect(status).toBe(200);
    expect(events.map(({ event }) => [event.property, event.value])).toContainEqual([
      "message_retention_days",
      7,
    ]);
    expect((await w.queue("mel")).state.realm_message_retention_days).toBe(7);
    expect(deleted(await run(w))).toEqual([]);
    w.clock.advance(day - 10);
    expect(deleted(await run(w))).toEqual([]);
    expect(await sweeps(w)).toEqual([]);
    w.clock.advance(11);
    expect(deleted(await run(w))).toHaveLength(2);
    expect(left(w)).toEqual([w.young]);
    expect(await sweeps(w)).toMatchObject([
      {
        actor_id: null,
        about: { kind: "realm" },
        data: { messages: 2, files: 1, places: { usual: 1, "direct messages": 1 } },
      },
    ]);
    expect(deleted(await run(w))).toEqual([]);
    expect(await sweeps(w)).toHaveLength(1);
  });

  test("is taken back in the meantime", async () => {
    const w = await aged();
    await keep(w, 7);
    w.clock.advance(day / 2);
    await keep(w, "unlimited");
    w.clock.advance(10 * day);
    expect(deleted(await run(w))).toEqual([]);
    expect(left(w)).toEqual([...w.old, w.young]);
  });

  test("that is shortened once more waits again, and keeps what was kept at first", async () => {
    const w = await aged();
    await keep(w, 20);
    w.clock.advance(day - 10);
    await keep(w, 7);
    w.clock.advance(20);
    expect(deleted(await run(w))).toEqual([]);
    w.clock.advance(day);
    expect(deleted(await run(w))).toHaveLength(2);
  });

  test("of a channel waits, too, whatever the organization keeps; a longer one does not", async () => {
    const w = await aged();
    const id = w.channels.usual;
    const change = (days: number | string) =>
      w.as("olive").patch(`/streams/${id}`, { message_retention_days: days });
    expect((await change(7)).status).toBe(200);
    expect((await w.as("mel").get(`/streams/${id}`)).body.stream.message_retention_days).toBe(7);
    expect(deleted(await run(w))).toEqual([]);
    await change(60);
    w.clock.advance(2 * day);
    expect(deleted(await run(w))).toEqual([]);
    await change(7);
    await w.as("olive").post("/retention/sweep", { stream_id: id });
    expect(deleted(await run(w))).toHaveLength(1);
    expect((await w.as("olive").post("/retention/sweep", { stream_id: 99 })).status).toBe(400);
  });

  test("of the organization holds for a channel that joins it meanwhile", async () => {
    const w = await aged();
    await w.as("olive").patch(`/streams/${w.channels.usual}`, { message_retention_days: 365 });
    await keep(w, 7);
    await w.as("olive").patch(`/streams/${w.channels.usual}`, { message_retention_days: "realm_default" });
    expect(deleted(await run(w))).toEqual([]);
    w.clock.advance(day + 1);
    expect(deleted(await run(w))).toHaveLength(2);
  });
});

describe("sweep-now", () => {
  test("deletes at the next sweep if the owner says so, and nobody else", async () => {
    const w = await aged();
    await keep(w, 7);
    for (const who of ["ada", "moss", "mel"] as const) {
      const { status, body, events } = await w.as(who).post("/retention/sweep");
      expect([status, body.msg, events]).toEqual([400, "Must be an organization owner", []]);
    }
    expect(deleted(await run(w))).toEqual([]);
    expect((await w.as("olive").post("/retention/sweep")).status).toBe(200);
    expect(deleted(await run(w))).toHaveLength(2);
    const { entries } = (await w.as("ada").get("/audit_log", { by: w.user("olive").id, limit: 1 })).body;
    expect(entries).toMatchObject([{ event: "retention_released", about: { kind: "realm" } }]);
  });
});

describe("what comes to where less is kept", () => {
  test("stays for a day after it was moved there", async () => {
    const w = await aged();
    await w.as("olive").patch(`/streams/${w.channels.short}`, { message_retention_days: 7 });
    w.clock.advance(2 * day);
    const moved = { stream_id: w.channels.short, propagate_mode: "change_one" };
    expect((await w.as("ada").patch(`/messages/${w.old[0]}`, moved)).status).toBe(200);
    expect(deleted(await run(w))).toEqual([]);
    w.clock.advance(day + 1);
    expect(deleted(await run(w)).map(({ event }) => event.message_ids)).toEqual([[w.old[0]]]);
  });

  test.each(["imported", "restored"] as const)(
    "stays for a day after the organization was %s",
    async (event) => {
      const w = await aged();
      await keep(w, 7);
      w.clock.advance(2 * day);
      await w.app.env.db.write(w.ctx("system"), (tx) => recordAudit(tx, { event, about: { kind: "realm" } }));
      expect(deleted(await run(w))).toEqual([]);
      w.clock.advance(day);
      expect(deleted(await run(w))).toHaveLength(2);
    },
  );

  test("goes at once after an import if the owner says so", async () => {
    const w = await aged();
    await keep(w, 7);
    w.clock.advance(2 * day);
    await w.app.env.db.write(w.ctx("system"), (tx) =>
      recordAudit(tx, { event: "imported", about: { kind: "realm" } }),
    );
    await w.as("olive").post("/retention/sweep");
    expect(deleted(await run(w))).toHaveLength(2);
  });
});

describe("a sweep that was cut short", () => {
  test("is in the audit log with what it had deleted before", async () => {
    const w = await aged();
    const swept = { messages: 5, files: 2, places: { usual: 5 } };
    await w.app.env.db.write(w.ctx("system"), (tx) => retentionState.write(tx, "swept", swept));
    await keep(w, 7);
    w.clock.advance(day + 1);
    await run(w);
    expect(await sweeps(w)).toMatchObject([
      { data: { messages: 7, files: 3, places: { usual: 6, "direct messages": 1 } } },
    ]);
  });
});

describe("count-expiring", () => {
  test("counts messages, and files that no other message links to", async () => {
    const w = await aged();
    const count = async (params: Params, who: CastName = "olive") =>
      (await w.as(who).get("/retention/expiring", params)).body;
    expect(await count({ days: 7 })).toMatchObject({ messages: 2, files: 1 });
    expect(await count({ days: 31 })).toMatchObject({ messages: 0, files: 0 });
    expect(await count({ days: -1 })).toMatchObject({ messages: 0, files: 0 });
    expect(await count({ days: 7, stream_id: w.channels.usual })).toMatchObject({ messages: 1, files: 1 });
    await w.as("olive").patch(`/streams/${w.channels.usual}`, { message_retention_days: "unlimited" });
    expect(await count({ days: 7 })).toMatchObject({ messages: 1, files: 0 });
    expect(await count({ days: 7 }, "ada")).toMatchObject({ msg: "Must be an organization owner" });
    expect((await count({ days: 7, stream_id: 99 })).result).toBe("error");
  });

  test("says since when there are such messages", async () => {
    const w = await aged();
    const { message } = (await w.as("mel").get(`/messages/${w.old[0]}`)).body;
    const { body } = await w.as("olive").get("/retention/expiring", { days: 7 });
    expect(body.oldest).toBe(message.timestamp);
    expect((await w.as("olive").get("/retention/expiring", { days: 31 })).body.oldest).toBeNull();
  });
});

describe("get-retention-waits", () => {
  test("lists where a shorter time waits, and until when", async () => {
    const w = await aged();
    const waits = async (who: CastName = "olive") => (await w.as(who).get("/retention")).body;
    expect(await waits()).toMatchObject({ paused_until: null, holds: [] });
    await keep(w, 7);
    await w.as("olive").patch(`/streams/${w.channels.usual}`, { message_retention_days: 3 });
    const until = w.clock.now() + day;
    expect((await waits()).holds).toEqual([
      { stream_id: null, days: -1, until },
      { stream_id: w.channels.usual, days: -1, until },
    ]);
    await w.as("olive").post("/retention/sweep", { stream_id: w.channels.usual });
    expect((await waits()).holds).toHaveLength(1);
    w.clock.advance(day + 1);
    expect((await waits()).holds).toEqual([]);
    expect((await waits("ada")).msg).toBe("Must be an organization owner");
  });
});

describe("the console", () => {
  test("says how much a shorter retention deletes, and goes on once it is chosen when", async () => {
    const w = await aged();
    const { press, type, sees, frame } = stage(w, "olive", { columns: 150 });
    await press("T", "e");
    await sees("How long messages are kept");
    await press(...Array(8).fill("backspace"));
    await type("7 days");
    await press("save");
    await sees("2 messages in the organization are older than 7 days");
    expect((await w.queue("olive")).state.realm_message_retention_days).toBe(-1);
    await press("tab", "right", "save");
    await sees("Changed how long messages are kept.");
    expect((await w.queue("olive")).state.realm_message_retention_days).toBe(7);
    expect(frame()).not.toContain("older than");
    expect(deleted(await run(w))).toEqual([]);
    await press("u");
    await sees("Undone");
    w.clock.advance(3 * day);
    expect(deleted(await run(w))).toEqual([]);
  });
});

describe("the console, if it is chosen to delete now", () => {
  test("says first how much, and deletes once that was said", async () => {
    const w = await aged();
    const { press, type, sees, frame } = stage(w, "olive", { columns: 150 });
    const asked = async (days: string) => {
      await press("T", "e");
      await sees("How long messages are kept");
      await press(...Array(8).fill("backspace"));
      await type(days);
      await press("tab", "right", "right", "save");
    };
    await asked("7 days");
    await sees("2 messages in the organization are older than 7 days");
    expect(frame().replaceAll(/[│\s]+/g, " ")).toContain("deletes them for good. To go on, save again.");
    expect((await w.queue("olive")).state.realm_message_retention_days).toBe(-1);
    await press("save");
    await sees("Changed how long messages are kept.");
    expect(deleted(await run(w))).not.toEqual([]);
  });

  test("takes no choice of when without a change of how long", async () => {
    const w = await aged();
    for (const screen of ["T", "6"]) {
      const { press, sees, controller } = stage(w, "olive", { columns: 150 });
      await press(screen, "e", ...Array(screen === "T" ? 1 : 7).fill("tab"), "right", "save");
      await sees("'Deletion' belongs to a change of how long");
      expect(controller.state.notice?.undos).toBeUndefined();
    }
  });
});

describe("the command line", () => {
  afterAll(() => cleanUp());

  test("says how much a shorter retention deletes, and asks", async () => {
    const { data } = await newOrganization();
    const cli = (...args: string[]) => runHere([...args, "--data", data]);
    await cli("channel", "create", "general");
    for (const text of ["one", "two"]) await cli("message", "send", text, "--to", "general", "--topic", "t");
    const database = openDatabaseOf(data);
    database.run(`UPDATE messages SET sent_at = sent_at - ${30 * day}`);
    database.close();

    const refused = await cli("channel", "update", "general", "--retention", "7");
    expect(refused).toMatchObject({ status: 2 });
    expect(refused.stderr).toContain("messages in general are older than 7 days.");
    expect(refused.stderr).toContain("Add --yes to confirm");
    const show = () => jsonHere(["channel", "show", "general", "--data", data]);
    expect(await show()).toMatchObject({ message_retention_days: null });
    expect(await cli("channel", "update", "general", "--retention", "7", "--yes")).toMatchObject({
      status: 0,
    });
    expect(await show()).toMatchObject({ message_retention_days: 7 });
    expect(await cli("channel", "update", "general", "--retention", "60")).toMatchObject({ status: 0 });

    await cli("channel", "update", "general", "--retention", "realm_default");
    expect((await cli("realm", "set", "message_retention_days", "7")).stderr).toContain("Add --yes");
    const now = await cli("realm", "set", "message_retention_days", "7", "--now");
    expect(now.stderr).toContain("within an hour, deletes them for good");
    expect(await cli("realm", "set", "message_retention_days", "7", "--now", "--yes")).toMatchObject({
      status: 0,
    });
    expect(await cli("realm", "set", "name", "Crew", "--now")).toMatchObject({ status: 2 });
    const entries = await jsonHere<Json[]>(["audit", "--event", "retention_released", "--data", data]);
    expect(entries).toMatchObject([{ about: { kind: "realm" }, actor: "olive@example.com" }]);
  });
});
