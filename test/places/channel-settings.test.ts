// Changing an existing channel: which properties, by which users, and who gets events.

import { describe, expect, test } from "bun:test";
import { listAudit } from "@/foundation/audit/queries.ts";
import { giveGrant } from "@/foundation/permissions/actions.ts";
import type { GrantName } from "@/foundation/permissions/schema.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import type { Tx } from "@/kernel/core/context.ts";
import type { Json } from "../support/requests.ts";
import { type Answer, type CapturedEvent, type CastName, type World, world } from "../support/world.ts";

/** A channel administered by mel, with these subscribers. */
async function made(w: World, people: CastName[], more: Record<string, unknown> = {}): Promise<number> {
  const subscribers = people.map((name) => w.user(name).id);
  const { body } = await w.as("mel").post("/channels/create", { name: "lab", subscribers, ...more });
  if (body.result !== "success") throw new Error(body.msg);
  return body.id;
}

const change = (w: World, by: CastName, id: number, params: Record<string, unknown>) =>
  w.as(by).patch(`/streams/${id}`, params);

async function shown(w: World, id: number, by: CastName = "ada"): Promise<Json> {
  const { streams } = (await w.as(by).get("/streams", { include_all: true, exclude_archived: false })).body;
  return streams.find((one: Json) => one.stream_id === id);
}

const inAction = (w: World, body: (tx: Tx) => void) => w.app.env.db.write(w.ctx("olive"), body);

async function allowInRealm(w: World, name: GrantName<"realm">, groupName: string): Promise<void> {
  await inAction(w, (tx) => giveGrant(tx, { scope: "realm", ownerId: 0, name }, group(w, groupName)));
}

function group(w: World, name: string): number {
  return w.app.env.db.get<{ id: number }>("SELECT id FROM user_groups WHERE name = ?", name)?.id ?? 0;
}

const people = (w: World, ...names: CastName[]) => ({
  direct_members: names.map((name) => w.user(name).id).sort((a, b) => a - b),
  direct_subgroups: [],
});

const members: CastName[] = ["olive", "ada", "moss", "mel", "max", "bolt"];
const byId = (w: World, names: CastName[]) => names.toSorted((a, b) => w.user(a).id - w.user(b).id);

/** The notification bot's notices, as text. */
function said(events: readonly CapturedEvent[]): string[] {
  return events.flatMap(({ event }) =>
    event.type === "message" && event.message.sender_full_name === "Notification Bot"
      ? [event.message.content.replaceAll(/<[^>]+>/g, "")]
      : [],
  );
}

const summarize = (events: readonly CapturedEvent[]) =>
  events.flatMap(({ audience, event }) =>
    event.type === "message" ? [] : [[`${event.type}/${event.op ?? ""}`, audience]],
  );

function refused(answer: Answer, msg: unknown, code = "BAD_REQUEST"): void {
  expect(answer).toMatchObject({ status: 400, body: { result: "error", code, msg }, events: [] });
}

describe("update-stream", () => {
  test("renames a channel, with an event and a notice in the channel", async () => {
    const w = world();
    const id = await made(w, ["mel", "gus"]);
    const { body, events } = await change(w, "mel", id, { new_name: " Studio " });

    expect(body).toEqual({ result: "success", msg: "" });
    expect(events).toMatchObject([
      {
        audience: byId(w, [...members, "gus"]),
        event: {
          type: "stream",
          op: "update",
          stream_id: id,
          name: "lab",
          property: "name",
          value: "Studio",
        },
      },
      {
        audience: byId(w, ["mel", "gus"]),
        event: { type: "message", message: { display_recipient: "Studio", subject: "channel events" } },
      },
    ]);
    expect(said(events)).toEqual(["Mel renamed this channel from lab to Studio."]);
    expect((await w.as("max").get("/get_stream_id", { stream: "studio" })).body.stream_id).toBe(id);
    expect((await w.as("max").get("/get_stream_id", { stream: "lab" })).status).toBe(400);
    expect(listAudit(w.ctx("ada"), { limit: 1 })).toMatchObject([
      {
        actor_id: w.user("mel").id,
        event: "channel_renamed",
        about: { kind: "channel", id },
        data: { from: "lab", to: "Studio" },
      },
    ]);
  });

  test("changes a description and how it is rendered", async () => {
    const w = world();
    const id = await made(w, ["mel"], { description: "Old" });
    const { events } = await change(w, "mel", id, { description: "*New*" });
    const rendered_description = "<p><em>New</em></p>";
    expect(events[0]!.event).toEqual({
      type: "stream",
      op: "update",
      stream_id: id,
      name: "lab",
      property: "description",
      value: "*New*",
      rendered_description,
    });
    expect(said(events)[0]).toMatch(/^Mel changed the description of this channel\..*Old.*New/s);
    expect(await shown(w, id)).toMatchObject({ description: "*New*", rendered_description });
    expect(said((await change(w, "mel", id, { description: "" })).events)[0]).toMatch(/No description/);
  });

  test("changes and emits nothing if nothing differs", async () => {
    const w = world();
    const id = await made(w, ["mel"], { description: "Same" });
    const before = await shown(w, id);
    const same = {
      new_name: "lab",
      description: "Same",
      is_private: false,
      is_web_public: false,
      history_public_to_subscribers: true,
      is_default_stream: false,
      is_archived: false,
      folder_id: null,
      topics_policy: "inherit",
      message_retention_days: "realm_default",
      can_send_message_group: { new: group(w, "role:everyone") },
    };
    for (const params of [{}, same]) {
      expect(await change(w, "olive", id, params)).toMatchObject({ status: 200, events: [] });
    }
    expect(await shown(w, id)).toEqual(before);
    expect(listAudit(w.ctx("ada"), { limit: 9, about: { kind: "channel", id } })).toHaveLength(1);
  });

  test("lets a channel change only the case of its name", async () => {
    const w = world();
    const id = await made(w, []);
    await w.as("ada").post("/channels/create", { name: "board", subscribers: [], invite_only: true });
    expect(await change(w, "mel", id, { new_name: "LAB" })).toMatchObject({ status: 200 });
    refused(await change(w, "mel", id, { new_name: "Board" }), "Channel 'Board' already exists");
    expect(await shown(w, id)).toMatchObject({ name: "LAB" });
  });

  test("puts a channel into a folder and out of it", async () => {
    const w = world();
    const id = await made(w, ["mel"]);
    const folder = async (name: string) =>
      (await w.as("ada").post("/channel_folders/create", { name, description: "" })).body.channel_folder_id;
    const [teams, old] = [await folder("Teams"), await folder("Old")];
    const into = await change(w, "mel", id, { folder_id: teams });
    expect(into.events).toMatchObject([{ event: { property: "folder_id", value: teams } }, {}]);
    expect(said(into.events)).toEqual(["Mel moved this channel into the folder Teams."]);
    expect(await shown(w, id)).toMatchObject({ folder_id: teams });
    const archiving = await w.as("ada").patch(`/channel_folders/${teams}`, { is_archived: true });
    refused(archiving, "Only an empty channel folder can be archived: move its channels out first.");

    const across = await change(w, "mel", id, { folder_id: old });
    expect(said(across.events)).toEqual([
      "Mel moved this channel out of the folder Teams and into the folder Old.",
    ]);
    const out = await change(w, "mel", id, { folder_id: null });
    expect(out.events).toMatchObject([{ event: { property: "folder_id", value: null } }, {}]);
    await w.as("ada").patch(`/channel_folders/${old}`, { is_archived: true });
    refused(await change(w, "mel", id, { folder_id: old }), "Channel folder 'Old' is archived.");
    refused(await change(w, "mel", id, { folder_id: 4711 }), "Invalid channel folder ID");
  });

  test("lets only owners set how long messages are kept", async () => {
    const w = world();
    const id = await made(w, ["mel"]);
    for (const by of ["mel", "ada"] as const) {
      const answer = await change(w, by, id, { message_retention_days: 30 });
      refused(answer, "Must be an organization owner", "UNAUTHORIZED_PRINCIPAL");
    }
    const { events } = await change(w, "olive", id, { message_retention_days: 30 });
    expect(events).toMatchObject([{ event: { property: "message_retention_days", value: 30 } }, {}]);
    expect(said(events)).toEqual([
      "Olive changed how long messages in this channel are kept, from the organization's default to 30 days.",
    ]);
    const forever = await change(w, "olive", id, { message_retention_days: "unlimited" });
    expect(forever.events).toMatchObject([{ event: { value: -1 } }, {}]);
    expect(said(forever.events)[0]).toEndWith("from 30 days to forever.");
    await change(w, "olive", id, { message_retention_days: "realm_default" });
    expect(await shown(w, id)).toMatchObject({ message_retention_days: null });
  });

  test("sets a topics policy, for users with the permission", async () => {
    const w = world();
    const id = await made(w, []);
    const { events } = await change(w, "mel", id, { topics_policy: "disable_empty_topic" });
    expect(events).toMatchObject([{ event: { property: "topics_policy", value: "disable_empty_topic" } }]);
    await allowInRealm(w, "can_set_topics_policy_group", "role:owners");
    const answer = await change(w, "mel", id, { topics_policy: "inherit" });
    refused(answer, "You do not have permission to choose the topics policy of a channel.");
    refused(
      await change(w, "olive", id, { topics_policy: "any" }),
      expect.stringMatching(/topics_policy must be one of/),
      "REQUEST_VARIABLE_INVALID",
    );
    expect(await shown(w, id)).toMatchObject({ topics_policy: "disable_empty_topic" });
  });

  test("allows only the empty topic once all messages are in it", async () => {
    const w = world();
    const id = await made(w, ["mel"]);
    const post = async (topic: string) =>
      (await w.as("mel").post("/messages", { type: "channel", to: id, topic, content: "x" })).body.id;
    await post("");
    const named = await post("plans");
    const only = () => change(w, "mel", id, { topics_policy: "empty_topic_only" });
    refused(await only(), expect.stringMatching(/^To allow only the general chat topic/));
    await w.as("ada").delete(`/messages/${named}`);
    expect(await only()).toMatchObject({ status: 200 });
    // Applies to the notification bot, too.
    expect((await change(w, "mel", id, { new_name: "studio" })).events).toMatchObject([
      {},
      { event: { message: { subject: "" } } },
    ]);
  });

  test("makes a channel a default one and ends that, for administrators only", async () => {
    const w = world();
    const id = await made(w, []);
    const answer = await change(w, "mel", id, { is_default_stream: true });
    refused(answer, "Only organization administrators choose the default channels.");
    const on = await change(w, "ada", id, { is_default_stream: true });
    expect(on.events).toMatchObject([{ event: { type: "default_streams", default_streams: [id] } }]);
    const off = await change(w, "ada", id, { is_default_stream: false });
    expect(off.events).toMatchObject([{ event: { type: "default_streams", default_streams: [] } }]);
  });

  test("changes several things at once, or none of them", async () => {
    const w = world();
    const id = await made(w, []);
    const before = await shown(w, id);
    const bad = { new_name: "studio", description: "New", folder_id: 4711 };
    refused(await change(w, "mel", id, bad), "Invalid channel folder ID");
    expect(await shown(w, id)).toEqual(before);
    const { events } = await change(w, "mel", id, { ...bad, folder_id: undefined });
    expect(events.map(({ event }) => [event.property, event.name])).toEqual([
      ["name", "lab"],
      ["description", "studio"],
      // The notice is in the channel for later readers.
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  test.each([
    ["an empty name", { new_name: " " }, "A channel needs a name."],
    ["a long name", { new_name: "x".repeat(61) }, /at most 60/],
    ["a long description", { description: "x".repeat(1025) }, /at most 1024/],
    ["a retention of no days", { message_retention_days: 0 }, /number of days/],
    ["a permission without a new value", { can_send_message_group: { old: 1 } }, /can_send_message_group/],
    ["a permission as at creation", { can_send_message_group: 1 }, /can_send_message_group/],
  ])("refuses %s", async (_, params, msg) => {
    const w = world();
    const answer = await change(w, "olive", await made(w, []), params);
    expect(answer).toMatchObject({ status: 400, events: [] });
    expect(answer.body.msg).toMatch(msg);
  });
});

describe("update-stream: who may", () => {
  const noLeave = "You do not have permission to administer channel 'lab'.";

  test("are its administrators and those of the organization", async () => {
    const w = world();
    const id = await made(w, ["mel", "max", "gus"]);
    for (const by of ["max", "gus", "moss", "bolt"] as const) {
      refused(await change(w, by, id, { description: by }), noLeave);
    }
    for (const by of ["mel", "ada", "olive"] as const) {
      expect(await change(w, by, id, { description: by })).toMatchObject({ status: 200 });
    }
  });

  test("are not members of can_administer_channel_group who have become guests", async () => {
    const w = world();
    const id = await made(w, ["gus"], { can_administer_channel_group: people(w, "gus") });
    refused(await change(w, "gus", id, { description: "x" }), noLeave);
  });

  test("change a private channel they cannot read, but not who can read it", async () => {
    const w = world();
    const id = await made(w, ["max"], { invite_only: true, can_administer_channel_group: people(w, "moss") });
    for (const by of ["ada", "moss"] as const) {
      expect(await change(w, by, id, { description: by })).toMatchObject({ status: 200 });
      for (const params of [
        { is_private: false },
        { history_public_to_subscribers: true },
        { can_subscribe_group: { new: people(w, by) } },
        { can_add_subscribers_group: { new: people(w, by) } },
      ]) {
        refused(
          await change(w, by, id, params),
          expect.stringMatching(/^You must be able to read channel 'lab'/),
        );
      }
    }
    expect(await shown(w, id)).toMatchObject({ invite_only: true, history_public_to_subscribers: false });
  });

  test("cannot tell an invisible channel from one that does not exist", async () => {
    const w = world();
    const id = await made(w, ["max"], { invite_only: true });
    for (const one of [id, 4711]) {
      refused(await change(w, "moss", one, { description: "x" }), "Invalid channel ID");
    }
  });
});

describe("update-stream: privacy", () => {
  test("hides a channel that becomes private from everyone but its subscribers", async () => {
    const w = world();
    const id = await made(w, ["mel", "gus"]);
    const { events } = await change(w, "mel", id, { is_private: true });

    const stayed = byId(w, ["olive", "ada", "mel", "gus"]);
    expect(summarize(events)).toEqual([
      ["stream/update", stayed],
      ["stream/delete", byId(w, ["moss", "max", "bolt"])],
    ]);
    expect(events[0]!.event).toEqual({
      type: "stream",
      op: "update",
      stream_id: id,
      name: "lab",
      property: "invite_only",
      value: true,
      history_public_to_subscribers: true,
      is_web_public: false,
    });
    expect(events[1]!.event).toMatchObject({ stream_ids: [id], streams: [{ stream_id: id }] });
    expect(said(events)).toEqual(["Mel changed this channel from public to private, shared history."]);
    expect((await w.as("gus").get(`/streams/${id}/members`)).body.subscribers).toEqual(
      byId(w, ["mel", "gus"]).map((name) => w.user(name).id),
    );
    refused(await w.as("moss").get(`/streams/${id}`), "Invalid channel ID");
    expect(listAudit(w.ctx("ada"), { limit: 1 })).toMatchObject([
      { event: "channel_privacy_changed", data: { from: { invite_only: false }, to: { invite_only: true } } },
    ]);
  });

  test("shows a channel that becomes public, with subscribers and full history", async () => {
    const w = world();
    const id = await made(w, ["mel"], { invite_only: true });
    const sent = await w
      .as("mel")
      .post("/messages", { type: "channel", to: id, topic: "t", content: "Secret" });
    const { events } = await change(w, "mel", id, { is_private: false });

    const gained = byId(w, ["moss", "max", "bolt"]);
    expect(summarize(events)).toEqual([
      ["stream/create", gained],
      ["subscription/peer_add", gained],
      ["stream/update", byId(w, ["olive", "ada", "mel"])],
    ]);
    const stream = await shown(w, id, "max");
    expect(events[0]!.event.streams).toEqual([
      { ...stream, first_message_id: sent.body.id, is_archived: false, subscriber_count: 0 },
    ]);
    // Clients add the users that `peer_add` names to their count.
    expect(stream.subscriber_count).toBe(1);
    expect(events[1]!.event).toMatchObject({ stream_ids: [id], user_ids: [w.user("mel").id] });
    expect(await w.as("max").get(`/messages/${sent.body.id}`)).toMatchObject({ status: 200 });
    refused(await w.as("gus").get(`/streams/${id}`), "Invalid channel ID");
  });

  test("shares the history of a private channel with later subscribers, and protects it again", async () => {
    const w = world();
    const id = await made(w, ["mel"], { invite_only: true });
    const sent = await w
      .as("mel")
      .post("/messages", { type: "channel", to: id, topic: "t", content: "Before" });
    await w.as("mel").post("/users/me/subscriptions", {
      subscriptions: [{ name: "lab" }],
      principals: [w.user("max").id],
    });
    const read = async (who: CastName) => (await w.as(who).get(`/messages/${sent.body.id}`)).status;
    expect([await read("mel"), await read("max")]).toEqual([200, 400]);

    const { events } = await change(w, "mel", id, { history_public_to_subscribers: true });
    expect(events[0]!.event).toMatchObject({
      property: "invite_only",
      value: true,
      history_public_to_subscribers: true,
    });
    expect(said(events)).toEqual([
      "Mel changed this channel from private, protected history to private, shared history.",
    ]);
    expect([await read("mel"), await read("max")]).toEqual([200, 200]);
    await change(w, "mel", id, { history_public_to_subscribers: false });
    expect([await read("mel"), await read("max")]).toEqual([200, 400]);
  });

  test("shows a channel to guests when it becomes web-public, and hides it when it becomes private", async () => {
    const w = world();
    const id = await made(w, ["olive"], { invite_only: true });
    await setServerOptions(w.app.system, { web_public_channels: true });
    await inAction(w, (tx) => realmSettings.write(tx, "enable_spectator_access", true));
    const web = await change(w, "olive", id, { is_web_public: true });
    expect(summarize(web.events)[0]).toEqual(["stream/create", byId(w, ["moss", "max", "bolt", "gus"])]);
    expect(said(web.events)).toEqual([
      "Olive changed this channel from private, protected history to web-public.",
    ]);
    expect(await shown(w, id, "gus")).toMatchObject({ is_web_public: true, invite_only: false });

    const hidden = await change(w, "olive", id, { is_private: true });
    expect(hidden.events[0]!.event).toMatchObject({ value: true, is_web_public: false });
    expect(summarize(hidden.events).at(-1)).toEqual([
      "stream/delete",
      byId(w, ["moss", "max", "bolt", "gus"]),
    ]);
  });

  test("becomes web-public only with the server option, the setting and the permission", async () => {
    const w = world();
    const id = await made(w, ["mel", "olive"]);
    const web = (by: CastName) => change(w, by, id, { is_web_public: true });
    refused(await web("olive"), "Web-public channels are not enabled on this server.");
    await setServerOptions(w.app.system, { web_public_channels: true });
    refused(await web("olive"), "Web-public channels are not enabled in this organization.");
    await inAction(w, (tx) => realmSettings.write(tx, "enable_spectator_access", true));
    refused(await web("mel"), "You do not have permission to create web-public channels.");
    expect(await web("olive")).toMatchObject({ status: 200 });
    // Undoing it needs no such permission.
    expect(await change(w, "mel", id, { is_web_public: false })).toMatchObject({ status: 200 });
  });

  test("follows the permissions to create channels of either kind", async () => {
    const w = world();
    const id = await made(w, ["mel"]);
    await allowInRealm(w, "can_create_private_channel_group", "role:moderators");
    const hide = await change(w, "mel", id, { is_private: true });
    refused(hide, "You do not have permission to create private channels.");
    await change(w, "olive", id, { is_private: true });
    await allowInRealm(w, "can_create_public_channel_group", "role:moderators");
    const open = await change(w, "mel", id, { is_private: false });
    refused(open, "You do not have permission to create public channels.");
  });

  test.each([
    [
      "a private channel on the web",
      { is_private: true, is_web_public: true },
      "A private channel cannot be web-public.",
    ],
    [
      "a public one with a protected past",
      { history_public_to_subscribers: false },
      /history of a public channel/,
    ],
    [
      "an opened one with a protected past",
      { is_private: false, history_public_to_subscribers: false },
      /history of a public channel/,
    ],
  ])("refuses %s", async (_, params, msg) => {
    const w = world();
    const id = await made(w, ["olive"]);
    const answer = await change(w, "olive", id, params);
    refused(answer, expect.stringMatching(msg));
  });

  test("refuses to make a default channel private", async () => {
    const w = world();
    const id = await made(w, ["ada"]);
    await w.as("ada").post("/default_streams", { stream_id: id });
    refused(await change(w, "ada", id, { is_private: true }), "A default channel cannot be private.");
    const both = await change(w, "ada", id, { is_private: true, is_default_stream: true });
    refused(both, "A default channel cannot be private.");
    const { events } = await change(w, "ada", id, { is_private: true, is_default_stream: false });
    expect(summarize(events).map(([key]) => key)).toEqual([
      "default_streams/",
      "stream/update",
      "stream/delete",
    ]);
  });

  test("removes a channel that becomes private from groups of default channels", async () => {
    const w = world();
    const id = await made(w, ["ada"]);
    const params = { group_name: "Design", description: "", stream_names: ["lab"] };
    await w.as("ada").post("/default_stream_groups/create", params);
    const { events } = await change(w, "ada", id, { is_private: true });
    expect(events[0]!.event).toMatchObject({
      type: "default_stream_groups",
      default_stream_groups: [{ streams: [] }],
    });
  });
});

describe("update-stream: permissions", () => {
  test("gives a permission to other people and groups", async () => {
    const w = world();
    const id = await made(w, ["mel"]);
    const value = { direct_members: [w.user("max").id], direct_subgroups: [group(w, "role:moderators")] };
    const { events } = await change(w, "mel", id, { can_resolve_topics_group: { new: value } });
    expect(events).toMatchObject([
      { audience: byId(w, members), event: { property: "can_resolve_topics_group", value } },
    ]);
    expect(await shown(w, id)).toMatchObject({ can_resolve_topics_group: value });
    expect(listAudit(w.ctx("ada"), { limit: 1 })).toMatchObject([
      { event: "channel_permission_changed", data: { name: "can_resolve_topics_group", to: value } },
    ]);
  });

  test("emits the old posting policy for every value", async () => {
    const w = world();
    const id = await made(w, ["mel"]);
    const crew = { name: "Crew", description: "", members: [w.user("mel").id] };
    const { group_id } = (await w.as("olive").post("/user_groups/create", crew)).body;
    const roles = (...names: string[]) => ({
      direct_members: [],
      direct_subgroups: names.map((name) => group(w, `role:${name}`)),
    });
    const values: [unknown, number][] = [
      [roles("nobody"), 2],
      [roles("members"), 1],
      [roles("owners"), 2],
      [roles("fullmembers"), 3],
      [roles("administrators"), 2],
      [roles("moderators"), 4],
      [roles("everyone"), 1],
      [roles(), 2],
      [roles("administrators", "moderators"), 4],
      [roles("owners", "fullmembers"), 3],
      [group_id, 1],
      [people(w, "olive"), 1],
      [people(w, "dex"), 1],
    ];
    let before = 1;
    for (const [value, number] of values) {
      const { events } = await change(w, "olive", id, { can_send_message_group: { new: value } });
      const received = events.flatMap(({ event }) =>
        event.property === "stream_post_policy" ? [event.value] : [],
      );
      expect({ value, received }).toEqual({ value, received: number === before ? [] : [number] });
      const policy = { stream_post_policy: number, is_announcement_only: number === 2 };
      expect(await shown(w, id)).toMatchObject(policy);
      before = number;
    }
  });

  test("emits the old posting policy too, and sends a notice", async () => {
    const w = world();
    const id = await made(w, ["mel"]);
    const value = group(w, "role:moderators");
    const { events } = await change(w, "mel", id, { can_send_message_group: { new: value } });
    expect(events.map(({ event }) => [event.property, event.value])).toEqual([
      ["can_send_message_group", value],
      ["stream_post_policy", 4],
      [undefined, undefined],
    ]);
    expect(said(events)[0]).toMatch(/^Mel changed who may post.*Everyone in this organization.*Moderators/s);
    const named = await change(w, "mel", id, { can_send_message_group: { new: people(w, "max", "mel") } });
    expect(said(named.events)[0]).toMatch(/Moderators of this organization.*Now: .*Mel.*Max/s);
    expect(named.events.at(-1)!.event.message.content).not.toContain('class="user-mention"');
    refused(
      await w.as("ada").post("/messages", { type: "channel", to: id, topic: "t", content: "x" }),
      "You do not have permission to post in channel 'lab'.",
    );
    const nobody = await change(w, "mel", id, { can_send_message_group: { new: people(w) } });
    expect(said(nobody.events)[0]).toMatch(/Now: nobody$/m);
  });

  test("refuses all changes if one is based on an outdated value", async () => {
    const w = world();
    const id = await made(w, ["mel"]);
    const [everyone, moderators] = [group(w, "role:everyone"), group(w, "role:moderators")];
    const stale = {
      can_send_message_group: { new: moderators, old: group(w, "role:owners") },
      description: "New",
    };
    const answer = await change(w, "mel", id, stale);
    refused(answer, expect.stringMatching(/changed in the meantime/), "EXPECTATION_MISMATCH");
    expect(await shown(w, id)).toMatchObject({ can_send_message_group: everyone, description: "" });
    const known = { can_send_message_group: { new: moderators, old: everyone } };
    expect(await change(w, "mel", id, known)).toMatchObject({ status: 200 });
  });

  test("restricts who may set who may delete messages", async () => {
    const w = world();
    const id = await made(w, ["mel"]);
    for (const name of ["can_delete_any_message_group", "can_delete_own_message_group"]) {
      const answer = await change(w, "mel", id, { [name]: { new: group(w, "role:members") } });
      refused(answer, "You do not have permission to choose who may delete messages in a channel.");
      const same = { [name]: { new: group(w, "role:nobody") } };
      expect(await change(w, "mel", id, same)).toMatchObject({ status: 200, events: [] });
      const { status } = await change(w, "ada", id, { [name]: { new: group(w, "role:members") } });
      expect(status).toBe(200);
    }
  });

  test("shows a private channel to users who gain the permission, and hides it from those who lose it", async () => {
    const w = world();
    const id = await made(w, ["mel"], { invite_only: true });
    const value = people(w, "max", "moss");
    const opened = await change(w, "mel", id, { can_subscribe_group: { new: value } });
    const gained = byId(w, ["max", "moss"]);
    const kept = byId(w, ["olive", "ada", "mel"]);
    expect(summarize(opened.events)).toEqual([
      ["stream/create", gained],
      ["subscription/peer_add", gained],
      ["stream/update", kept],
    ]);
    expect(opened.events[0]!.event.streams).toMatchObject([{ stream_id: id, can_subscribe_group: value }]);
    const closed = await change(w, "mel", id, { can_subscribe_group: { new: people(w, "moss") } });
    expect(summarize(closed.events)).toEqual([
      ["stream/update", byId(w, [...kept, "moss"])],
      ["stream/delete", ["max"]],
    ]);
  });

  test("refuses groups that a permission cannot be given to", async () => {
    const w = world();
    const id = await made(w, ["mel"]);
    const everyone = await change(w, "mel", id, { can_subscribe_group: { new: group(w, "role:everyone") } });
    refused(everyone, "'can_subscribe_group' setting cannot be set to 'role:everyone' group.");
    const unknown = await change(w, "mel", id, { can_send_message_group: { new: 4711 } });
    refused(unknown, "Invalid user group ID: 4711");
  });
});

/** A client that does not know archived channels. */
const older = {
  client_capabilities: {},
  include_subscribers: true,
  event_types: ["stream", "subscription", "message"],
};

describe("archive-stream", () => {
  test("archives a channel and keeps its subscribers and history", async () => {
    const w = world();
    const id = await made(w, ["mel", "gus"]);
    const sent = await w
      .as("mel")
      .post("/messages", { type: "channel", to: id, topic: "t", content: "Before" });
    const { body, events } = await w.as("mel").delete(`/streams/${id}`);

    expect(body).toEqual({ result: "success", msg: "" });
    expect(events).toMatchObject([
      {
        audience: byId(w, ["mel", "gus"]),
        event: { type: "message", message: { subject: "channel events" } },
      },
      {
        audience: byId(w, [...members, "gus"]),
        event: {
          type: "stream",
          op: "update",
          stream_id: id,
          name: "lab",
          property: "is_archived",
          value: true,
        },
      },
    ]);
    expect(events).toHaveLength(2);
    expect(said(events)).toEqual(["Mel archived this channel."]);
    expect((await w.as("gus").get("/users/me/subscriptions")).body.subscriptions).toEqual([]);
    expect((await w.as("max").get("/streams")).body.streams).toEqual([]);
    expect(await shown(w, id)).toMatchObject({ is_archived: true, subscriber_count: 2 });
    expect((await w.as("max").get(`/messages/${sent.body.id}`)).status).toBe(200);
    const post = await w
      .as("mel")
      .post("/messages", { type: "channel", to: id, topic: "t", content: "After" });
    refused(post, "You do not have permission to post in channel 'lab'.");
    expect(listAudit(w.ctx("ada"), { limit: 1 })).toMatchObject([{ event: "channel_archived" }]);
  });

  test("deletes the channel for clients that do not know archived ones", async () => {
    const w = world();
    const id = await made(w, ["mel", "max", "moss"]);
    const queue = await w.queue("mel", older);
    await w.as("mel").delete(`/streams/${id}`);
    expect((await queue.poll()).map(({ type, op, stream_ids }) => [type, op, stream_ids])).toEqual([
      ["message", undefined, undefined],
      ["stream", "delete", [id]],
    ]);
    // They get no further events about it.
    await change(w, "mel", id, { description: "New" });
    await change(w, "mel", id, { is_private: true });
    const modern = await w.queue("mel", { event_types: ["subscription"] });
    await w.as("moss").delete("/users/me/subscriptions", { subscriptions: ["lab"] });
    await w.as("olive").delete(`/users/${w.user("max").id}`);
    await w.as("olive").post(`/users/${w.user("max").id}/reactivate`);
    expect((await modern.poll()).map(({ op }) => op)).toEqual(["peer_remove", "peer_remove", "peer_add"]);
    expect(await queue.poll()).toEqual([]);
    expect((await w.queue("mel", older)).state).toMatchObject({ streams: [], subscriptions: [] });
  });

  test("removes the channel from the default channels", async () => {
    const w = world();
    const id = await made(w, []);
    await w.as("ada").post("/default_streams", { stream_id: id });
    const { events } = await w.as("ada").delete(`/streams/${id}`);
    expect(events.at(-1)!.event).toEqual({ type: "default_streams", default_streams: [] });
    refused(
      await w.as("ada").post("/default_streams", { stream_id: id }),
      "A default channel cannot be archived.",
    );
  });

  test("still allows changing the channel's settings", async () => {
    const w = world();
    const id = await made(w, []);
    await w.as("mel").delete(`/streams/${id}`);
    const { events } = await change(w, "mel", id, {
      new_name: "attic",
      can_send_message_group: { new: people(w) },
    });
    expect(events.map(({ event }) => event.property)).toEqual(
      expect.arrayContaining(["name", "can_send_message_group"]),
    );
    expect(await shown(w, id)).toMatchObject({ name: "attic", is_archived: true });
  });

  test("refuses users who do not administer the channel, and archived or unknown channels", async () => {
    const w = world();
    const id = await made(w, ["mel", "max"]);
    const hidden = await made(w, ["mel"], { name: "board", invite_only: true });
    const drop = (by: CastName, one: number) => w.as(by).delete(`/streams/${one}`);
    refused(await drop("max", id), "You do not have permission to administer channel 'lab'.");
    refused(await drop("max", hidden), "Invalid channel ID");
    refused(await drop("ada", 4711), "Invalid channel ID");
    await drop("ada", id);
    refused(await drop("ada", id), "Channel 'lab' is archived already.");
  });

  test("can be undone, which older clients see as a new channel with the same subscribers", async () => {
    const w = world();
    const id = await made(w, ["mel", "max"]);
    await w.as("max").patch(`/users/me/subscriptions/${id}`, { property: "color", value: "#abcdef" });
    await w.as("mel").delete(`/streams/${id}`);
    const [mine, others, modern] = [
      await w.queue("max", older),
      await w.queue("moss", older),
      await w.queue("max", { event_types: ["stream", "subscription"] }),
    ];
    const { events } = await change(w, "mel", id, { is_archived: false });

    expect(summarize(events)).toEqual([["stream/update", byId(w, members)]]);
    expect(events[0]!.event).toMatchObject({ property: "is_archived", value: false });
    expect(said(events)).toEqual(["Mel took this channel out of the archive."]);
    expect(await modern.poll()).toMatchObject([{ op: "update", property: "is_archived", value: false }]);
    const ids = byId(w, ["mel", "max"]).map((name) => w.user(name).id);
    expect(await mine.poll()).toMatchObject([
      { op: "create", streams: [{ stream_id: id, is_archived: false }] },
      {
        op: "add",
        subscriptions: [{ stream_id: id, color: "#abcdef", subscribers: ids, subscriber_count: 2 }],
      },
      { type: "message" },
    ]);
    expect(await others.poll()).toMatchObject([
      { op: "create", streams: [{ stream_id: id, subscriber_count: 0 }] },
      { op: "peer_add", stream_ids: [id], user_ids: ids },
    ]);
    expect(await shown(w, id)).toMatchObject({ is_archived: false, subscriber_count: 2 });
    const post = { type: "channel", to: id, topic: "t", content: "Back" };
    expect((await w.as("max").post("/messages", post)).status).toBe(200);
    expect(listAudit(w.ctx("ada"), { limit: 1, event: "channel_unarchived" })).toHaveLength(1);
  });

  test("tells an older client what is unread there, and its policies for topics, once the channel is back", async () => {
    const w = world();
    const id = await made(w, ["mel", "max"]);
    const post = { type: "channel", to: id, topic: "plans", content: "Hello @**Max**" };
    const unread = (await w.as("mel").post("/messages", post)).body.id;
    for (const who of ["max", "moss"] as const) {
      const policy = { stream_id: id, topic: "plans", visibility_policy: 3 };
      expect((await w.as(who).post("/user_topics", policy)).status).toBe(200);
    }
    await w.as("mel").delete(`/streams/${id}`);
    const [old, modern, unsubscribed, other] = [
      await w.queue("max", { client_capabilities: {} }),
      await w.queue("max"),
      await w.queue("moss", { client_capabilities: {} }),
      await w.queue("gus", { client_capabilities: {} }),
    ];
    expect(old.state.unread_msgs.streams).toEqual([]);
    await change(w, "mel", id, { is_archived: false });
    const told = await old.poll();
    const [flags] = told.filter(({ type }) => type === "update_message_flags");
    expect(flags).toMatchObject({ op: "remove", flag: "read" });
    expect(flags?.message_details[unread]).toEqual({
      ...{ type: "stream", stream_id: id, topic: "plans", mentioned: true },
    });
    const { unread_msgs, user_topics } = (await w.queue("max", { client_capabilities: {} })).state;
    const notice = told.find(({ type }) => type === "message")?.message.id;
    const ids = unread_msgs.streams.flatMap((one: Json) => one.unread_message_ids);
    expect([...(flags?.messages ?? []), notice].sort()).toEqual(ids.sort());
    expect(told.filter(({ type }) => type === "user_topic")).toMatchObject(user_topics);
    const later = (await modern.poll()).map(({ type }) => type);
    expect(later).not.toContain("update_message_flags");
    expect(later).not.toContain("user_topic");
    expect(await unsubscribed.poll()).toContainEqual(expect.objectContaining({ type: "user_topic" }));
    expect(await other.poll()).toEqual([]);
  });

  test("ends the queue of an older client for which that would be too much", async () => {
    const w = world();
    const id = await made(w, ["mel", "max"]);
    await w.as("mel").delete(`/streams/${id}`);
    w.app.env.db.sqlite.run(
      `INSERT INTO user_topics (user_id, channel_id, topic_key, topic, policy, last_updated)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 201)
       SELECT ?, ?, 't' || i, 't' || i, 3, 0 FROM n`,
      [w.user("max").id, id],
    );
    const [old, modern, plain] = [
      await w.queue("max", { client_capabilities: {} }),
      await w.queue("max"),
      await w.queue("max", { client_capabilities: {}, event_types: ["stream"] }),
    ];
    await change(w, "mel", id, { is_archived: false });
    expect(old.poll()).rejects.toThrow("BAD_EVENT_QUEUE_ID");
    expect((await modern.poll())[0]).toMatchObject({ property: "is_archived", value: false });
    expect(await plain.poll()).toMatchObject([{ type: "stream", op: "create" }]);
  });

  test("can be done and undone together with other changes", async () => {
    const w = world();
    const id = await made(w, ["mel"]);
    await change(w, "mel", id, { is_archived: true, new_name: "attic" });
    expect(await shown(w, id)).toMatchObject({ is_archived: true, name: "attic" });
    const back = { is_archived: false, is_default_stream: true, new_name: "lab" };
    expect(await change(w, "ada", id, back)).toMatchObject({ status: 200 });
    expect(await shown(w, id)).toMatchObject({ is_archived: false, name: "lab" });
  });
});
