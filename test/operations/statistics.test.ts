import { expect, test } from "bun:test";
import { statistics } from "@/operations/metrics/queries.ts";
import { world } from "../support/world.ts";

const day = 86_400;

/** This many messages, spread evenly over this many days before now, in three conversations; `deleted` is a condition. */
async function history(count: number, days: number, deleted: string) {
  const w = world();
  const { app } = w;
  const people = (["mel", "max", "gus"] as const).map((name) => w.user(name).id);
  for (const name of ["one", "two", "three"]) {
    await w.as("ada").post("/channels/create", { name, subscribers: people });
    await w.as("mel").post("/messages", { type: "channel", to: name, topic: "t", content: "c" });
  }
  const { db } = app.env;
  const [first] = db.all<{ id: number; home: number; sender: number; client: number }>(
    "SELECT MAX(messages.id) AS id, MAX(conversation_id) AS home, sender_id AS sender, client_id AS client FROM messages",
  );
  await db.write(app.system, (tx) => {
    tx.run(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) " +
        "INSERT INTO messages (conversation_id, home_id, seq, sender_id, client_id, sent_at, bits, topic, topic_key, content, rendered) " +
        "SELECT ?2 - i % 3, ?2 - i % 3, 1000 + i, ?3, ?4, ?5 - ?6 + i * ?6 / ?1, 0, 't', 't', 'c', 'r' FROM n",
      ...[count, first?.home ?? 0, first?.sender ?? 0, first?.client ?? 0, tx.now, days * day],
    );
    tx.run("UPDATE messages SET sent_at = ? WHERE id <= ?", tx.now - days * day, first?.id ?? 0);
    tx.run(`DELETE FROM messages WHERE id > ? AND ${deleted}`, first?.id ?? 0);
  });
  return w;
}

test.each([
  ["much of it new", 70_000, 40, "id % 7 = 0"],
  ["little of it new", 70_000, 800, "id % 7 = 0"],
  ["few messages", 500, 90, "id % 7 = 0"],
  ["nothing deleted", 500, 90, "FALSE"],
  ["all of it new, nothing deleted", 500, 5, "FALSE"],
] as const)("messages of the last day, week and month are counted exactly: %s", async (...given) => {
  const [, count, days, deleted] = given;
  const { app, user } = await history(count, days, deleted);
  const ctx = app.ctx({ kind: "user", id: user("ada").id, client: "confab" });
  const since = (seconds: number) =>
    ctx.db.get<{ n: number }>("SELECT COUNT(*) AS n FROM messages WHERE sent_at >= ?", ctx.now - seconds)?.n;
  const { messages } = await statistics(ctx);
  expect(messages.all).toBeGreaterThan((count * 6) / 7 - 1);
  expect(messages as object).toEqual({
    all: since(2_000_000_000),
    last_day: since(day),
    last_week: since(7 * day),
    last_month: since(30 * day),
  });
});
