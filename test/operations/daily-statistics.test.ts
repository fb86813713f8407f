// What happened on each day, as administrators see it.
import { describe, expect, test } from "bun:test";
import { recordAudit } from "@/foundation/audit/actions.ts";
import { runJob } from "../support/jobs.ts";
import { type CastName, type World, world } from "../support/world.ts";

const day = 86_400;

const send = (w: World, who: CastName, to: string | number) =>
  w
    .as(who)
    .post(
      "/messages",
      typeof to === "string"
        ? { type: "channel", to, topic: "t", content: "c" }
        : { type: "direct", to: [to], content: "c" },
    );

/** As after an hour. */
async function count(w: World): Promise<void> {
  w.clock.advance(3_600);
  await runJob(w, "count-days");
}
const look = async (w: World, days = 7, who: CastName = "ada") =>
  (await w.as(who).get("/statistics", { days })).body;

/** Messages of three days, of which the second has none. */
async function history() {
  const w = world();
  const people = (["mel", "max"] as const).map((name) => w.user(name).id);
  for (const name of ["one", "two"])
    await w.as("ada").post("/channels/create", { name, subscribers: people });
  const start = (await look(w)).messages.at(-1) as number;
  for (const to of ["one", "one", "two", w.user("max").id as number]) await send(w, "mel", to);
  w.clock.advance(2 * day);
  await send(w, "max", "one");
  return { ...w, start };
}

describe("get-statistics", () => {
  test("counts messages, senders and channels of each day", async () => {
    const w = await history();
    await count(w);
    const found = await look(w);
    expect(found.messages.slice(-4)).toEqual([0, expect.any(Number), 0, 1]);
    expect(found.direct_messages.slice(-3)).toEqual([expect.any(Number), 0, 0]);
    const all = w.app.env.db.get<{ n: number }>("SELECT COUNT(*) AS n FROM messages")?.n ?? 0;
    expect(found.messages.reduce((sum: number, one: number) => sum + one, 0)).toBe(all);
    expect(found.channels_in_use.slice(-3)).toEqual([2, 0, 1]);
    expect(found.senders.at(-1)).toBe(1);
    expect(found.first_day).toBe(new Date((w.clock.now() - 6 * day) * 1000).toISOString().slice(0, 10));
    expect(found.counted_at).toBe(w.clock.now());
  });

  test("counts a day on, and keeps it when its messages are deleted", async () => {
    const w = await history();
    await count(w);
    const before = await look(w);
    await send(w, "max", "two");
    await count(w);
    expect((await look(w)).messages.at(-1)).toBe(2);
    w.clock.advance(day);
    const { id } = (await send(w, "max", "two")).body;
    await count(w);
    for (const { id: old } of w.app.env.db.all<{ id: number }>("SELECT id FROM messages WHERE id < ?", id))
      await w.as("olive").delete(`/messages/${old}`);
    await count(w);
    const after = await look(w);
    expect(after.messages.slice(-4)).toEqual([...before.messages.slice(-3, -1), 2, 1]);
  });

  test("counts at once, and then every hour", async () => {
    const w = await history();
    const counted = async () => {
      await runJob(w, "count-days");
      return (await look(w)).counted_at;
    };
    const first = await counted();
    expect(first).toBe(w.clock.now());
    w.clock.advance(3_590);
    expect(await counted()).toBe(first);
    w.clock.advance(20);
    expect(await counted()).toBe(w.clock.now());
  });

  test("counts any number of days, in parts", async () => {
    const w = await history();
    await w.app.env.db.write(w.app.system, (tx) => {
      tx.run(
        "INSERT INTO messages (conversation_id, home_id, seq, sender_id, client_id, sent_at, bits, topic, topic_key, content, rendered) " +
          "SELECT conversation_id, home_id, 1000 + value, sender_id, client_id, sent_at + value / 10 * 86400, 0, 't', 't', 'c', 'r' " +
          "FROM messages, json_each(?) WHERE messages.id = (SELECT MAX(id) FROM messages) ORDER BY value",
        JSON.stringify(Array.from({ length: 1_300 }, (_, i) => i + 1)),
      );
    });
    w.clock.advance(130 * day);
    await count(w);
    const found = await look(w, 140);
    expect(found.messages.filter((one: number) => one === 10).length).toBe(130);
    const all = w.app.env.db.get<{ n: number }>("SELECT COUNT(*) AS n FROM messages")?.n ?? 0;
    expect(found.messages.reduce((sum: number, one: number) => sum + one, 0)).toBe(all);
  });

  test("counts each message on its day, also where history came later", async () => {
    const w = await history();
    await w.app.env.db.write(w.app.system, (tx) => {
      tx.run(
        "INSERT INTO messages (conversation_id, home_id, seq, sender_id, client_id, sent_at, bits, topic, topic_key, content, rendered) " +
          "SELECT conversation_id, home_id, 1000 + value, sender_id, client_id, sent_at - value % 97 * 86400, 0, 't', 't', 'c', 'r' " +
          "FROM messages, json_each(?) WHERE messages.id = (SELECT MAX(id) FROM messages) ORDER BY value",
        JSON.stringify(Array.from({ length: 1_940 }, (_, i) => i + 1)),
      );
    });
    await count(w);
    await count(w);
    await send(w, "max", "one");
    await count(w);
    const days = w.app.env.db.all<{ n: number }>(
      "SELECT COUNT(*) AS n FROM messages GROUP BY sent_at / 86400 ORDER BY sent_at / 86400 DESC",
    );
    expect((await look(w, 97)).messages.toReversed()).toEqual(days.map(({ n }) => n));
  });

  test("counts all days again after an import", async () => {
    const w = await history();
    await count(w);
    const before = await look(w);
    await w.app.env.db.write(w.app.system, (tx) => tx.run("UPDATE daily_messages SET messages = 999"));
    w.clock.advance(10);
    await w.app.env.db.write(w.ctx("system"), (tx) =>
      recordAudit(tx, { event: "imported", about: { kind: "realm" } }),
    );
    w.clock.advance(10);
    await count(w);
    expect((await look(w)).messages).toEqual(before.messages);
  });

  test("counts who is active on a day and in a week", async () => {
    const w = world();
    await w.app.env.db.write(w.app.system, (tx) => {
      tx.run("DELETE FROM user_activity");
      tx.run("DELETE FROM daily_activity");
    });
    w.clock.advance(day);
    await send(w, "mel", w.user("max").id as number);
    await send(w, "mel", w.user("max").id as number);
    await count(w);
    w.clock.advance(day);
    await send(w, "max", w.user("mel").id as number);
    await send(w, "mel", w.user("max").id as number);
    await count(w);
    w.clock.advance(6 * day);
    await send(w, "gus", w.user("mel").id as number);
    await count(w);
    const found = await look(w, 14);
    expect(found.active_people.slice(-8)).toEqual([1, 2, null, null, null, null, null, expect.any(Number)]);
    expect(found.active_people_of_week.slice(-8, -6)).toEqual([1, 2]);
    expect(found.active_people_of_week.at(-1)).toBeGreaterThanOrEqual(2);
    expect(found.active_people[0]).toBeNull();
  });

  test("sums uploaded files by what they are, and says how many people and channels there were", async () => {
    const w = await history();
    for (const [name, type] of [
      ["a.txt", "text/plain"],
      ["b.mp3", "audio/mpeg"],
    ] as const)
      await w.as("mel").upload("/user_uploads", new File(["a".repeat(50)], name, { type }));
    await count(w);
    const { storage, people, channels } = await look(w);
    expect(storage.others + storage.sounds + storage.pictures + storage.videos).toBe(100);
    expect(channels.at(-1)).toBe(
      w.app.env.db.get<{ n: number }>("SELECT COUNT(*) AS n FROM channels WHERE NOT is_archived")?.n,
    );
    expect(people.at(-1)).toBeGreaterThan(3);
  });

  test("is for administrators, of at most three years", async () => {
    const w = world();
    for (const who of ["moss", "mel", "gus"] as const)
      expect((await look(w, 7, who)).msg).toBe("Must be an organization administrator");
    for (const days of [0, 6, 1_097, 1e9]) expect((await look(w, days)).result).toBe("error");
    expect((await look(w, 1_096)).messages).toHaveLength(1_096);
    expect((await look(w)).counted_at).toBeNull();
  });
});
