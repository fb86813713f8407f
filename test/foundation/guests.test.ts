import { describe, expect, test } from "bun:test";
import { changeRole, createUser } from "@/foundation/accounts/actions.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { createChannel } from "@/places/channel-administration/actions.ts";
import type { Json } from "../support/requests.ts";
import { type CastName, everyCapability, type World, world } from "../support/world.ts";

/** An organization whose guests see only users they share something with; gus shares a channel with mel only. */
async function restricted(): Promise<World & { channel: number }> {
  const w = world();
  await restrict(w);
  const { stream_id } = await createChannel(w.ctx("ada"), {
    name: "design",
    subscribers: [w.user("gus").id, w.user("mel").id],
  });
  w.events.length = 0;
  return { ...w, channel: stream_id };
}

async function restrict(w: World, name = "role:members"): Promise<void> {
  const { state } = await w.queue("ada", { fetch_event_types: ["realm_user_groups"] });
  const { id } = state.realm_user_groups.find((group: Json) => group.name === name);
  const { status } = await w.as("ada").patch("/realm", { can_access_all_users_group: { new: id } });
  expect(status).toBe(200);
}

const namesOf = (users: Json[]) => users.map((user) => user.full_name);
const hearing = (w: World, name: CastName | number, type = "realm_user") =>
  w.events.filter(
    ({ audience, event }) =>
      event.type === type && (audience === "everyone" || audience.includes(name as CastName)),
  );

describe("what a guest may know", () => {
  test("is users who share a channel or conversation with them, and bots", async () => {
    const w = await restricted();
    expect(namesOf((await w.as("gus").get("/users")).body.members)).toEqual(["Mel", "Gus", "Bolt"]);
    await w.as("max").post("/messages", { type: "direct", to: [w.user("gus").id], content: "hello" });
    expect(namesOf((await w.as("gus").get("/users")).body.members)).toEqual(["Mel", "Max", "Gus", "Bolt"]);
  });

  test("is everyone if the organization allows it", async () => {
    const w = await restricted();
    await restrict(w, "role:everyone");
    expect((await w.as("gus").get("/users")).body.members).toHaveLength(8);
  });

  test("restricts no member", async () => {
    const w = await restricted();
    expect((await w.as("mel").get("/users")).body.members).toHaveLength(8);
    expect((await w.as("bolt").get("/users")).body.members).toHaveLength(8);
  });

  test("treats other users as if they did not exist", async () => {
    const w = await restricted();
    const { id, email } = w.user("max");
    const asked = (who: number | string) => [
      w.as("gus").get(`/users/${who}`),
      w.as("gus").get(`/users/${who}/presence`),
    ];
    const answers = async (userId: number, address: string) =>
      Promise.all([
        ...asked(userId),
        ...asked(address),
        w.as("gus").get(`/users/${userId}/status`),
        w.as("gus").get(`/users/${userId}/subscriptions/${w.channel}`),
        w.as("gus").post(`/users/me/muted_users/${userId}`),
        w.as("gus").post("/messages", { type: "direct", to: [userId], content: "hello" }),
        w.as("gus").post("/messages", { type: "direct", to: [address], content: "hello" }),
        w.as("gus").post("/typing", { op: "start", to: [userId] }),
        w.as("gus").get("/messages", {
          anchor: "newest",
          num_before: 1,
          num_after: 0,
          narrow: [["sender", address]],
        }),
      ]);
    const plain = (list: { status: number; body: Json }[], ...words: (number | string)[]) =>
      list.map(({ status, body }) => [
        status,
        words.reduce<string>((text, word) => text.replaceAll(String(word), "?"), body.msg),
      ]);
    const known = plain(await answers(id, email), id, email);
    expect(known).toEqual(plain(await answers(999, "nobody@example.com"), 999, "nobody@example.com"));
    expect(known.map(([status]) => status)).toEqual(Array(known.length).fill(400));
  });

  test("decides whose picture they see", async () => {
    const w = await restricted();
    const place = async (who: number) =>
      (await w.as("gus").request(`/avatar/${who}`)).headers.get("location");
    expect(await place(w.user("max").id)).toBe(await place(999));
    expect(await place(w.user("mel").id)).not.toBe(await place(999));
  });

  test("decides which users they can mention", async () => {
    const w = await restricted();
    const rendered = async (content: string) =>
      (await w.as("gus").post("/messages/render", { content })).body.rendered as string;
    expect(await rendered("@**Mel**")).toContain("user-mention");
    expect(await rendered("@**Max**")).not.toContain("user-mention");
    expect(await rendered(`@_**Max|${w.user("max").id}**`)).not.toContain("user-mention");
  });

  test("hides the senders of messages that they read", async () => {
    const w = await restricted();
    const gus = await w.queue("gus");
    const mel = await w.queue("mel");
    await w.as("max").post("/messages", { type: "channel", to: "design", topic: "t", content: "hi" });
    const sender = {
      sender_id: w.user("max").id,
      sender_full_name: "Unknown user",
      sender_email: `user${w.user("max").id}@chat.example.com`,
    };
    expect((await gus.poll())[0]).toMatchObject({ type: "message", flags: [], message: sender });
    const received = await mel.poll();
    expect(received.filter(({ type }) => type === "message")).toMatchObject([
      { message: { sender_full_name: "Max" } },
    ]);
    const { messages } = (
      await w.as("gus").get("/messages", { anchor: "newest", num_before: 1, num_after: 0 })
    ).body;
    expect(messages).toMatchObject([sender]);

    await w.as("max").post(`/messages/${messages[0].id}/reactions`, { emoji_name: "smile" });
    expect((await gus.poll()).at(-1)).toMatchObject({ user: { full_name: "Unknown user" } });
    expect((await mel.poll()).at(-1)).toMatchObject({ user: { full_name: "Max" } });
  });
});

describe("the list of users a guest registers with", () => {
  test("has placeholders for clients that need everyone, and none for others", async () => {
    const w = await restricted();
    const ask = async (user_list_incomplete: boolean) =>
      (
        await w.queue("gus", {
          fetch_event_types: ["realm_user"],
          client_capabilities: { ...everyCapability, user_list_incomplete },
        })
      ).state;
    expect(namesOf((await ask(true)).realm_users)).toEqual(["Mel", "Gus", "Bolt"]);
    const { realm_users, realm_non_active_users } = await ask(false);
    expect(namesOf(realm_users).filter((name) => name === "Unknown user")).toHaveLength(5);
    expect(realm_users.find((user: Json) => user.user_id === w.user("olive").id)).toMatchObject({
      email: `user${w.user("olive").id}@chat.example.com`,
      delivery_email: null,
      is_owner: false,
      role: 400,
    });
    expect(realm_non_active_users).toEqual([]);
  });

  test("leaves out presence and status of others", async () => {
    const w = await restricted();
    for (const who of ["mel", "max"] as const) {
      await w.as(who).post("/users/me/status", { status_text: "here" });
      await w.as(who).post("/users/me/presence", { status: "active" });
    }
    const { state } = await w.queue("gus", { slim_presence: true });
    expect(Object.keys(state.user_status)).toEqual([`${w.user("mel").id}`]);
    expect(Object.keys(state.presences)).toContain(`${w.user("mel").id}`);
    expect(Object.keys(state.presences)).not.toContain(`${w.user("max").id}`);
  });
});

describe("events about users", () => {
  test("reach the guests who may know them", async () => {
    const w = await restricted();
    await w.as("mel").patch("/settings", { full_name: "Melissa" });
    expect(hearing(w, "gus")).toMatchObject([{ event: { person: { full_name: "Melissa" } } }]);
    await w.as("max").patch("/settings", { full_name: "Maximilian" });
    await w.as("max").patch("/settings", { email_address_visibility: 4 });
    expect(hearing(w, "gus")).toHaveLength(1);
    expect(hearing(w, "moss").length).toBeGreaterThan(2);
  });

  test("of status, presence and typing reach only them, too", async () => {
    const w = await restricted();
    for (const who of ["mel", "max"] as const) {
      await w.as(who).post("/users/me/status", { status_text: "here" });
      await w.as(who).post("/users/me/presence", { status: "active" });
      await w.as(who).post("/typing", { type: "stream", op: "start", stream_id: w.channel, topic: "t" });
    }
    for (const type of ["user_status", "presence", "typing"]) {
      expect([type, hearing(w, "gus", type).length]).toEqual([type, 1]);
      expect([type, hearing(w, "mel", type).length]).toEqual([type, 2]);
    }
  });

  test("emit users who come to share a channel, and remove users who no longer do", async () => {
    const w = await restricted();
    const max = w.user("max").id;
    await w.as("max").post("/users/me/subscriptions", { subscriptions: [{ name: "design" }] });
    const received = w.events.filter(({ audience }) => audience !== "everyone" && audience.includes("gus"));
    expect(received.map(({ event }) => `${event.type}/${event.op}`)).toEqual([
      "realm_user/add",
      "subscription/peer_add",
    ]);
    expect(received[0]).toMatchObject({
      audience: ["gus"],
      event: { person: { user_id: max, full_name: "Max" } },
    });

    w.events.length = 0;
    await w.as("max").delete("/users/me/subscriptions", { subscriptions: ["design"] });
    expect(hearing(w, "gus")).toMatchObject([
      { audience: ["gus"], event: { op: "remove", person: { user_id: max, full_name: "Max" } } },
    ]);
  });

  test("emit everyone in a channel that the guest joins, and in a new conversation with them", async () => {
    const w = await restricted();
    await createChannel(w.ctx("ada"), { name: "more", subscribers: [w.user("moss").id] });
    const subscriptions = [{ name: "more" }];
    w.events.length = 0;
    await w.as("ada").post("/users/me/subscriptions", { subscriptions, principals: [w.user("gus").id] });
    expect(hearing(w, "gus").map(({ event }) => event.person.full_name)).toEqual(["Moss"]);
    w.events.length = 0;
    await w.as("max").post("/messages", { type: "direct", to: [w.user("gus").id], content: "hello" });
    expect(hearing(w, "gus").map(({ event }) => event.person.full_name)).toEqual(["Max"]);
    expect(hearing(w, "gus", "message")).toMatchObject([{ event: { message: { sender_full_name: "Max" } } }]);
  });

  test("emit each user to each guest once, even if many join at once, with the addresses that the guest may see", async () => {
    const w = await restricted();
    await changeRole(w.ctx("ada"), { user_id: w.user("moss").id, role: roles.guest });
    await w.as("max").patch("/settings", { email_address_visibility: 2 });
    w.events.length = 0;
    const principals = [w.user("max").id, w.user("moss").id];
    await w.as("ada").post("/users/me/subscriptions", { subscriptions: [{ name: "design" }], principals });
    const received = w.events
      .filter(({ event }) => event.type === "realm_user")
      .map(({ audience, event }) => [audience, event.person.full_name, event.person.delivery_email]);
    expect(received).toEqual([
      [["gus"], "Moss", "moss@example.com"],
      [["gus"], "Max", null],
      [["moss"], "Mel", "mel@example.com"],
      [["moss"], "Max", null],
      [["moss"], "Gus", "gus@example.com"],
    ]);
  });

  test("let a guest unmute a user they no longer know", async () => {
    const w = await restricted();
    const mel = w.user("mel").id;
    await w.as("gus").post(`/users/me/muted_users/${mel}`);
    await w.as("mel").delete("/users/me/subscriptions", { subscriptions: ["design"] });
    expect((await w.as("gus").get(`/users/${mel}`)).status).toBe(400);
    expect((await w.as("gus").delete(`/users/me/muted_users/${mel}`)).status).toBe(200);
    expect((await w.as("gus").delete(`/users/me/muted_users/${mel}`)).body.msg).toBe("No such user");
  });

  test("show a placeholder for new users to clients that need everyone", async () => {
    const w = await restricted();
    const older = await w.queue("gus", { client_capabilities: {}, event_types: ["realm_user"] });
    const newer = await w.queue("gus", { event_types: ["realm_user"] });
    const { user } = await createUser(w.ctx("ada"), { email: "nia@example.com", full_name: "Nia" });
    expect(await older.poll()).toMatchObject([
      { op: "add", person: { user_id: user.user_id, full_name: "Unknown user" } },
    ]);
    expect(await newer.poll()).toEqual([]);
  });

  test("close the queues of users whose view changes completely", async () => {
    const w = await restricted();
    const gus = await w.queue("gus");
    const mel = await w.queue("mel");
    const isGone = async (name: CastName, id: string) =>
      (await w.as(name).get("/events", { queue_id: id, last_event_id: -1, dont_block: true })).body.code ===
      "BAD_EVENT_QUEUE_ID";
    await changeRole(w.ctx("ada"), { user_id: w.user("mel").id, role: roles.moderator });
    expect(await isGone("mel", mel.id)).toBe(false);
    await changeRole(w.ctx("ada"), { user_id: w.user("mel").id, role: roles.guest });
    expect(await isGone("mel", mel.id)).toBe(true);
    expect(await isGone("gus", gus.id)).toBe(false);
    await restrict(w, "role:everyone");
    expect(await isGone("gus", gus.id)).toBe(true);
  });
});
