// Fills a stored folder before it is packed, with examples of what the sample organization of `serve --dev` lacks.
import { createECDH, randomBytes } from "node:crypto";
import { gif, png } from "../support/pictures.ts";
import type { Json, Method, Params } from "../support/requests.ts";
import type { Asking, Reply } from "./answers.ts";

export interface Site extends Asking {
  /** API keys by address. */
  keys: Record<string, string>;
  upload(who: string, path: string, file: File): Promise<Reply>;
}

const address = (name: string) => `${name}@example.com`;
/** The owner first. */
export const people = ["ines", "tomas", "priya", "hugo", "mei", "omar", "ruth", "lena"].map(address);
/** A person who signs in with a browser. */
export const browsing = { email: "bea@example.com", password: "heron-pond-28" };
/** Far enough in the future that no job runs. */
const inLongTime = Date.UTC(2090, 0, 1) / 1000;

interface Front {
  ask(who: string, method: Method, path: string, params?: Params): Promise<Json>;
  upload(who: string, path: string, file: File): Promise<Json>;
}

/** Resolves with the address of a bot that stores something. */
export async function live(site: Site): Promise<string> {
  const front: Front = {
    ask: async (who, method, path, params) =>
      succeeded(await site.call(address(who), method, path, params), `${method} ${path}`),
    upload: async (who, path, file) => succeeded(await site.upload(address(who), path, file), path),
  };
  await settings(front);
  const ids = new Map<string, number>();
  for (const { email, user_id } of (await front.ask("ines", "GET", "/users")).members)
    ids.set(email, user_id);
  const id = (name: string) => ids.get(address(name)) ?? 0;
  const channel = await places(front, id);
  await messages(front, { channel, id });
  await lists(front, { channel, id });
  await pictures(front);
  const bot = await coming(front, channel);
  site.keys[bot.email] = bot.api_key;
  succeeded(await site.call(bot.email, "PUT", "/bot_storage", { storage: { count: "7" } }), "/bot_storage");
  const template = { topic: "{{project}}", content: "{{state | unknown}}" };
  await site.call(address("hugo"), "POST", `/bots/${bot.user_id}/webhook_template`, template); // since schema 50
  const event = { project: "heron", state: "built" };
  succeeded(
    await site.call(bot.email, "POST", `/external/json?api_key=${bot.api_key}`, event),
    "/external/json",
  );
  await site.call(address("ines"), "POST", "/export/realm", { export_type: 1 }); // since schema 15
  const made = { command: "metrics make-token", given: { name: "kept" } };
  await site.call(address("ines"), "POST", "/command", made); // since schema 37
  const note = { type: "direct", to: [address("ines")], content: "to be sent once" };
  await site.call(address("ines"), "POST", "/messages", note, { "idempotency-key": "kept" }); // since schema 38
  await counted(front); // since schema 44
  return bot.email;
}

/** Waits until the server has counted what was sent on each day. */
async function counted({ ask }: Front): Promise<void> {
  while ((await ask("ines", "GET", "/statistics")).counted_at === null) await Bun.sleep(200);
}

function succeeded({ status, body }: Reply, what: string): Json {
  if (status !== 200) throw new Error(`${what}: ${status} ${JSON.stringify(body)}`);
  return body;
}

interface Stage {
  channel: number;
  id(name: string): number;
}

async function settings({ ask }: Front): Promise<void> {
  await ask("ines", "PATCH", "/realm", {
    description: "Kept for later versions",
    digest_emails_enabled: false,
  });
  await ask("ines", "PATCH", "/realm/user_settings_defaults", { enter_sends: true });
  await ask("mei", "PATCH", "/settings", { twenty_four_hour_time: true, timezone: "Asia/Tokyo" });
  await ask("mei", "PATCH", "/settings", { email: "mei.new@example.com" });
  await ask("ines", "POST", "/realm/domains", { domain: "example.com", allow_subdomains: true });
  const fields = [
    { name: "Room", hint: "Where you sit", field_type: 1 },
    {
      name: "Team",
      field_type: 3,
      field_data: { a: { text: "Core", order: "1" }, b: { text: "Web", order: "2" } },
    },
    { name: "Guide", field_type: 6 },
  ];
  for (const field of fields) await ask("ines", "POST", "/realm/profile_fields", field);
  const { custom_fields } = await ask("ines", "GET", "/realm/profile_fields");
  const [room, team] = custom_fields.slice(-3).map((one: Json) => one.id);
  await ask("hugo", "PATCH", "/users/me/profile_data", {
    data: [
      { id: room, value: "3.14 **west**" },
      { id: team, value: "b" },
    ],
  });
}

/**
 * Channels of every kind: one with all features, an archived one, one with few members; also a group of default channels, and
 * user groups.
 */
async function places({ ask }: Front, id: Stage["id"]): Promise<number> {
  const all = ["ines", "tomas", "hugo", "mei", "lena"].map(id);
  const made = await ask("tomas", "POST", "/channels/create", {
    name: "kept",
    subscribers: all,
    description: "*All*",
  });
  const old = await ask("tomas", "POST", "/channels/create", { name: "old", subscribers: all });
  const few = await ask("hugo", "POST", "/channels/create", {
    name: "few",
    subscribers: [id("hugo"), id("mei")],
    invite_only: true,
    history_public_to_subscribers: false,
  });
  await ask("hugo", "POST", "/messages", {
    type: "channel",
    to: few.id,
    topic: "plan",
    content: "the plan of a few",
  });
  await ask("hugo", "POST", "/users/me/subscriptions", {
    subscriptions: [{ name: "few" }],
    principals: [id("ruth")],
  });
  await ask("tomas", "POST", "/messages", { type: "channel", to: old.id, topic: "end", content: "the end" });
  await ask("tomas", "DELETE", `/streams/${old.id}`);
  await ask("ines", "PATCH", "/realm", { moderation_request_channel_id: few.id });
  await ask("ines", "POST", "/default_stream_groups/create", {
    group_name: "Newcomers",
    description: "Where to begin",
    stream_names: ["kept"],
  });
  const attic = await ask("tomas", "POST", "/channel_folders/create", { name: "Attic", description: "" });
  await ask("tomas", "PATCH", `/streams/${made.id}`, {
    folder_id: attic.channel_folder_id,
    topics_policy: "allow_empty_topic",
  });
  const crew = await ask("tomas", "POST", "/user_groups/create", {
    name: "keepers",
    description: "Who keep things",
    members: [id("tomas"), id("mei")],
  });
  await ask("tomas", "POST", "/user_groups/create", {
    name: "all keepers",
    description: "",
    members: [id("hugo")],
    subgroups: [crew.group_id],
  });
  await ask("tomas", "PATCH", `/streams/${made.id}`, {
    can_administer_channel_group: { new: { direct_members: [id("mei")], direct_subgroups: [crew.group_id] } },
  });
  return made.id;
}

async function messages({ ask, upload }: Front, { channel, id }: Stage): Promise<void> {
  const send = async (who: string, topic: string, content: string): Promise<number> =>
    (await ask(who, "POST", "/messages", { type: "channel", to: channel, topic, content })).id;
  const first = await send("hugo", "birds", "the *heron* and @**Mei Tanaka**, @*keepers*");
  const second = await send("mei", "birds", "日本語の全文検索 for the heron :heart: $$x^2$$");
  const third = await send("tomas", "Birds", "```ts\nconst the = 1;\n```\n@**all**");
  await send("lena", "", "general chat of the guest");
  await ask("hugo", "PATCH", `/messages/${first}`, { content: "the **grey** heron and @**Mei Tanaka**" });
  await ask("hugo", "PATCH", `/messages/${first}`, { topic: "waders", propagate_mode: "change_one" });
  await ask("tomas", "PATCH", `/messages/${third}`, { topic: "✔ birds", propagate_mode: "change_one" });
  const gone = await send("hugo", "birds", "said too early");
  await ask("ines", "DELETE", `/messages/${gone}`);
  await ask("lena", "POST", `/messages/${second}/reactions`, { emoji_name: "tada" });
  await ask("mei", "POST", "/messages/flags", { messages: [first, second], op: "add", flag: "read" });
  await ask("lena", "POST", "/messages/flags", { messages: [third], op: "add", flag: "read" });
  await ask("mei", "POST", "/messages/flags", { messages: [first], op: "add", flag: "starred" });
  await ask("lena", "POST", `/messages/${second}/report`, { report_type: "spam", description: "just a try" });
  await ask("ines", "PATCH", "/realm", { message_retention_days: 36_500 });
  const poll = await send("hugo", "votes", "/poll Which bird?\nHeron\nIbis");
  await ask("mei", "POST", "/submessage", {
    message_id: poll,
    msg_type: "widget",
    content: JSON.stringify({ type: "vote", key: "canned,1", vote: 1 }),
  });
  const text = new File(["the quick brown fox\n".repeat(50)], "fox the first.txt", { type: "text/plain" });
  const { url } = await upload("hugo", "/user_uploads", text);
  await send("hugo", "files", `[the fox](${url})`);
  const picture = await upload("mei", "/user_uploads", new File([png(300, 200)], "halves.png"));
  const shown = await ask("mei", "POST", "/messages", {
    type: "direct",
    to: [id("hugo"), id("lena")],
    content: `the [halves](${picture.url})`,
  });
  await ask("hugo", "GET", `/messages/${shown.id}`);
  await upload("lena", "/user_uploads", new File(["sent nowhere"], "alone.txt"));
  await ask("ruth", "POST", "/messages", { type: "direct", to: [id("ruth")], content: "a note to the self" });
}

async function lists({ ask }: Front, { channel, id }: Stage): Promise<void> {
  await ask("mei", "POST", "/users/me/alert_words", { alert_words: ["heron", "größe"] });
  await ask("mei", "POST", `/users/me/muted_users/${id("ruth")}`);
  await ask("mei", "POST", "/user_topics", { stream_id: channel, topic: "birds", visibility_policy: 3 });
  await ask("hugo", "POST", "/user_topics", { stream_id: channel, topic: "votes", visibility_policy: 1 });
  await ask("hugo", "POST", "/users/me/subscriptions/properties", {
    subscription_data: [
      { stream_id: channel, property: "color", value: "#336699" },
      { stream_id: channel, property: "is_muted", value: true },
    ],
  });
  await ask("mei", "POST", "/users/me/status", { status_text: "at the pond", emoji_name: "duck" });
  await ask("mei", "POST", "/users/me/presence", { status: "active", new_user_input: true });
  const drafts = [
    { type: "stream", to: [channel], topic: "birds", content: "half a thought", timestamp: 1_700_000_000 },
  ];
  await ask("hugo", "POST", "/drafts", { drafts });
  await ask("hugo", "POST", "/saved_snippets", { title: "Bye", content: "See you *all*" });
  await ask("hugo", "POST", "/scheduled_messages", {
    type: "channel",
    to: channel,
    topic: "later",
    content: "from the past",
    scheduled_delivery_timestamp: inLongTime,
  });
  const { messages: own } = await ask("hugo", "GET", "/messages", {
    anchor: "newest",
    num_before: 1,
    num_after: 0,
  });
  await ask("hugo", "POST", "/reminders", {
    message_id: own[0].id,
    scheduled_delivery_timestamp: inLongTime,
    note: "look again",
  });
  await ask("hugo", "POST", "/navigation_views", {
    fragment: "narrow/is/starred/sender/7",
    is_pinned: true,
    name: "Stars",
  });
  // The push service does not answer, so the notification of the message below keeps waiting (since schema 21).
  const browser = createECDH("prime256v1");
  browser.generateKeys();
  await ask("priya", "POST", "/users/me/web_push", {
    endpoint: "https://push.invalid/priya",
    p256dh: browser.getPublicKey("base64url"),
    auth: randomBytes(16).toString("base64url"),
  });
  await ask("hugo", "POST", "/messages", { type: "direct", to: [id("priya")], content: "are you there?" });
  await ask("hugo", "POST", "/users/me/onboarding_steps", { onboarding_step: "intro_inbox_view_modal" });
}

async function pictures({ ask, upload }: Front): Promise<void> {
  await upload("mei", "/users/me/avatar", new File([png(64, 64)], "mei.png"));
  await upload("ines", "/realm/icon", new File([png(32, 32)], "icon.png"));
  await upload("ines", "/realm/emoji/heron", new File([png(40, 40)], "heron.png"));
  await upload("ines", "/realm/emoji/flapping", new File([gif(3)], "flapping.gif"));
  await upload("ines", "/realm/emoji/extinct", new File([png(20, 20)], "extinct.png"));
  await ask("ines", "DELETE", "/realm/emoji/extinct");
}

/** Bots and invitations; nothing answers at the bot's URL. */
async function coming(
  { ask }: Front,
  channel: number,
): Promise<{ user_id: number; email: string; api_key: string }> {
  const bot = await ask("hugo", "POST", "/bots", { full_name: "Counter", short_name: "counter" });
  await ask("hugo", "POST", "/bots", {
    full_name: "Echo",
    short_name: "echo",
    bot_type: 3,
    payload_url: "https://echo.invalid/hook",
    interface_type: 1,
  });
  await ask("hugo", "PATCH", `/bots/${bot.user_id}`, { default_all_public_streams: true });
  await ask("hugo", "POST", `/bots/${bot.user_id}/test_event`, { sender: "json", stream: "kept" });
  const link = { invite_expires_in_minutes: null, stream_ids: [channel] };
  await ask("ines", "POST", "/invites/multiuse", { ...link, invite_as: 400 });
  await ask("tomas", "POST", "/invites", { ...link, invitee_emails: "new@example.com, later@example.com" });
  await ask("ines", "POST", "/users", { ...browsing, full_name: "Bea" });
  const spare = await ask("ines", "POST", "/users", {
    email: "spare@example.com",
    password: "heron-pond-27",
    full_name: "Spare",
  });
  await ask("ines", "DELETE", `/users/${spare.user_id}`);
  await ask("hugo", "POST", "/messages", {
    type: "channel",
    to: channel,
    topic: "bots",
    content: "@**Echo** hello",
  });
  // Nobody answers there, so nothing is found.
  await ask("hugo", "POST", "/messages", {
    type: "direct",
    to: [bot.user_id],
    content: "http://localhost:9/heron.png",
  });
  const members: Json[] = (await ask("hugo", "GET", "/users")).members;
  const { email } = members.find((one) => one.user_id === bot.user_id);
  return { user_id: bot.user_id, email, api_key: bot.api_key };
}
