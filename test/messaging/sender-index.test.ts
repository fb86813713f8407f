// The index of senders: a job adds new messages to it, and anyone who asks for a sender's messages finds the newest without it.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { indexAll } from "@/messaging/message-index/actions.ts";
import { idsAlong, pathOfSender } from "@/messaging/message-pages/store.ts";
import { migrations } from "@/migrations/all.ts";
import { type CastName, type World, world } from "../support/world.ts";

const people = ["ada", "mel", "max"] as const satisfies CastName[];

async function channel(w: World, name: string): Promise<void> {
  const subscribers = people.map((one) => w.user(one).id);
  await w.as("olive").post("/channels/create", { name, subscribers });
}

async function send(w: World, who: CastName, content = "hello"): Promise<number> {
  const { body } = await w
    .as(who)
    .post("/messages", { type: "channel", to: "party", topic: "cake", content });
  return body.id as number;
}

async function pageOf(w: World, who: CastName, around: Record<string, unknown>): Promise<number[]> {
  const narrow = [{ operator: "sender", operand: w.user(who).id }];
  const { body } = await w.as("ada").get("/messages", { narrow, ...around });
  return (body.messages as { id: number }[]).map(({ id }) => id);
}

const oldest = { anchor: "oldest", num_before: 0, num_after: 100 };
const newest = { anchor: "newest", num_before: 100, num_after: 0 };

/** The rows of the index, by sender. */
const indexed = (w: World) =>
  w.app.env.db.all<{ sender_id: number; message_id: number }>(
    "SELECT sender_id, message_id FROM sender_index ORDER BY sender_id, message_id",
  );

describe("a sender's messages", () => {
  test("are found before and after the job has indexed them", async () => {
    const w = world();
    await channel(w, "party");
    const early = [await send(w, "mel"), await send(w, "mel")];
    await send(w, "max");
    expect(await pageOf(w, "mel", oldest)).toEqual(early);
    expect(indexed(w).some((row) => row.sender_id === w.user("mel").id)).toBe(false);

    await indexAll(w.app.system);
    expect(indexed(w).filter((row) => row.sender_id === w.user("mel").id).length).toBe(2);
    expect(await pageOf(w, "mel", oldest)).toEqual(early);

    const late = [await send(w, "mel"), await send(w, "mel")];
    const [first, second, third, last] = [...early, ...late] as [number, number, number, number];
    expect(await pageOf(w, "mel", oldest)).toEqual([first, second, third, last]);
    expect(await pageOf(w, "mel", newest)).toEqual([first, second, third, last]);
    const around = (anchor: number, num_before: number, num_after: number) =>
      pageOf(w, "mel", { anchor, num_before, num_after });
    expect(await around(last, 2, 9)).toEqual([second, third, last]);
    expect(await around(first, 9, 2)).toEqual([first, second, third]);
    expect(await around(third, 1, 1)).toEqual([second, third, last]);
  });

  test("are all of them and no others, whatever was sent, deleted and indexed before", async () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ what: fc.constant("send"), who: fc.constantFrom(...people) }) },
      { weight: 2, arbitrary: fc.record({ what: fc.constant("delete"), nth: fc.nat(20) }) },
      { weight: 1, arbitrary: fc.constant({ what: "index" }) },
    );
    const run = async (history: readonly { what: string; who?: CastName; nth?: number }[]) => {
      const w = world();
      await channel(w, "party");
      const sent: number[] = [];
      for (const { what, who = "mel", nth = 0 } of history) {
        if (what === "send") sent.push(await send(w, who));
        const id = sent[nth % Math.max(1, sent.length)];
        if (what === "delete" && id !== undefined) {
          sent.splice(sent.indexOf(id), 1);
          await w.as("olive").delete(`/messages/${id}`);
        }
        if (what === "index") await indexAll(w.app.system);
      }
      for (const who of people) {
        const sender = w.user(who).id;
        const wanted = w.app.env.db
          .all<{ id: number }>("SELECT id FROM messages WHERE sender_id = ? ORDER BY id", sender)
          .map(({ id }) => id);
        for (const max of [2, 100]) {
          const along = (direction: "before" | "after", from: number) =>
            idsAlong(w.app.system, pathOfSender(sender), { direction, from, max });
          expect(along("after", 0)).toEqual(wanted.slice(0, max));
          expect(along("before", Number.MAX_SAFE_INTEGER)).toEqual(wanted.toReversed().slice(0, max));
        }
      }
      const gone = "SELECT 1 FROM sender_index WHERE message_id NOT IN (SELECT id FROM messages)";
      expect(w.app.env.db.get(gone)).toBeNull();
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 25 }), run), { numRuns: 30 });
  });

  test("are in the index after the migration", async () => {
    const w = world();
    await channel(w, "party");
    await send(w, "mel");
    await indexAll(w.app.system);
    const { sqlite } = w.app.env.db as unknown as { sqlite: import("bun:sqlite").Database };
    const before = indexed(w);
    sqlite.run(
      "DROP VIEW sent_messages; DROP TRIGGER sender_index_after_delete; DROP TRIGGER sender_index_after_change; " +
        "DROP TABLE sender_index; DROP TABLE sender_index_end; CREATE INDEX messages_by_sender ON messages (sender_id)",
    );
    sqlite.run(migrations.find((sql) => sql.includes("CREATE TABLE sender_index (")) as string);
    expect(before.length).toBeGreaterThan(0);
    expect(indexed(w)).toEqual(before);
    expect(w.app.env.db.get("SELECT message_id FROM sender_index_end")).toEqual({
      message_id: Math.max(...before.map((row) => row.message_id)),
    });
  });
});
