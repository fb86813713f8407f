// What is kept in memory of people's unread messages, when the changes come from elsewhere: another process, the log of a cluster,
// a transaction that is rolled back. Random changes by requests: test/messaging/read-state.test.ts.

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { open } from "@/app.ts";
import { runSync } from "@/kernel/lib/tasks.ts";
import { deleteMessages } from "@/messaging/messages/actions.ts";
import { keepNewest } from "@/messaging/receipts/cached-messages.ts";
import { unreadCache } from "@/messaging/receipts/cached-unread.ts";
import { createChannel } from "@/places/channel-administration/actions.ts";
import { temporaryFolders } from "../support/folder.ts";
import { type TestNode, testNodes } from "../support/nodes.ts";
import { basic, type Json, requestOf } from "../support/requests.ts";
import { type CastName, type World, world } from "../support/world.ts";

const newPlace = temporaryFolders();
const wanted = { fetch_event_types: ["update_message_flags", "message", "stream"], event_types: [] };

/** Three unread messages of mel's to max, and their IDs. */
async function write(w: World, ids: number[] = []): Promise<number[]> {
  for (const content of ["one", "two", "three"]) {
    const to = [w.user("max").id];
    ids.push((await w.as("mel").post("/messages", { type: "direct", to, content })).body.id);
  }
  return ids;
}

const idsIn = ({ unread_msgs: { pms } }: Json): number[] =>
  pms.flatMap((one: Json) => one.unread_message_ids);

async function unread(w: World, who: CastName): Promise<number[]> {
  return idsIn((await w.as(who).post("/register", wanted)).body);
}

describe("kept unread messages", () => {
  test("are those of before after a rollback", async () => {
    const w = world();
    const ids = await write(w);
    const { db } = w.app.env;
    expect(await unread(w, "max")).toEqual(ids);
    const undone = db.write(w.ctx("olive"), (tx) => {
      deleteMessages(tx, [ids[0] as number]);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await unread(w, "max")).toEqual(ids);
  });

  test("lack what another process has deleted", async () => {
    const w = world();
    const ids = await write(w);
    const folder = newPlace();
    await Bun.write(join(folder, "confab.db"), w.app.env.db.sqlite.serialize());
    const [server, command] = [open(folder, { hosting: true }), open(folder)];
    const { email, key } = w.user("max");
    const headers = { authorization: basic(email, key) };
    const ask = async () => {
      const url = "http://confab.test/api/v1/register";
      return idsIn(await (await server.fetch(requestOf(url, "POST", { params: wanted, headers }))).json());
    };
    expect(await ask()).toEqual(ids);
    await command.env.db.write(command.system, (tx) => deleteMessages(tx, [ids[1] as number]));
    expect(await ask()).toEqual([ids[0] as number, ids[2] as number]);
    await Promise.all([command.close(), server.close()]);
  });

  test("follow the log of a cluster", async () => {
    const { w, nodes, caughtUp, close } = testNodes(2);
    const [leader, follower] = nodes;
    const ask = async () => {
      const params = {
        ...wanted,
        fetch_event_types: JSON.stringify(wanted.fetch_event_types),
        event_types: "[]",
      };
      return idsIn((await follower?.as("max").post("/register", params)) as Json);
    };
    const to = JSON.stringify([w.user("max").id]);
    const ids: number[] = [];
    for (const content of ["one", "two", "three"])
      ids.push((await leader?.as("mel").post("/messages", { type: "direct", to, content }))?.id);
    await caughtUp();
    expect(await ask()).toEqual(ids);
    const app = (leader as TestNode).app;
    await app.env.db.write(app.system, (tx) => deleteMessages(tx, [ids[0] as number]));
    await caughtUp();
    expect(await ask()).toEqual(ids.slice(1));
    await close();
  });

  test("are each person's own, whatever others have read before", async () => {
    const w = world();
    const ctx = w.ctx("olive");
    const readers = ["max", "mel", "moss"] as const;
    const subscribers = readers.map((name) => w.user(name).id);
    await createChannel(ctx, { name: "long", description: "", subscribers });
    const ids: number[] = [];
    const write = async (n: number) => {
      for (let i = 0; i < n; i++) {
        const topic = i % 2 === 0 ? "Topic \u00fc" : "topic \u00dc";
        const sent = await w
          .as("olive")
          .post("/messages", { type: "stream", to: "long", topic, content: "m" });
        ids.push(sent.body.id);
      }
    };
    const read = (who: CastName, some: number[]) =>
      w.as(who).post("/messages/flags", { messages: some, op: "add", flag: "read" });
    const shown = async (who: CastName) => {
      const { streams } = (await w.as(who).post("/register", wanted)).body.unread_msgs;
      return streams.map((one: Json) => [one.topic, one.unread_message_ids]);
    };
    await write(180);
    runSync(keepNewest(w.app.system, 50));
    await read("max", ids.slice(0, -5));
    expect(await shown("max")).toEqual([["topic \u00dc", ids.slice(-5)]]);
    // Two ranges that are far apart; only the second one touches those of max.
    await read("mel", ids.slice(10, -20));
    expect(await shown("mel")).toEqual([["Topic \u00fc", [...ids.slice(0, 10), ...ids.slice(-20)]]]);
    await write(3);
    expect(await shown("mel")).toEqual([["Topic \u00fc", [...ids.slice(0, 10), ...ids.slice(-23)]]]);
    expect(await shown("moss")).toEqual([["Topic \u00fc", ids]]);
    expect(await shown("max")).toEqual([["topic \u00dc", ids.slice(-8)]]);
    await w.as("olive").delete(`/messages/${ids.at(-8)}`);
    expect(await shown("max")).toEqual([["Topic \u00fc", ids.slice(-7)]]);
  });

  test("are the same object for all who have read a channel up to the same message, and right for those who have not", async () => {
    const w = world();
    const readers = ["max", "mel", "moss", "gus", "olive"] as const;
    const subscribers = readers.map((name) => w.user(name).id);
    const channel = await createChannel(w.ctx("olive"), { name: "long", description: "", subscribers });
    const ids: number[] = [];
    const write = async (who: CastName, topic: string, content = "m") => {
      const params = { type: "stream", to: "long", topic, content, read_by_sender: true };
      ids.push((await w.as(who).post("/messages", params)).body.id);
    };
    const mutes = (who: CastName) => w.as(who).post(`/users/me/muted_users/${w.user("olive").id}`);
    const asked = async (who: CastName, empty_topic_name = true) =>
      (await w.as(who).post("/register", { ...wanted, client_capabilities: { empty_topic_name } })).body
        .unread_msgs;
    const shown = async (who: CastName, empty_topic_name = true) =>
      (await asked(who, empty_topic_name)).streams.map((one: Json) => [
        one.topic,
        one.unread_message_ids.map((id: number) => ids.indexOf(id)),
      ]);
    const topicsOf = (who: CastName) =>
      [...(unreadCache(w.app.system).get(w.user(who).id)?.homes.values() ?? [])].find(
        ({ topics }) => topics.length > 0,
      )?.topics;
    await mutes("gus");
    for (const topic of ["a", "", "b", "A"]) await write("olive", topic);
    await write("mel", "b", "@**all** m");
    const all = [
      ["a", [0, 3]],
      ["", [1]],
      ["b", [2, 4]],
    ];
    for (let round = 0; round < 2; round++) {
      expect(await shown("max")).toEqual(all);
      expect(await shown("moss")).toEqual(all);
      const [a, , b] = all;
      expect(await shown("moss", false)).toEqual([a, ["general chat", [1]], b]);
      expect(await shown("mel")).toEqual([...all.slice(0, 2), ["b", [2]]]);
      expect(await shown("gus")).toEqual([["b", [4]]]);
    }
    expect(topicsOf("max")).toBe(topicsOf("moss") as NonNullable<ReturnType<typeof topicsOf>>);
    expect(await asked("max")).toMatchObject({ count: 5, mentions: [ids[4]] });
    await w
      .as("max")
      .post("/user_topics", { stream_id: channel.stream_id, topic: "B", visibility_policy: 1 });
    expect(await asked("max")).toMatchObject({ count: 3, mentions: [] });
    expect(await asked("moss")).toMatchObject({ count: 5, mentions: [ids[4]] });
    await w.as("mel").post("/messages/flags", { messages: [ids[4]], op: "remove", flag: "read" });
    expect(await shown("mel")).toEqual(all);
    await w.as("max").post("/messages/flags", { messages: [ids[0]], op: "add", flag: "read" });
    expect(await shown("max")).toEqual([
      ["", [1]],
      ["b", [2, 4]],
      ["A", [3]],
    ]);
    expect(await shown("moss")).toEqual(all);
    const move = {
      topic: "b",
      send_notification_to_new_thread: false,
      send_notification_to_old_thread: false,
    };
    await w.as("olive").patch(`/messages/${ids[1]}`, move);
    expect(await shown("moss")).toEqual([all[0], ["b", [1, 2, 4]]]);
  });

  test("are kept of those who asked last, up to a limit of memory", async () => {
    const w = world();
    const readers = ["max", "mel", "moss", "gus"] as const;
    const subscribers = readers.map((name) => w.user(name).id);
    await createChannel(w.ctx("olive"), { name: "long", description: "", subscribers });
    const ids: number[] = [];
    const write = async () => {
      const params = { type: "stream", to: "long", topic: "t", content: "m" };
      ids.push((await w.as("olive").post("/messages", params)).body.id);
    };
    const ask = async (who: CastName) => {
      const { streams } = (await w.as(who).post("/register", wanted)).body.unread_msgs;
      expect(streams.flatMap((one: Json) => one.unread_message_ids)).toEqual(ids);
    };
    const kept = unreadCache(w.app.system);
    const who = () => kept.keys().map((id) => readers.find((name) => w.user(name).id === id));
    /** The size, with that of each value counted again. */
    const counted = () => {
      for (const id of kept.keys()) kept.set(id, kept.get(id) as NonNullable<ReturnType<typeof kept.get>>);
      return kept.size;
    };
    for (let i = 0; i < 3; i++) await write();
    await ask("max");
    kept.max = kept.size * 2.5;
    await ask("mel");
    expect(who()).toEqual(["max", "mel"]);
    await ask("max");
    await ask("moss");
    expect(who()).toEqual(["max", "moss"]);
    expect(kept.size).toBe(counted());
    await write();
    for (const name of ["mel", "gus", "max", "gus"] as const) await ask(name);
    expect(who()).toEqual(["max", "gus"]);
    expect(kept.size).toBe(counted());
    // One person alone may take more.
    kept.max = 1;
    await write();
    await ask("gus");
    expect(who()).toEqual(["gus"]);
    expect(kept.size).toBe(counted());
  });
});
