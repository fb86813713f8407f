// All writes pass one function with their SQL and parameters; replaying these must give the same database.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { changeRole, deactivateUser, rotateKey } from "@/foundation/accounts/actions.ts";
import type { Written } from "@/kernel/store/commit-log.ts";
import { createBot } from "@/outside/bots/actions.ts";
import { dump } from "../support/kernel.ts";
import { type World, world } from "../support/world.ts";

async function liveADay({ as, ctx, user, clock }: World): Promise<void> {
  const subscriptions = [{ name: "general" }, { name: "plans", description: "**Secret**" }];
  await as("mel").post("/users/me/subscriptions", {
    subscriptions,
    principals: [user("mel").id, user("max").id],
  });
  await as("ada").post("/channels/create", {
    name: "private",
    subscribers: [user("ada").id],
    invite_only: true,
  });

  const send = (who: "mel" | "max" | "bolt", content: string) =>
    as(who).post("/messages", { type: "channel", to: "general", topic: "day", content });
  const sent = await Promise.all([
    send("mel", "Good *morning*"),
    send("max", "hi @**Mel**"),
    send("bolt", "refused"),
  ]);
  await as("max").post("/messages", { type: "direct", to: [user("mel").id], content: "psst" });
  const messages = sent.flatMap(({ body }) => body.id ?? []);
  const [first = 0, second = 0] = messages;
  const edited = await as("max").patch(`/messages/${second}`, { content: "hello @**Mel**" });
  clock.advance(3600);
  await as("max").post("/messages/flags", { messages, op: "add", flag: "starred" });
  await as("mel").post("/messages/flags", { messages, op: "add", flag: "read" });
  await as("max").post("/mark_all_as_read");
  const renamed = await as("mel").patch(`/messages/${first}`, {
    topic: "✔ dusk",
    propagate_mode: "change_all",
  });
  const { stream_id } = (await as("mel").get("/get_stream_id", { stream: "plans" })).body;
  const moved = await as("mel").patch(`/messages/${first}`, { stream_id });
  expect([edited.status, renamed.status, moved.status]).toEqual([200, 200, 200]);
  await as("max").delete("/users/me/subscriptions", { subscriptions: ["plans"] });

  await as("ada").post("/users", {
    email: "nia@example.com",
    password: "correct horse battery",
    full_name: "Nia",
  });
  await createBot(ctx("max"), { full_name: "Echo", short_name: "echo" });
  await changeRole(ctx("olive"), { user_id: user("moss").id, role: 200 });
  await rotateKey(ctx("gus"), user("gus").id);
  await deactivateUser(ctx("ada"), user("max").id);
}

describe("replay", () => {
  test("a day's batches, applied to a copy of the start, give the same database", async () => {
    const batches: Written[][] = [];
    const here = world({ onBatch: (written) => batches.push(written) });
    const copy = Database.deserialize(here.app.env.db.sqlite.serialize(), { strict: true });
    await liveADay(here);

    expect(batches.length).toBeGreaterThan(10);
    for (const batch of batches) {
      copy.transaction(() => {
        for (const { sql, params } of batch) copy.run(sql, params);
      })();
    }
    const [there, original] = [dump(copy), dump(here.app.env.db.sqlite)];
    expect(there.messages?.length).toBeGreaterThan(2);
    expect(there).toEqual(original);
  });

  test("uses no time or randomness in SQL", async () => {
    const texts = new Set<string>();
    await liveADay(
      world({
        onBatch: (written) => {
          for (const { sql } of written) texts.add(sql);
        },
      }),
    );
    const chancy = /\b(random|randomblob|datetime|julianday|strftime|unixepoch|current_time\w*)\b/i;
    expect([...texts].filter((sql) => chancy.test(sql))).toEqual([]);
  });
});
