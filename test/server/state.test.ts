// After any action, the state that clients compute from events equals a fresh one (docs/design.md#events).
import { describe, expect, test } from "bun:test";
import { domains } from "@/domains.ts";
import {
  changeRole,
  createUser,
  deactivateUser,
  reactivateUser,
  setPassword,
} from "@/foundation/accounts/actions.ts";
import { queueLetter } from "@/foundation/mail/actions.ts";
import { listUnsent } from "@/foundation/mail/store.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import type { Endpoint } from "@/kernel/http/endpoint.ts";
import { registerHooks } from "@/kernel/store/hooks.ts";
import { setRunner } from "@/operations/command-line/host.ts";
import { createBot } from "@/outside/bots/actions.ts";
import { channelHooks, type SightChange } from "@/places/channels/hooks.ts";
import { listChannels } from "@/places/channels/store.ts";
import { inEnglish } from "@/text/language/tables.ts";
import { runForRemotePerson } from "../../cli/commands/remote-runner.ts";
import { allCommands } from "../../cli/loaders.ts";
import { runJob } from "../support/jobs.ts";
import { file, png } from "../support/pictures.ts";
import { randomFrom, requestFor, send } from "../support/random.ts";
import type { Json } from "../support/requests.ts";
import { afterEvents, comparable, heldState } from "../support/state.ts";
import { givePassword, password } from "../support/web-session.ts";
import { type CastName, formOf, type TestQueue, type World, world } from "../support/world.ts";

/** One user of each role, and one with an old client; the actor is usually ada, olive or mel. */
const watchers: readonly [CastName, Json?][] = [
  ["olive"],
  ["mel"],
  ["gus"],
  ["max"],
  ["mel", { client_capabilities: {} }],
];

interface Place extends World {
  /** Channels: mel, gus and ada are in `team`; mel and ada in the private `secret`; nobody in `empty`. */
  team: number;
  secret: number;
  empty: number;
  /** Messages of max's: in `team` under "plans" and "food", to mel, to mel and gus; all unread. */
  plans: number;
  food: number;
  direct: number;
  group: number;
  id(name: CastName): number;
  post(who: CastName, to: string, topic: string, content: string): Promise<number>;
  write(who: CastName, to: CastName[], content: string): Promise<number>;
}

async function place(): Promise<Place> {
  const w = world();
  const id = (name: CastName) => w.user(name).id;
  const channel = async (name: string, params: Json) =>
    (await w.as("ada").post("/channels/create", { name, ...params })).body.id as number;
  const send = async (who: CastName, params: Json) =>
    (await w.as(who).post("/messages", params)).body.id as number;
  const post: Place["post"] = (who, to, topic, content) => send(who, { type: "channel", to, topic, content });
  const write: Place["write"] = (who, to, content) => send(who, { type: "direct", to: to.map(id), content });
  const team = await channel("team", {
    subscribers: ["ada", "mel", "gus", "max"].map((name) => id(name as CastName)),
  });
  const secret = await channel("secret", { subscribers: [id("ada"), id("mel")], invite_only: true });
  const empty = await channel("empty", { subscribers: [] });
  const hush = await post("ada", "secret", "hush", "not a word");
  const messages = {
    plans: await post("max", "team", "plans", "for @**Mel**"),
    food: await post("max", "team", "food", "what is there?"),
    direct: await write("max", ["mel"], "hello"),
    group: await write("max", ["mel", "gus"], "hello, both"),
  };
  await w.as("mel").post("/messages/flags", { messages: [hush], op: "add", flag: "starred" });
  for (const who of ["gus", "max", "mel", "olive"] as const) {
    await w.as(who).post("/messages/flags", { messages: [messages.food], op: "add", flag: "starred" });
  }
  // So that the last message that she received stays.
  await write("olive", ["olive"], "to do");
  return { ...w, id, post, write, team, secret, empty, ...messages };
}

/** Performs a step: all users register before it, and their states are compared after it. */
type Act = (step: () => Promise<unknown>) => Promise<void>;
type Scenario = (w: Place, act: Act) => Promise<unknown>;

const groupsOf =
  (w: Place) =>
  (name: string, params: Json = {}) =>
    w
      .as("ada")
      .post("/user_groups/create", { name, description: "", members: [w.id("mel")], ...params })
      .then(({ body }) => body.group_id as number);

const folder = async (w: Place, name: string) =>
  (await w.as("ada").post("/channel_folders/create", { name, description: "*new*" })).body.channel_folder_id;

const draft = { type: "stream", topic: "plans", content: "so", timestamp: 1_700_000_000 };
const soon = (w: Place) => w.app.system.now + 3_600;
const upload = (w: Place, who: CastName) => w.as(who).upload("/user_uploads", file("text", "notes.txt"));
const picture = () => file(png(20, 20), "me.png", "image/png");

const maxTries = 60;

/**
 * By operation ID; an endpoint's steps run one after another in one organization. Endpoints that write and are not here
 * are tried with random requests.
 */
const scenarios: Record<string, Scenario> = {
  "add-alert-words": (w, act) =>
    act(() => w.as("mel").post("/users/me/alert_words", { alert_words: ["tea"] })),
  "remove-alert-words": async (w, act) => {
    await w.as("mel").post("/users/me/alert_words", { alert_words: ["tea", "cake"] });
    await act(() => w.as("mel").delete("/users/me/alert_words", { alert_words: ["tea"] }));
  },
  "add-code-playground": (w, act) => act(() => playground(w)),
  "remove-code-playground": async (w, act) => {
    const { body } = await playground(w);
    await act(() => w.as("ada").delete(`/realm/playgrounds/${body.id}`));
  },
  "add-default-stream": (w, act) => act(() => w.as("ada").post("/default_streams", { stream_id: w.team })),
  "remove-default-stream": async (w, act) => {
    await w.as("ada").post("/default_streams", { stream_id: w.team });
    await act(() => w.as("ada").delete("/default_streams", { stream_id: w.team }));
  },
  "post-default-stream-groups-create": (w, act) => act(() => defaultGroup(w)),
  "patch-default-stream-groups-group-id": async (w, act) => {
    const id = await defaultGroup(w);
    await act(() => w.as("ada").patch(`/default_stream_groups/${id}`, { new_group_name: "Others" }));
  },
  "patch-default-stream-groups-group-id-streams": async (w, act) => {
    const id = await defaultGroup(w);
    const params = { op: "add", stream_names: ["empty"] };
    await act(() => w.as("ada").patch(`/default_stream_groups/${id}/streams`, params));
    await act(() => w.as("ada").patch(`/default_stream_groups/${id}/streams`, { ...params, op: "remove" }));
  },
  "delete-default-stream-groups-group-id": async (w, act) => {
    const id = await defaultGroup(w);
    await act(() => w.as("ada").delete(`/default_stream_groups/${id}`));
  },
  "add-linkifier": (w, act) => act(() => linkifier(w)),
  "update-linkifier": async (w, act) => {
    const id = await linkifier(w);
    const params = { pattern: "T(?P<id>[0-9]+)", url_template: "https://example.com/{id}" };
    await act(() => w.as("ada").patch(`/realm/filters/${id}`, params));
  },
  "reorder-linkifiers": async (w, act) => {
    const [one, other] = [await linkifier(w), await linkifier(w, "B")];
    await act(() => w.as("ada").patch("/realm/linkifiers", { ordered_linkifier_ids: [other, one] }));
  },
  "remove-linkifier": async (w, act) => {
    const id = await linkifier(w);
    await act(() => w.as("ada").delete(`/realm/filters/${id}`));
  },
  "add-navigation-view": (w, act) => act(() => view(w)),
  "edit-navigation-view": async (w, act) => {
    await view(w);
    await act(() => w.as("mel").patch("/navigation_views/narrow%2Fhas%2Flink", { name: "Kept" }));
  },
  "remove-navigation-view": async (w, act) => {
    await view(w);
    await act(() => w.as("mel").delete("/navigation_views/narrow%2Fhas%2Flink"));
  },
  "create-channel": async (w, act) => {
    const create = (name: string, params: Json) =>
      act(() => w.as("ada").post("/channels/create", { name, subscribers: [w.id("mel")], ...params }));
    await create("open", { send_new_subscription_messages: true });
    await create("closed", { invite_only: true });
    await create("kept", {
      invite_only: true,
      history_public_to_subscribers: false,
      is_default_stream: false,
    });
    await create("first", { is_default_stream: true, announce: true });
    await create("sorted", { folder_id: await folder(w, "Work") });
    await create("led", { invite_only: true, can_subscribe_group: named(w, "max") });
  },
  "update-stream": async (w, act) => {
    const change = (id: number, params: Json) => act(() => w.as("ada").patch(`/streams/${id}`, params));
    await change(w.team, { new_name: "crew", description: "**all** of us" });
    await change(w.team, { folder_id: await folder(w, "Work") });
    await change(w.team, { folder_id: null });
    await change(w.team, { topics_policy: "disable_empty_topic" });
    await act(() => w.as("olive").patch(`/streams/${w.team}`, { message_retention_days: 30 }));
    await change(w.team, { can_send_message_group: { new: named(w, "mel") } });
    await change(w.team, { is_default_stream: true });
    await change(w.team, { is_default_stream: false });
    await change(w.team, { is_private: true });
    await change(w.team, { is_private: true, history_public_to_subscribers: true });
    await change(w.team, { is_private: false });
    await change(w.secret, { can_subscribe_group: { new: named(w, "max") } });
    await change(w.secret, { can_subscribe_group: { new: named(w, "mel") } });
    await change(w.secret, { is_private: false });
    await change(w.empty, { is_archived: true });
    await change(w.empty, { is_archived: false });
  },
  "archive-stream": async (w, act) => {
    await w.as("ada").post("/default_streams", { stream_id: w.team });
    const policy = { stream_id: w.team, topic: "plans", visibility_policy: 3 };
    await w.as("mel").post("/user_topics", policy);
    for (const id of [w.team, w.secret]) {
      await act(() => w.as("ada").delete(`/streams/${id}`));
      await act(() => w.as("ada").patch(`/streams/${id}`, { is_archived: false }));
    }
  },
  subscribe: async (w, act) => {
    const join = (who: CastName, name: string, params: Json = {}) =>
      act(() => w.as(who).post("/users/me/subscriptions", { subscriptions: [{ name }], ...params }));
    await join("mel", "empty");
    await join("mel", "brand new");
    await join("ada", "empty", { principals: [w.id("gus"), w.id("max")] });
    await join("ada", "secret", { principals: [w.id("max"), w.id("gus")] });
    await join("mel", "hidden", { invite_only: true, principals: [w.id("olive")] });
  },
  unsubscribe: async (w, act) => {
    const leave = (who: CastName, name: string, principals: CastName[] = [who]) =>
      act(() =>
        w
          .as(who)
          .delete("/users/me/subscriptions", { subscriptions: [name], principals: principals.map(w.id) }),
      );
    await leave("mel", "team");
    await leave("ada", "team", ["gus", "max"]);
    await leave("ada", "secret", ["mel"]);
    await leave("ada", "secret");
    await w.as("mel").post("/users/me/subscriptions", { subscriptions: [{ name: "empty" }] });
    await w.as("ada").delete(`/streams/${w.empty}`);
    await leave("mel", "empty");
  },
  "update-subscriptions": (w, act) =>
    act(() => w.as("mel").patch("/users/me/subscriptions", { add: [{ name: "empty" }], delete: ["team"] })),
  "update-subscription-settings": async (w, act) => {
    for (const [property, value] of Object.entries({ is_muted: true, color: "#112233", pin_to_top: true })) {
      const subscription_data = [{ stream_id: w.team, property, value }];
      await act(() => w.as("mel").post("/users/me/subscriptions/properties", { subscription_data }));
    }
    const subscription_data = [{ stream_id: w.team, property: "email_notifications", value: true }];
    await act(() => w.as("mel").post("/users/me/subscriptions/properties", { subscription_data }));
    await w.as("mel").post("/users/me/subscriptions", { subscriptions: [{ name: "empty" }] });
    await w.as("ada").delete(`/streams/${w.empty}`);
    const archived = [{ stream_id: w.empty, property: "pin_to_top", value: true }];
    await act(() => w.as("mel").post("/users/me/subscriptions/properties", { subscription_data: archived }));
  },
  "patch-users-me-subscriptions-stream-id": (w, act) =>
    act(() =>
      w.as("mel").patch(`/users/me/subscriptions/${w.team}`, { property: "in_home_view", value: false }),
    ),
  "update-user-topic": async (w, act) => {
    for (const visibility_policy of [1, 2, 3, 0]) {
      const params = { stream_id: w.team, topic: "plans", visibility_policy };
      await act(() => w.as("mel").post("/user_topics", params));
    }
  },
  "mute-topic": async (w, act) => {
    for (const op of ["add", "remove"]) {
      const params = { stream_id: w.team, topic: "plans", op };
      await act(() => w.as("mel").patch("/users/me/subscriptions/muted_topics", params));
    }
  },
  "create-channel-folder": (w, act) => act(() => folder(w, "Work")),
  "update-channel-folder": async (w, act) => {
    const id = await folder(w, "Work");
    await act(() => w.as("ada").patch(`/channel_folders/${id}`, { name: "Play", description: "_fun_" }));
    await act(() => w.as("ada").patch(`/channel_folders/${id}`, { is_archived: true }));
  },
  "patch-channel-folders": async (w, act) => {
    const [one, other] = [await folder(w, "One"), await folder(w, "Other")];
    await act(() => w.as("ada").patch("/channel_folders", { order: [other, one] }));
  },
  "create-drafts": (w, act) =>
    act(() => w.as("mel").post("/drafts", { drafts: [{ ...draft, to: [w.team] }] })),
  "edit-draft": async (w, act) => {
    const { body } = await w.as("mel").post("/drafts", { drafts: [{ ...draft, to: [w.team] }] });
    const changed = { ...draft, to: [w.team], content: "so it is" };
    await act(() => w.as("mel").patch(`/drafts/${body.ids[0]}`, { draft: changed }));
  },
  "delete-draft": async (w, act) => {
    const { body } = await w.as("mel").post("/drafts", { drafts: [{ ...draft, to: [w.team] }] });
    await act(() => w.as("mel").delete(`/drafts/${body.ids[0]}`));
  },
  "create-saved-snippet": (w, act) => act(() => snippet(w)),
  "edit-saved-snippet": async (w, act) => {
    const id = await snippet(w);
    await act(() => w.as("mel").patch(`/saved_snippets/${id}`, { title: "Other" }));
  },
  "delete-saved-snippet": async (w, act) => {
    const id = await snippet(w);
    await act(() => w.as("mel").delete(`/saved_snippets/${id}`));
  },
  "remove-client-device": async (w, act) => {
    const { device_id } = (await w.as("mel").post("/register_client_device")).body;
    await act(() => w.as("mel").post("/remove_client_device", { device_id }));
  },
  "create-scheduled-message": (w, act) => act(() => scheduled(w)),
  "update-scheduled-message": async (w, act) => {
    const id = await scheduled(w);
    await act(() => w.as("mel").patch(`/scheduled_messages/${id}`, { content: "changed" }));
  },
  "delete-scheduled-message": async (w, act) => {
    const id = await scheduled(w);
    await act(() => w.as("mel").delete(`/scheduled_messages/${id}`));
  },
  "create-message-reminder": (w, act) => act(() => reminder(w)),
  "delete-reminder": async (w, act) => {
    const id = await reminder(w);
    await act(() => w.as("mel").delete(`/reminders/${id}`));
  },
  "create-user": (w, act) =>
    act(() =>
      w
        .as("ada")
        .post("/users", { email: "nia@example.com", password: "correct horse battery", full_name: "Nia" }),
    ),
  "create-user-group": async (w, act) => {
    const group = groupsOf(w);
    await act(() => group("crew"));
    await act(() => group("led", { can_mention_group: named(w, "max"), subgroups: [] }));
  },
  "update-user-group": async (w, act) => {
    const id = await groupsOf(w)("crew");
    const change = (params: Json) => act(() => w.as("ada").patch(`/user_groups/${id}`, params));
    await change({ name: "band", description: "of people" });
    await change({ can_mention_group: { new: named(w, "max") } });
    await w.as("ada").post(`/user_groups/${id}/deactivate`);
    await change({ deactivated: false });
  },
  "deactivate-user-group": async (w, act) => {
    const id = await groupsOf(w)("crew");
    await act(() => w.as("ada").post(`/user_groups/${id}/deactivate`));
  },
  "update-user-group-members": async (w, act) => {
    const group = groupsOf(w);
    const id = await group("crew");
    const change = (params: Json) => act(() => w.as("ada").post(`/user_groups/${id}/members`, params));
    await change({ add: [w.id("max"), w.id("gus")] });
    await change({ delete: [w.id("mel")] });
    await w.as("ada").patch(`/streams/${w.secret}`, { can_subscribe_group: { new: id } });
    await change({ add: [w.id("mel")], delete: [w.id("max")] });
    await change({ add: [w.id("max")], add_subgroups: [await group("inner")] });
  },
  "update-user-group-subgroups": async (w, act) => {
    const group = groupsOf(w);
    const [outer, inner] = [await group("outer"), await group("inner", { members: [w.id("max")] })];
    await w.as("ada").patch(`/streams/${w.secret}`, { can_subscribe_group: { new: outer } });
    await act(() => w.as("ada").post(`/user_groups/${outer}/subgroups`, { add: [inner] }));
    await act(() => w.as("ada").post(`/user_groups/${outer}/subgroups`, { delete: [inner] }));
  },
  "send-message": async (w, act) => {
    await act(() => w.post("max", "team", "plans", "more"));
    await act(() => w.post("mel", "team", "", "@**all** look"));
    await act(() => w.post("ada", "secret", "first", "@**Mel** look, :tada:"));
    await act(() => w.post("ada", "empty", "first", "anybody?"));
    await act(() => w.write("max", ["mel"], "you"));
    await act(() => w.write("mel", ["mel"], "me"));
    await act(() => w.write("gus", ["mel", "max"], "us"));
  },
  "update-message": async (w, act) => {
    const change = (id: number, params: Json, who: CastName = "ada") =>
      act(() => w.as(who).patch(`/messages/${id}`, params));
    await change(w.plans, { content: "for nobody" }, "max");
    await change(w.food, { content: "@**Mel**?" }, "max");
    await change(w.food, { topic: "eating" });
    await change(w.food, { topic: "plans", propagate_mode: "change_all" });
    await change(w.plans, { stream_id: w.empty, propagate_mode: "change_all" });
    await change(w.plans, { stream_id: w.secret, topic: "moved", propagate_mode: "change_all" });
    await change(w.plans, { topic: "\u2714 moved", propagate_mode: "change_all" });
  },
  "delete-message": async (w, act) => {
    for (const id of [w.plans, w.food]) await act(() => w.as("ada").delete(`/messages/${id}`));
    await act(() => w.as("max").delete(`/messages/${w.direct}`));
  },
  "sweep-now": (w, act) => act(() => w.as("olive").post("/retention/sweep")),
  "delete-topic": (w, act) =>
    act(() => w.as("ada").post(`/streams/${w.team}/delete_topic`, { topic_name: "plans" })),
  "update-message-flags": async (w, act) => {
    const messages = [w.plans, w.food, w.direct, w.group];
    for (const flag of ["starred", "read", "collapsed"]) {
      for (const op of ["add", "remove"]) {
        await act(() => w.as("mel").post("/messages/flags", { messages, op, flag }));
      }
    }
  },
  "update-message-flags-for-narrow": async (w, act) => {
    const params = {
      anchor: "oldest",
      num_before: 0,
      num_after: 50,
      narrow: [["channel", "team"]],
      flag: "read",
    };
    for (const op of ["add", "remove"]) {
      await act(() => w.as("mel").post("/messages/flags/narrow", { ...params, op }));
    }
  },
  "mark-all-as-read": (w, act) => act(() => w.as("mel").post("/mark_all_as_read")),
  "mark-stream-as-read": (w, act) =>
    act(() => w.as("mel").post("/mark_stream_as_read", { stream_id: w.team })),
  "mark-topic-as-read": (w, act) =>
    act(() => w.as("mel").post("/mark_topic_as_read", { stream_id: w.team, topic_name: "food" })),
  "add-reaction": (w, act) =>
    act(() => w.as("mel").post(`/messages/${w.plans}/reactions`, { emoji_name: "tada" })),
  "remove-reaction": async (w, act) => {
    await w.as("mel").post(`/messages/${w.plans}/reactions`, { emoji_name: "tada" });
    await act(() => w.as("mel").delete(`/messages/${w.plans}/reactions`, { emoji_name: "tada" }));
  },
  "post-submessage": async (w, act) => {
    const id = await w.post("max", "team", "plans", "/todo");
    const content = JSON.stringify({ type: "new_task", key: 2, task: "Sleep", desc: "", completed: false });
    await act(() => w.as("mel").post("/submessage", { message_id: id, msg_type: "widget", content }));
  },
  "report-message": async (w, act) => {
    await w.as("olive").patch("/realm", { moderation_request_channel_id: w.secret });
    await act(() => w.as("gus").post(`/messages/${w.plans}/report`, { report_type: "spam" }));
  },
  "handle-report": async (w, act) => {
    await w.as("olive").patch("/realm", { moderation_request_channel_id: w.secret });
    await w.as("gus").post(`/messages/${w.plans}/report`, { report_type: "spam" });
    await act(() => w.as("moss").patch("/reports/1", { is_handled: true, note: "Talked" }));
  },
  "send-invites": (w, act) => act(() => invite(w)),
  "resend-email-invite": async (w, act) => {
    const { id } = await invite(w);
    await act(() => w.as("ada").post(`/invites/${id}/resend`));
  },
  "revoke-email-invite": async (w, act) => {
    const { id } = await invite(w);
    await act(() => w.as("ada").delete(`/invites/${id}`));
  },
  "create-invite-link": (w, act) => act(() => w.as("ada").post("/invites/multiuse")),
  "revoke-invite-link": async (w, act) => {
    await w.as("ada").post("/invites/multiuse");
    const [{ id }] = (await w.as("ada").get("/invites")).body.invites;
    await act(() => w.as("ada").delete(`/invites/multiuse/${id}`));
  },
  join: async (w, act) => {
    const { body } = await w.as("ada").post("/invites/multiuse", { stream_ids: [w.team] });
    const person = { full_name: "Ann", email: "ann@example.org", password: "correct horse battery" };
    const sent = { method: "POST", body: new URLSearchParams(person) };
    await act(async () => {
      const { status } = await w.anonymous.request(new URL(body.invite_link).pathname, sent);
      expect(status).toBe(200);
    });
  },
  "test-welcome-bot-custom-message": (w, act) => {
    const params = { welcome_message_custom_text: "Be **kind**." };
    return act(() => w.as("ada").post("/realm/test_welcome_bot_custom_message", params));
  },
  "post-bots": (w, act) => act(() => bot(w)),
  "patch-bots-bot-id": async (w, act) => {
    const id = await bot(w);
    await act(() => w.as("mel").patch(`/bots/${id}`, { full_name: "Other" }));
    await act(() => w.as("mel").patch(`/bots/${id}`, { default_sending_stream: "team" }));
    await act(() => w.as("ada").patch(`/bots/${id}`, { bot_owner_id: w.id("max") }));
  },
  "delete-bots-bot-id": async (w, act) => {
    const id = await bot(w);
    await act(() => w.as("mel").delete(`/bots/${id}`));
  },
  "post-bots-bot-id-api-key-regenerate": async (w, act) => {
    const id = await bot(w);
    await act(() => w.as("mel").post(`/bots/${id}/api_key/regenerate`));
  },
  "put-bot-storage": (w, act) => act(() => w.as("bolt").put("/bot_storage", { storage: { key: "value" } })),
  "delete-bot-storage": async (w, act) => {
    await w.as("bolt").put("/bot_storage", { storage: { key: "value" } });
    await act(() => w.as("bolt").delete("/bot_storage"));
  },
  "update-user": async (w, act) => {
    const change = (params: Json) => act(() => w.as("olive").patch(`/users/${w.id("max")}`, params));
    await change({ full_name: "Maximilian" });
    await change({ role: roles.moderator });
    await change({ role: roles.guest });
    await act(() => w.as("ada").patch(`/users/${w.id("bolt")}`, { full_name: "Nut" }));
  },
  "update-user-by-email": (w, act) =>
    act(() => w.as("ada").patch("/users/max@example.com", { full_name: "Maximilian" })),
  "deactivate-own-user": (w, act) => act(() => w.as("moss").delete("/users/me")),
  "deactivate-user": async (w, act) => {
    const actions = { delete_profile: true, delete_public_channel_messages: true };
    await w.as("moss").post("/messages", { type: "channel", to: w.team, topic: "plans", content: "a" });
    await act(() => w.as("ada").delete(`/users/${w.id("moss")}`, { actions }));
  },
  "delete-messages-of-user": (w, act) => act(() => w.as("ada").post(`/users/${w.id("max")}/delete_messages`)),
  "erase-user": async (w, act) => {
    const erase = (who: CastName, messages: string) =>
      act(() => w.as("olive").post(`/users/${w.id(who)}/erase`, { messages }));
    const name = w.app.env.db.get<{ full_name: string }>(
      "SELECT full_name FROM users WHERE id = ?",
      w.id("moss"),
    );
    await w.as("moss").post("/messages", { type: "channel", to: w.team, topic: "plans", content: "a" });
    const content = `Hello @**${name?.full_name}**`;
    await w.as("mel").post("/messages", { type: "channel", to: w.team, topic: "plans", content });
    await erase("moss", "keep");
    await erase("dex", "delete");
  },
  "reactivate-user": (w, act) => act(() => w.as("ada").post(`/users/${w.id("dex")}/reactivate`)),
  "create-custom-profile-field": (w, act) => act(() => profileField(w)),
  "patch-realm-profile-fields-field-id": async (w, act) => {
    const id = await profileField(w);
    await act(() => w.as("ada").patch(`/realm/profile_fields/${id}`, { name: "Town", hint: "Where?" }));
  },
  "reorder-custom-profile-fields": async (w, act) => {
    const order = [await profileField(w, "One"), await profileField(w, "Other")].reverse();
    await act(() => w.as("ada").patch("/realm/profile_fields", { order }));
  },
  "delete-realm-profile-fields-field-id": async (w, act) => {
    const id = await profileField(w);
    await act(() => w.as("ada").delete(`/realm/profile_fields/${id}`));
  },
  "patch-users-me-profile-data": async (w, act) => {
    const id = await profileField(w);
    for (const value of ["Lisbon", "**Porto**"]) {
      await act(() => w.as("mel").patch("/users/me/profile_data", { data: [{ id, value }] }));
    }
  },
  "delete-users-me-profile-data": async (w, act) => {
    const id = await profileField(w);
    await w.as("mel").patch("/users/me/profile_data", { data: [{ id, value: "Lisbon" }] });
    await act(() => w.as("mel").delete("/users/me/profile_data", { data: [id] }));
  },
  "set-typing-status": (w, act) => act(() => w.as("mel").post("/typing", { op: "start", to: [w.id("max")] })),
  "set-typing-status-for-message-edit": (w, act) =>
    act(() => w.as("max").post(`/messages/${w.plans}/typing`, { op: "start" })),
  "mute-user": (w, act) => act(() => w.as("mel").post(`/users/me/muted_users/${w.id("max")}`)),
  "unmute-user": async (w, act) => {
    await w.as("mel").post(`/users/me/muted_users/${w.id("max")}`);
    await w.write("max", ["mel"], "do you hear?");
    await act(() => w.as("mel").delete(`/users/me/muted_users/${w.id("max")}`));
  },
  "post-users-me-onboarding-steps": async (w, act) => {
    const { body } = await w.as("mel").post("/register", { fetch_event_types: ["onboarding_steps"] });
    const onboarding_step = body.onboarding_steps[0].name;
    await act(() => w.as("mel").post("/users/me/onboarding_steps", { onboarding_step }));
  },
  "post-users-me-api-key-regenerate": (w, act) =>
    act(() => w.as("bolt").post("/users/me/api_key/regenerate")),
  "change-own-password": async (w, act) => {
    await givePassword(w, "mel");
    const change = { old_password: password, new_password: "staple of another kind" };
    await act(() => w.as("mel").patch("/users/me/password", change));
  },
  "end-key": async (w, act) => {
    const { keys } = (await w.as("bolt").get("/users/me/keys")).body;
    await act(() => w.as("bolt").delete(`/users/me/keys/${keys[0].id}`));
  },
  "end-user-key": async (w, act) => {
    const { keys } = (await w.as("bolt").get("/users/me/keys")).body;
    await act(() => w.as("ada").delete(`/users/${w.id("bolt")}/keys/${keys[0].id}`));
  },
  "end-user-keys": (w, act) => act(() => w.as("ada").delete(`/users/${w.id("bolt")}/keys`)),
  "post-users-me-avatar": (w, act) => act(() => w.as("mel").upload("/users/me/avatar", picture())),
  "delete-users-me-avatar": async (w, act) => {
    await w.as("mel").upload("/users/me/avatar", picture());
    await act(() => w.as("mel").delete("/users/me/avatar"));
  },
  "upload-file": (w, act) => act(() => upload(w, "mel")),
  "remove-attachment": async (w, act) => {
    await upload(w, "mel");
    const { attachments } = (await w.as("mel").get("/attachments")).body;
    await act(() => w.as("mel").delete(`/attachments/${attachments[0].id}`));
  },
  "upload-custom-emoji": (w, act) => act(() => w.as("mel").upload("/realm/emoji/party", picture())),
  "deactivate-custom-emoji": async (w, act) => {
    await w.as("mel").upload("/realm/emoji/party", picture());
    await act(() => w.as("mel").delete("/realm/emoji/party"));
  },
  "post-realm-icon": (w, act) => act(() => w.as("ada").upload("/realm/icon", picture())),
  "delete-realm-icon": async (w, act) => {
    await w.as("ada").upload("/realm/icon", picture());
    await act(() => w.as("ada").delete("/realm/icon"));
  },
  "post-realm-logo": async (w, act) => {
    for (const night of [false, true]) {
      await act(() => w.as("ada").upload("/realm/logo", formOf({ file: picture(), night })));
    }
  },
  "delete-realm-logo": async (w, act) => {
    await w.as("ada").upload("/realm/logo", formOf({ file: picture(), night: true }));
    await act(() => w.as("ada").delete("/realm/logo", { night: true }));
  },
  "post-realm-domains": (w, act) => act(() => mailDomain(w)),
  "patch-realm-domains-domain": async (w, act) => {
    await mailDomain(w);
    await act(() => w.as("olive").patch("/realm/domains/example.com", { allow_subdomains: true }));
  },
  "delete-realm-domains-domain": async (w, act) => {
    await mailDomain(w);
    await act(() => w.as("olive").delete("/realm/domains/example.com"));
  },
  "export-realm": (w, act) => act(() => w.as("ada").post("/export/realm")),
  "export-user": async (w, act) => {
    await w.as("max").patch("/settings", { allow_private_data_export: true });
    // The answer is the document itself.
    await act(async () => void (await w.as("olive").post(`/users/${w.id("max")}/export`)));
  },
  "delete-export-realm-export-id": async (w, act) => {
    const { id } = (await w.as("ada").post("/export/realm")).body;
    await act(() => runJob(w, "write-exports"));
    await act(() => w.as("ada").delete(`/export/realm/${id}`));
  },
  "update-realm": async (w, act) => {
    const change = (params: Json) => act(() => w.as("olive").patch("/realm", params));
    await change({ name: "Other", description: "new" });
    await change({ message_content_edit_limit_seconds: "unlimited", allow_message_editing: true });
    await change({ can_create_groups: { new: named(w, "mel") } });
    await change({ topics_policy: "disable_empty_topic", message_edit_history_visibility_policy: "none" });
    await change({ waiting_period_threshold: 30 });
    await change({ can_create_public_channel_group: { new: named(w, "mel") } });
    await change({ jitsi_server_url: "https://meet.example.com", video_chat_provider: 1 });
    await change({ new_stream_announcements_stream_id: w.team, default_language: "de" });
    await change({ message_retention_days: 100, enable_read_receipts: false, org_type: 10 });
  },
  "update-realm-user-settings-defaults": (w, act) =>
    act(() =>
      w.as("ada").patch("/realm/user_settings_defaults", { twenty_four_hour_time: true, color_scheme: 2 }),
    ),
  "update-settings": async (w, act) => {
    const change = (params: Json) => act(() => w.as("mel").patch("/settings", params));
    await change({ full_name: "Melissa" });
    await change({ timezone: "Europe/Berlin", twenty_four_hour_time: true, default_language: "de" });
    await change({ email_address_visibility: 3 });
    await setPassword(w.app.system, { user_id: w.id("moss"), password: "correct horse battery" });
    const email = { email: "moss2@example.com", old_password: "correct horse battery" };
    await act(() => w.as("moss").patch("/settings", email));
    await change({ email_address_visibility: 1 });
    await change({ presence_enabled: false });
    await change({ enable_stream_email_notifications: true });
    await act(() => w.as("mel").post("/drafts", { drafts: [{ ...draft, to: [w.team] }] }));
    await change({ enable_drafts_synchronization: false });
    await act(() => w.as("bolt").patch("/settings", { email_address_visibility: 5 }));
    await act(() => changeRole(w.app.system, { user_id: w.id("mel"), role: roles.moderator }));
  },
  "confirm-address": async (w, act) => {
    await setServerOptions(w.app.system, { sends_mail: true });
    const old_password = "correct horse battery";
    await setPassword(w.app.system, { user_id: w.id("moss"), password: old_password });
    await w.as("moss").patch("/settings", { email: "moss2@example.com", old_password });
    const mails = w.app.env.db.all<{ body: string }>("SELECT body FROM mails");
    const [path = ""] = mails.flatMap(({ body }) => /\/address\/confirm\/\w+/.exec(body) ?? []);
    await act(async () => {
      const { status } = await w.as("moss").request(path, { method: "POST" });
      expect(status).toBe(200);
    });
  },
  "update-display-settings": (w, act) =>
    act(() => w.as("mel").patch("/settings/display", { twenty_four_hour_time: true })),
  "update-notification-settings": (w, act) =>
    act(() => w.as("mel").patch("/settings/notifications", { enable_sounds: false })),
  "post-zcommand": async (w, act) => {
    for (const command of ["/dark", "/fluid-width"]) {
      await act(async () => {
        expect((await w.as("mel").post("/zcommand", { command })).status).toBe(200);
      });
    }
  },
  "run-command": async (w, act) => {
    setRunner(w.app.env, async (ctx, line) => runForRemotePerson(await allCommands(), ctx, line));
    for (const [command, given] of [
      ["user create", { email: "ivy@example.com", name: "Ivy" }],
      ["user role", { words: ["mel@example.com", "moderator"] }],
      ["channel create", { channel: "harbour" }],
    ] as const) {
      await act(async () => {
        const answer = await w.as("olive").post("/command", { command, given });
        expect(answer).toMatchObject({ status: 200 });
      });
    }
  },
  "update-presence": (w, act) =>
    act(() => w.as("mel").post("/users/me/presence", { status: "active", last_update_id: -1 })),
  "post-external": async (w, act) => {
    const bot = await w.as("mel").post("/bots", { full_name: "Builder", short_name: "builder", bot_type: 2 });
    const path = `/api/v1/external/json?api_key=${bot.body.api_key}&stream=team`;
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: '{"built":true}' };
    await act(async () => expect((await w.anonymous.request(path, init)).status).toBe(200));
  },
  "get-external": async (w, act) => {
    const bot = await w.as("mel").post("/bots", { full_name: "Watch", short_name: "watch", bot_type: 2 });
    const event = new URLSearchParams({ topic: "pumps", content: "The pump stands." });
    const path = `/api/v1/external/zapier?api_key=${bot.body.api_key}&stream=team&${event}`;
    await act(async () => expect((await w.anonymous.request(path)).status).toBe(200));
  },
  "send-test-event": async (w, act) => {
    const { body } = await w
      .as("mel")
      .post("/bots", { full_name: "Builder", short_name: "builder", bot_type: 2 });
    const event = { sender: "github", stream: "team" };
    await act(async () =>
      expect((await w.as("mel").post(`/bots/${body.user_id}/test_event`, event)).status).toBe(200),
    );
  },
  "set-two-step-demand": async (w, act) => {
    const demand = (required: boolean) => act(() => w.as("olive").patch("/realm/two_step", { required }));
    await demand(true);
    await demand(false);
  },
  "set-webhook-secret": async (w, act) => {
    const path = `/bots/${w.id("bolt")}/webhook_secret`;
    await act(() => w.as("ada").post(path));
  },
  "remove-webhook-secret": async (w, act) => {
    const path = `/bots/${w.id("bolt")}/webhook_secret`;
    await w.as("ada").post(path);
    await act(() => w.as("ada").delete(path));
  },
  "set-webhook-template": async (w, act) => {
    const path = `/bots/${w.id("bolt")}/webhook_template`;
    await act(() => w.as("ada").post(path, { content: "{{text}}" }));
  },
  "remove-webhook-template": async (w, act) => {
    const path = `/bots/${w.id("bolt")}/webhook_template`;
    await w.as("ada").post(path, { content: "{{text}}" });
    await act(() => w.as("ada").delete(path));
  },
  "test-outgoing-webhook": async (w, act) => {
    const hook = {
      full_name: "Replies",
      short_name: "replies",
      bot_type: 3,
      payload_url: "http://127.0.0.1:9/",
    };
    const { body } = await w.as("mel").post("/bots", hook);
    const id = body.user_id;
    await act(async () => expect((await w.as("mel").post(`/bots/${id}/test_call`)).status).toBe(200));
  },
  "unsubscribe-from-mail": async (w, act) => {
    const letter = { translator: inEnglish, subject: "Hello", blocks: [{ text: "Hello" }] };
    const unsubscribe = { userId: w.id("mel"), kind: "logins" } as const;
    const posting = { letter, recipient: "mel@example.com", sender_id: w.id("mel"), unsubscribe };
    await w.app.env.db.write(w.app.system, (tx) => queueLetter(tx, posting));
    const [mail] = listUnsent(w.app.system, 1);
    const { pathname } = new URL(mail?.headers.unsubscribe ?? "");
    await act(async () => expect((await w.anonymous.request(pathname, { method: "POST" })).status).toBe(200));
  },
  "update-status": async (w, act) => {
    await act(() => w.as("mel").post("/users/me/status", { status_text: "out", emoji_name: "car" }));
    await act(() => w.as("mel").post("/users/me/status", { status_text: "" }));
    await act(() => w.as("mel").post("/users/me/status", { away: true, emoji_name: "" }));
    await act(() => w.as("mel").post("/users/me/status", { away: false }));
  },
  "update-status-for-user": (w, act) =>
    act(() => w.as("ada").post(`/users/${w.id("mel")}/status`, { status_text: "away" })),
};

/**
 * Writes that do not affect what clients hold: logging in and out, those that are never performed, and those that end the queue,
 * the node or the organization.
 */
const without = [
  "arrive",
  "begin-two-step",
  "cancel-address-change",
  "complete-first-visit",
  "confirm-two-step",
  "delete-queue",
  "dev-fetch-api-key",
  "dev-sign-in",
  "drain-node",
  "end-session",
  "end-two-step",
  "end-user-session",
  "fetch-api-key",
  "follow-handover",
  "follow-login-link",
  "give-proof",
  "join-by-sign-on",
  "mail-proof",
  "make-handover",
  "make-snapshot",
  "post-calls-zoom-create",
  "create-constructor-groups-video-call",
  "create-nextcloud-talk-video-call",
  "post-realm-deactivate",
  "register-queue",
  "render-message",
  "renew-recovery-codes",
  "request-password-reset",
  "reset-password",
  "reset-two-step",
  "sign-in",
  "sign-out",
  "subscribe-web-push",
  "unsubscribe-web-push",
  "test-mail",
  "try-webhook-template",
  "undrain-node",
];

/** Changes without an endpoint: not built yet, or made by the server itself. */
const others: Record<string, Scenario> = {
  "a change of role": async (w, act) => {
    await w.as("ada").post("/default_streams", { stream_id: w.team });
    await w.as("ada").post("/default_stream_groups/create", {
      group_name: "More",
      description: "",
      stream_names: ["empty"],
    });
    await w.as("ada").patch(`/streams/${w.secret}`, { can_subscribe_group: { new: named(w, "max") } });
    for (const role of [roles.guest, roles.member, roles.moderator, roles.admin, roles.owner, roles.member]) {
      await act(() => changeRole(w.app.system, { user_id: w.id("max"), role }));
    }
    await act(() => changeRole(w.app.system, { user_id: w.id("gus"), role: roles.member }));
  },
  "the end of an account": async (w, act) => {
    await groupsOf(w)("crew", {
      can_mention_group: { direct_members: [w.id("max"), w.id("mel")], direct_subgroups: [] },
    });
    await w.as("ada").patch(`/streams/${w.secret}`, { can_subscribe_group: { new: named(w, "max") } });
    await act(() => deactivateUser(w.app.system, w.id("dex")).catch(() => {}));
    await act(() => deactivateUser(w.app.system, w.id("moss")));
    await act(() => deactivateUser(w.app.system, w.id("bolt")));
  },
  "the end of an account that a guest may not know": async (w, act) => {
    await groupsOf(w)("crew", { members: [w.id("moss")] });
    await w.as("ada").patch("/realm", { can_access_all_users_group: { new: 3 } });
    await act(() => deactivateUser(w.app.system, w.id("moss")));
    await act(() => reactivateUser(w.app.system, w.id("moss")));
  },
  "the end of a guest's account": (w, act) => act(() => deactivateUser(w.app.system, w.id("moss"))),
  "new people who are given channels": async (w, act) => {
    await w.as("ada").post("/default_streams", { stream_id: w.team });
    await act(() => createUser(w.ctx("ada"), { email: "nia@example.com", full_name: "Nia" }));
    await act(() =>
      createUser(w.ctx("ada"), { email: "gil@example.com", full_name: "Gil", role: roles.guest }),
    );
    await act(() => createBot(w.ctx("mel"), { full_name: "Helper", short_name: "helper" }));
  },
};

const named = (w: Place, ...people: CastName[]) => ({
  direct_members: people.map(w.id),
  direct_subgroups: [],
});

const playground = (w: Place) =>
  w.as("ada").post("/realm/playgrounds", {
    name: "Try",
    pygments_language: "Python",
    url_template: "https://example.com/{code}",
  });

const defaultGroup = async (w: Place): Promise<number> => {
  await w.as("ada").post("/default_stream_groups/create", {
    group_name: "Some",
    description: "channels",
    stream_names: ["team"],
  });
  const { body } = await w.as("ada").post("/register", { fetch_event_types: ["default_stream_groups"] });
  return body.realm_default_stream_groups.at(-1).id;
};

const linkifier = async (w: Place, sign = "#"): Promise<number> => {
  const params = { pattern: `${sign}(?P<id>[0-9]+)`, url_template: `https://example.com/${sign}/{id}` };
  return (await w.as("ada").post("/realm/filters", params)).body.id;
};

const view = (w: Place) =>
  w.as("mel").post("/navigation_views", { fragment: "narrow/has/link", is_pinned: true, name: "Links" });

const snippet = async (w: Place): Promise<number> =>
  (await w.as("mel").post("/saved_snippets", { title: "Thanks", content: "Thank you!" })).body
    .saved_snippet_id;

const scheduled = async (w: Place): Promise<number> => {
  const params = { type: "channel", to: w.team, topic: "plans", content: "later" };
  const { body } = await w
    .as("mel")
    .post("/scheduled_messages", { ...params, scheduled_delivery_timestamp: soon(w) });
  return body.scheduled_message_id;
};

const reminder = async (w: Place): Promise<number> => {
  const params = { message_id: w.plans, scheduled_delivery_timestamp: soon(w) };
  return (await w.as("mel").post("/reminders", params)).body.reminder_id;
};

const invite = async (w: Place): Promise<Json> => {
  await w.as("ada").post("/invites", { invitee_emails: "ann@example.org", stream_ids: [w.team] });
  return (await w.as("ada").get("/invites")).body.invites[0];
};

const bot = async (w: Place): Promise<number> =>
  (await w.as("mel").post("/bots", { full_name: "Helper", short_name: "helper" })).body.user_id;

const profileField = async (w: Place, name = "City"): Promise<number> =>
  (await w.as("ada").post("/realm/profile_fields", { name, field_type: 1 })).body.id;

const mailDomain = (w: Place) =>
  w.as("olive").post("/realm/domains", { domain: "example.com", allow_subdomains: false });

/** What clients must fetch again: the newest message, after the previous newest one was deleted. */
function settled(state: Json, deleted: readonly number[]): Json {
  const held = comparable(state);
  if (deleted.length === 0) return held;
  const { max_message_id, recent, deleted: _, ...rest } = held;
  return rest;
}

/** What the hook says of channels that users gain and lose sight of. */
function followSight({ app }: World): SightChange[] {
  const said: SightChange[] = [];
  registerHooks(app.env.db, [
    channelHooks.sightChanged.register((_, changes) => {
      said.push(...changes);
    }),
  ]);
  return said;
}

/** The channels that a user sees, by those that they saw before and what the hook has said since. */
function seenAfter(said: readonly SightChange[], userId: number, before: Json): number[] {
  const seen = new Set(channelsIn(before));
  for (const { kind, userIds, channels } of said) {
    if (!userIds.includes(userId)) continue;
    for (const { id } of channels) {
      if (kind === "lost") seen.delete(id);
      else seen.add(id);
    }
  }
  return [...seen].sort((a, b) => a - b);
}

const channelsIn = (state: Json): number[] => state.streams.map((one: Json) => one.stream_id);

async function compare(w: Place, scenario: Scenario): Promise<void> {
  let steps = 0;
  const open = () =>
    Promise.all(watchers.map(([who, params]) => w.queue(who, { include_subscribers: true, ...params })));
  let queues: TestQueue[] = [];
  const said = followSight(w);
  await scenario(w, async (step) => {
    // Events also cover the changes made since.
    if (queues.length === 0) queues = await open();
    // Nothing hangs on channels that the step makes.
    const newest = Math.max(...listChannels(w.app.system).map(({ id }) => id));
    said.length = 0;
    const answer = (await step()) as Json;
    if (answer?.status !== undefined) expect([answer.status, answer.body.msg]).toEqual([200, ""]);
    const fresh = await open();
    for (const [i, [who, params]] of watchers.entries()) {
      const before = queues[i] as TestQueue;
      const events = await before.poll();
      const held = afterEvents(before.state, events);
      const deleted = held.deleted ?? [];
      const found = differences(
        settled(held, deleted),
        settled(heldState((fresh[i] as TestQueue).state), deleted),
      );
      const place = { step: steps, who, ...params };
      expect({ ...place, found }).toEqual({ ...place, found: [] });
      // Older clients do not get archived channels.
      if (params) continue;
      const isOld = (id: number) => id <= newest;
      const seen = seenAfter(said, w.id(who), before.state).filter(isOld);
      expect({ ...place, seen }).toEqual({
        ...place,
        seen: channelsIn((fresh[i] as TestQueue).state).filter(isOld),
      });
    }
    queues = fresh;
    steps += 1;
  });
  expect(steps).toBeGreaterThan(0);
}

/** The paths at which two states differ, with both values. */
function differences(held: Json, is: Json, path = ""): string[] {
  if (Bun.deepEquals(held, is)) return [];
  const isObject = (value: Json) => typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject(held) || !isObject(is)) return [`${path}: ${JSON.stringify(held)} is ${JSON.stringify(is)}`];
  const keys = new Set([...Object.keys(held), ...Object.keys(is)]);
  return [...keys].flatMap((key) => differences(held[key], is[key], path === "" ? key : `${path}.${key}`));
}

/** Sends random requests until three were accepted; returns how many were. */
async function tryRandomly(endpoint: Endpoint, w: Place, act: Act): Promise<number> {
  const random = randomFrom(maxTries);
  let accepted = 0;
  for (let tries = 0; tries < maxTries && accepted < 3; tries++) {
    const sent = requestFor(endpoint, random);
    await act(async () => {
      const { status } = await send(w.as(tries % 2 === 0 ? "olive" : "mel"), sent);
      if (status < 400) accepted++;
    });
  }
  return accepted;
}

describe("state after", () => {
  test.each(Object.keys(scenarios))("%s is what the events say", async (id) => {
    await compare(await place(), scenarios[id] as Scenario);
  });

  test.each(Object.keys(others))("%s is what the events say", async (name) => {
    await compare(await place(), others[name] as Scenario);
  });

  // An event in the query of an address is a message, too.
  const writes = ({ method, id }: Endpoint) => method !== "GET" || id === "get-external";
  const writing = domains.flatMap(({ endpoints = [] }) => endpoints.filter(writes));
  const tried = [...Object.keys(scenarios), ...without];
  const untold = writing.filter(({ id }) => !tried.includes(id));
  /** What an endpoint's path may name is created by its neighbours whose paths name nothing: by their scenarios, or by random requests. */
  const makersFor = ({ id, path }: Endpoint): Scenario[] => {
    const neighbours = domains.find(({ endpoints = [] }) =>
      endpoints.some((one) => one.id === id),
    )?.endpoints;
    if (!path.includes("{")) return [];
    return (neighbours ?? [])
      .filter((one) => one.method !== "GET" && !one.path.includes("{"))
      .map((one) => scenarios[one.id] ?? ((w, act) => tryRandomly(one, w, act)));
  };

  test("names only endpoints that write", () => {
    const ids = writing.map(({ id }) => id);
    expect(tried.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test.each(untold.map((endpoint) => [endpoint.id, endpoint] as const))(
    "%s, by random requests, is what the events say",
    async (id, endpoint) => {
      let accepted = 0;
      await compare(await place(), async (w, act) => {
        for (const make of makersFor(endpoint)) await make(w, act);
        accepted = await tryRandomly(endpoint, w, act);
      });
      if (accepted === 0)
        throw new Error(`No random request of ${id} was accepted: write a scenario for it in this file.`);
    },
  );
});
