import { describe, expect, test } from "bun:test";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { deleteExpired } from "@/messaging/bulk-deletion/retention.ts";
import { runJob } from "./support/jobs.ts";
import { type CastName, type Heard, type World, world } from "./support/world.ts";

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

const deleted = (events: Heard[]) => events.filter(({ event }) => event.type === "delete_message");

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
