// Which channels and users were recently active, by the hourly job and by sending.
import { describe, expect, test } from "bun:test";
import { runJob } from "../support/jobs.ts";
import type { Json } from "../support/requests.ts";
import { type CastName, type World, world } from "../support/world.ts";

const day = 86_400;

async function made(w: World, name: string, more: Record<string, unknown> = {}): Promise<number> {
  const subscribers = [w.user("mel").id];
  return (await w.as("mel").post("/channels/create", { name, subscribers, ...more })).body.id;
}

async function post(w: World, to: number, count = 1, by: CastName = "mel"): Promise<void> {
  const message = { type: "channel", to, topic: "t", content: "x" };
  for (let n = 0; n < count; n++) await w.as(by).post("/messages", message);
}

async function shown(w: World, id: number): Promise<Json> {
  const { streams } = (await w.as("mel").get("/streams", { exclude_archived: false })).body;
  return streams.find((one: Json) => one.stream_id === id);
}

describe("is_recently_active", () => {
  test("ends after half a year without messages, with one event to users who see the channel", async () => {
    const w = world();
    const id = await made(w, "lab");
    await post(w, id);
    w.clock.advance(180 * day - 1);
    await runJob(w, "channel activity");
    expect(await shown(w, id)).toMatchObject({ is_recently_active: true });
    w.clock.advance(1);
    const from = w.events.length;
    await runJob(w, "channel activity");
    await runJob(w, "channel activity");

    expect(w.events.slice(from)).toEqual([
      {
        audience: ["olive", "ada", "moss", "mel", "max", "bolt"].sort(
          (a, b) => w.user(a as CastName).id - w.user(b as CastName).id,
        ) as CastName[],
        event: {
          type: "stream",
          op: "update",
          stream_id: id,
          name: "lab",
          property: "is_recently_active",
          value: false,
        },
      },
    ]);
    expect(await shown(w, id)).toMatchObject({ is_recently_active: false });
  });

  test("is sent for a private channel only to users who see it, and for an archived one to no older client", async () => {
    const w = world();
    await made(w, "board", { invite_only: true });
    const archived = await made(w, "attic");
    await w.as("mel").delete(`/streams/${archived}`);
    const older = await w.queue("mel", { client_capabilities: {}, event_types: ["stream"] });
    w.clock.advance(181 * day);
    const from = w.events.length;
    await runJob(w, "channel activity");
    expect(w.events.slice(from).map(({ audience, event }) => [event.name, audience.length])).toEqual([
      ["board", 3],
      ["attic", 6],
    ]);
    expect(await older.poll()).toMatchObject([{ name: "board", property: "is_recently_active" }]);
  });

  test("comes back with the next message, before that is emitted", async () => {
    const w = world();
    const id = await made(w, "lab");
    w.clock.advance(181 * day);
    await runJob(w, "channel activity");
    const from = w.events.length;
    await post(w, id, 2);
    const received = w.events.slice(from).filter(({ event }) => event.type !== "user_topic");
    expect(received.map(({ event }) => [event.type, event.value])).toEqual([
      ["stream", true],
      ["message", undefined],
      ["message", undefined],
    ]);
    await runJob(w, "channel activity");
    expect(await shown(w, id)).toMatchObject({ is_recently_active: true });
  });
});

describe("stream_weekly_traffic", () => {
  test("is unknown in a channel's first week", async () => {
    const w = world();
    const id = await made(w, "lab");
    await post(w, id, 3);
    w.clock.advance(7 * day - 1);
    await runJob(w, "channel activity");
    expect(await shown(w, id)).toMatchObject({ stream_weekly_traffic: null });
  });

  test.each([
    // In a channel's first month, all messages count; later, those of the last four weeks.
    ["a week old", 7, 3, 3],
    ["two weeks old", 14, 3, 2],
    ["four weeks old", 28, 9, 2],
    ["with a single message", 28, 1, 1],
    ["without any", 28, 0, 0],
    ["older than its messages count", 29, 9, 0],
  ])("is the average of a channel that is %s", async (_, days, messages, weekly) => {
    const w = world();
    const id = await made(w, "lab");
    await made(w, "other");
    await post(w, id, messages);
    w.clock.advance(days * day);
    await runJob(w, "channel activity");
    expect(await shown(w, id)).toMatchObject({ stream_weekly_traffic: weekly });
  });

  test("counts what was sent within four weeks, and to that channel", async () => {
    const w = world();
    const [lab, hall] = [await made(w, "lab"), await made(w, "hall")];
    await post(w, lab, 8);
    w.clock.advance(20 * day);
    await post(w, hall, 4);
    w.clock.advance(20 * day);
    await post(w, lab, 4);
    await runJob(w, "channel activity");
    expect(await shown(w, lab)).toMatchObject({ stream_weekly_traffic: 1 });
    expect(await shown(w, hall)).toMatchObject({ stream_weekly_traffic: 1 });
  });

  test("is rounded to two digits", async () => {
    const w = world();
    const id = await made(w, "lab");
    await post(w, id, 123);
    w.clock.advance(7 * day);
    await runJob(w, "channel activity");
    expect(await shown(w, id)).toMatchObject({ stream_weekly_traffic: 120 });
  });
});
