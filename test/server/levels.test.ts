// What each feature level of the API from 422 on promises, by its number. docs/decisions/feature-levels.md has the readings.
import { describe, expect, test } from "bun:test";
import { insertImported } from "@/foundation/accounts/actions-adding.ts";
import { listAudit } from "@/foundation/audit/queries.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { action } from "@/kernel/core/operation.ts";
import { runJob } from "../support/jobs.ts";
import { file, png } from "../support/pictures.ts";
import type { Json } from "../support/requests.ts";
import { type CastName, type World, world } from "../support/world.ts";

/** The initial state of these types. */
async function stateOf(w: World, who: CastName, ...fetch_event_types: string[]): Promise<Json> {
  return (await w.queue(who, { fetch_event_types })).state;
}

/** Creates a channel with these subscribers; returns its ID. */
async function channel(w: World, name: string, members: CastName[], more: Json = {}): Promise<number> {
  const subscribers = members.map((one) => w.user(one).id);
  const { body } = await w.as("olive").post("/channels/create", { name, subscribers, ...more });
  expect(body).toMatchObject({ result: "success" });
  return body.id;
}

describe("426", () => {
  test("the initial state no longer says whether this is a mirror", async () => {
    expect(await stateOf(world(), "mel", "realm")).not.toHaveProperty("realm_is_zephyr_mirror_realm");
  });
});

describe("427", () => {
  test("the default administrators of a channel are its creator", async () => {
    const { server_supported_permission_settings: settings } = await stateOf(world(), "mel", "realm");
    expect(settings.stream.can_administer_channel_group.default_group_name).toBe("channel_creator");
  });
});

describe("428", () => {
  test("a deactivated user leaves archived channels, too, for clients that know these", async () => {
    const w = world();
    const [open, archived] = [
      await channel(w, "open", ["mel", "max"]),
      await channel(w, "old", ["mel", "max"]),
    ];
    await w.as("olive").delete(`/streams/${archived}`);
    const modern = await w.queue("mel");
    const older = await w.queue("mel", { client_capabilities: {} });
    await w.as("olive").delete(`/users/${w.user("max").id}`);
    const left = async (queue: typeof modern) =>
      (await queue.poll())
        .filter(({ op }) => op === "peer_remove")
        .flatMap(({ stream_ids }) => stream_ids)
        .sort((a, b) => a - b);
    expect(await left(modern)).toEqual([open, archived]);
    expect(await left(older)).toEqual([open]);
  });
});

describe("430", () => {
  test("administrators read with the consents whose addresses they see", async () => {
    const w = world();
    await w.as("mel").patch("/settings", { email_address_visibility: 4 });
    const { body } = await w.as("ada").get("/export/realm/consents");
    expect(body.export_consents).toContainEqual({
      user_id: w.user("mel").id,
      consented: false,
      email_address_visibility: 4,
    });
    expect((await w.as("mel").get("/export/realm/consents")).status).toBe(400);
  });
});

describe("431", () => {
  test("people choose whether the inbox shows folders, and the organization for new ones", async () => {
    const w = world();
    const queue = await w.queue("mel");
    expect(queue.state.user_settings.web_inbox_show_channel_folders).toBe(true);
    expect(queue.state.realm_user_settings_defaults.web_inbox_show_channel_folders).toBe(true);
    await w.as("mel").patch("/settings", { web_inbox_show_channel_folders: false });
    await w.as("olive").patch("/realm/user_settings_defaults", { web_inbox_show_channel_folders: false });
    expect(await queue.poll()).toMatchObject([
      { type: "user_settings", op: "update", property: "web_inbox_show_channel_folders", value: false },
      { type: "realm_user_settings_defaults", property: "web_inbox_show_channel_folders", value: false },
    ]);
  });
});

/** Adds an account as an import does. */
const addImported = action(allow.system, (tx, email: string) =>
  insertImported(tx, {
    ...{ email, full_name: "Ida", role: 400, bot_type: null, bot_owner_id: null },
    ...{ timezone: "", is_active: true, date_joined: tx.now - 86_400, has_address: true },
  }),
);

describe("433", () => {
  test("an imported account is a stub until somebody signs in", async () => {
    const w = world({ isDevelopment: true });
    const id = await addImported(w.ctx("system"), "ida@example.com");
    const queue = await w.queue("mel");
    const stubs = queue.state.realm_users.filter((one: Json) => one.is_imported_stub);
    expect(stubs.map((one: Json) => one.user_id)).toEqual([id]);
    expect((await w.as("mel").get("/users/me")).body.is_imported_stub).toBe(false);

    await w.anonymous.post("/dev_fetch_api_key", { username: "ida@example.com" });
    const changes = (await queue.poll()).map(({ person }) => person);
    expect(changes).toContainEqual({ user_id: id, is_imported_stub: false });
    expect((await w.as("mel").get(`/users/${id}`)).body.user.is_imported_stub).toBe(false);
  });
});

describe("434", () => {
  test("channels post what happens to them unless the organization turns that off", async () => {
    const w = world();
    const id = await channel(w, "design", ["olive", "mel"]);
    const rename = async (new_name: string) => {
      const queue = await w.queue("mel");
      await w.as("olive").patch(`/streams/${id}`, { new_name });
      return (await queue.poll()).filter(({ type }) => type === "message").length;
    };
    expect(await stateOf(w, "mel", "realm")).toMatchObject({ realm_send_channel_events_messages: true });
    expect(await rename("drawing")).toBe(1);
    await w.as("olive").patch("/realm", { send_channel_events_messages: false });
    expect(await rename("painting")).toBe(0);
    expect((await w.as("mel").patch("/realm", { send_channel_events_messages: true })).status).toBe(400);
  });
});

describe("435", () => {
  test("the reasons for reports are listed, in the reader's language", async () => {
    const w = world();
    const { server_report_message_types: types } = await stateOf(w, "mel", "realm");
    expect(types.map(({ key }: Json) => key)).toEqual([
      "spam",
      "harassment",
      "inappropriate",
      "norms",
      "other",
    ]);
    expect(types[4]).toEqual({ key: "other", name: "Other" });
    await w.as("mel").patch("/settings", { default_language: "de" });
    expect((await stateOf(w, "mel", "realm")).server_report_message_types[4].name).not.toBe("Other");
  });
});

async function uploaded(w: World, given: File, who: CastName = "mel"): Promise<string> {
  return (await w.as(who).upload("/user_uploads", given)).body.url;
}

const rendered = async (w: World, content: string, who: CastName = "mel") =>
  (await w.as(who).post("/messages/render", { content })).body.rendered as string;

describe("436", () => {
  test("emoji alone are HTML as everywhere; clients draw them large", async () => {
    const w = world();
    const tada = '<span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span>';
    expect(await rendered(w, ":tada:")).toBe(`<p>${tada}</p>`);
    expect(await rendered(w, ":tada: :tada:")).toBe(`<p>${tada} ${tada}</p>`);
    expect(await rendered(w, "done :tada:")).toBe(`<p>done ${tada}</p>`);
  });
});

describe("437", () => {
  test("lists of users name nobody whom a guest may not know", async () => {
    const w = world();
    await w.as("olive").patch("/realm", { can_access_all_users_group: { new: await members(w) } });
    const { body } = await w.as("gus").get("/users");
    expect(body.members.map(({ full_name }: Json) => full_name)).not.toContain("Unknown user");
    expect(body.members.map(({ user_id }: Json) => user_id)).not.toContain(w.user("max").id);
    expect((await w.as("gus").get(`/users/${w.user("max").id}`)).status).toBe(400);
    // Clients that need everybody still read it from the initial state.
    const { body: state } = await w.as("gus").post("/register", { fetch_event_types: ["realm_user"] });
    expect(state.realm_users.map(({ user_id }: Json) => user_id)).toContain(w.user("max").id);
  });

  test("an exclamation mark before the link to an uploaded picture puts it into the text", async () => {
    const w = world();
    const url = await uploaded(w, file(png(30, 20), "cat.png"));
    const image =
      '<img class="inline-image" alt="my &quot;cat&quot;" data-original-dimensions="30x20" ' +
      `data-original-content-type="image/png" data-original-src="${url}" ` +
      `src="${url.replace("/user_uploads/", "/user_uploads/thumbnail/")}/840x560.webp">`;
    const source = `![my "cat"](${url})`;
    expect(await rendered(w, `look: ${source}!`)).toBe(`<p>look: ${image}!</p>`);
    expect(await rendered(w, `> ${source}`)).toContain(image);
    expect(await rendered(w, `* ${source}`)).toContain(`<li>${image}</li>`);
    expect(await rendered(w, `| a |\n| --- |\n| ${source} |`)).toContain(`${image}</td>`);
    expect(await rendered(w, `\`${source}\``)).not.toContain("<img");
  });

  test("the message claims the file, and has an image and an attachment", async () => {
    const w = world();
    const url = await uploaded(w, file(png(30, 20), "cat.png"));
    await channel(w, "zoo", ["mel", "max"]);
    await w.as("mel").post("/messages", {
      ...{ type: "channel", to: "zoo", topic: "x", content: `![cat](${url})` },
    });
    expect((await w.as("max").request(url)).status).toBe(200);
    for (const operand of ["image", "attachment"]) {
      const narrow = [{ operator: "has", operand }];
      const page = await w
        .as("max")
        .get("/messages", { anchor: "newest", num_before: 9, num_after: 0, narrow });
      expect(page.body.messages).toHaveLength(1);
    }
  });
});

describe("438", () => {
  test("owners read no private data without consent", async () => {
    expect(await stateOf(world(), "olive", "realm")).toMatchObject({
      realm_owner_full_content_access: false,
    });
  });
});

describe("439", () => {
  test("all clients get user_settings; older ones, which do not know these, get the earlier event besides", async () => {
    const w = world();
    const modern = await w.queue("mel");
    const older = await w.queue("mel", { client_capabilities: {} });
    await w.as("mel").patch("/settings", { twenty_four_hour_time: true });
    const types = async (queue: typeof modern) => (await queue.poll()).map(({ type }) => type);
    expect(await types(modern)).toEqual(["user_settings"]);
    expect(await types(older)).toEqual(["user_settings", "update_display_settings"]);
  });
});

describe("440", () => {
  test("lists the channels of a user, of those that the reader may see", async () => {
    const w = world();
    const open = await channel(w, "open", ["mel"]);
    const hidden = await channel(w, "hidden", ["mel"], { invite_only: true });
    const of = async (who: CastName) => (await w.as(who).get(`/users/${w.user("mel").id}/channels`)).body;
    expect((await of("mel")).subscribed_channel_ids).toEqual([open, hidden]);
    expect((await of("olive")).subscribed_channel_ids).toEqual([open, hidden]);
    expect((await of("max")).subscribed_channel_ids).toEqual([open]);
    expect(await w.as("mel").get("/users/999/channels")).toMatchObject({
      ...{ status: 400, body: { code: "BAD_REQUEST" } },
    });
  });
});

describe("441", () => {
  const only = (w: World, ...names: CastName[]) => ({
    direct_members: names.map((one) => w.user(one).id),
    direct_subgroups: [],
  });
  const send = (w: World, who: CastName, topic: string) =>
    w.as(who).post("/messages", { type: "channel", to: "desk", topic, content: "Hello" });
  const refusal = {
    status: 400,
    body: { code: "BAD_REQUEST", msg: "You do not have permission to begin topics in this channel." },
  };

  test("only those whom the channel names begin topics; all go on with them, whatever their case", async () => {
    const w = world();
    await channel(w, "desk", ["mel", "max", "bolt"], { can_create_topic_group: only(w, "mel") });
    expect(await send(w, "max", "plans")).toMatchObject(refusal);
    expect((await send(w, "mel", "plans")).status).toBe(200);
    expect((await send(w, "max", "PLANS")).status).toBe(200);
    expect(await send(w, "max", "")).toMatchObject(refusal);
    // A bot begins where its owner may.
    expect((await send(w, "bolt", "builds")).status).toBe(200);
  });

  test("a move to a new topic begins it; resolving one does not", async () => {
    const w = world();
    await channel(w, "desk", ["mel", "max"], { can_create_topic_group: only(w, "mel") });
    const { body } = await send(w, "mel", "plans");
    await send(w, "mel", "other");
    const move = (topic: string) =>
      w.as("max").patch(`/messages/${body.id}`, { topic, propagate_mode: "change_all" });
    expect(await move("new")).toMatchObject(refusal);
    expect((await move("✔ plans")).status).toBe(200);
    expect((await move("other")).status).toBe(200);
  });

  test("those who administer the channel change it, and everybody who sees it hears so", async () => {
    const w = world();
    const id = await channel(w, "desk", ["mel", "max"]);
    const queue = await w.queue("max");
    const [shown] = queue.state.subscriptions.filter(({ stream_id }: Json) => stream_id === id);
    const patch = { can_create_topic_group: { new: only(w, "mel") } };
    expect((await w.as("max").patch(`/streams/${id}`, patch)).status).toBe(400);
    await w.as("olive").patch(`/streams/${id}`, patch);
    expect(await queue.poll()).toMatchObject([
      { type: "stream", op: "update", property: "can_create_topic_group", value: only(w, "mel") },
    ]);
    const { body } = await w.as("max").get(`/streams/${id}`);
    expect(body.stream.can_create_topic_group).toEqual(only(w, "mel"));
    expect(shown.can_create_topic_group).toEqual(expect.any(Number));
    const { server_supported_permission_settings: settings } = await stateOf(w, "mel", "realm");
    expect(settings.stream.can_create_topic_group).toMatchObject({
      default_group_name: "role:everyone",
      allow_everyone_group: true,
      allow_nobody_group: true,
      allow_internet_group: false,
    });
  });

  test("where history is protected, everybody begins topics", async () => {
    const w = world();
    const hidden = { invite_only: true, history_public_to_subscribers: false };
    const desk = { name: "desk", subscribers: [w.user("mel").id] };
    const limited = { can_create_topic_group: only(w, "mel") };
    const made = await w.as("olive").post("/channels/create", { ...desk, ...hidden, ...limited });
    expect(made).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
    const id = await channel(w, "desk", ["olive", "mel"], hidden);
    const patch = (given: Json) => w.as("olive").patch(`/streams/${id}`, given);
    const change = { can_create_topic_group: { new: only(w, "mel") } };
    expect((await patch(change)).status).toBe(400);
    expect((await patch({ ...change, history_public_to_subscribers: true })).status).toBe(200);
    expect((await patch({ history_public_to_subscribers: false })).status).toBe(400);
  });
});

/** The IDs of the messages that `who` finds by this narrow. */
async function found(w: World, who: CastName, ...narrow: object[]): Promise<number[]> {
  const { body } = await w
    .as(who)
    .get("/messages", { anchor: "newest", num_before: 50, num_after: 0, narrow });
  return body.messages?.map(({ id }: Json) => id) ?? [];
}

async function sent(w: World, who: CastName, to: string, content: string, topic = "t"): Promise<number> {
  return (await w.as(who).post("/messages", { type: "channel", to, topic, content })).body.id;
}

describe("442 and 453", () => {
  test("the rating of GIFs is a policy, and no service for them has a key here", async () => {
    const w = world();
    const queue = await w.queue("mel");
    expect(queue.state).toMatchObject({
      realm_gif_rating_policy: 0,
      gif_rating_policy_options: { disabled: { id: 0 } },
      tenor_api_key: "",
    });
    expect(queue.state).not.toHaveProperty("giphy_rating_options");
    const { body } = await w.as("olive").patch("/realm", { gif_rating_policy: 2 });
    expect(body).toMatchObject({ gif_rating_policy: 2 });
    expect(await queue.poll()).toMatchObject([{ type: "realm", property: "gif_rating_policy", value: 2 }]);
  });
});

describe("443", () => {
  test("times of files stay in milliseconds, as the specification says", async () => {
    const w = world();
    await uploaded(w, file(png(3, 2), "a.png"));
    const [one] = (await w.as("mel").get("/attachments")).body.attachments;
    expect(one.create_time).toBe(w.clock.now() * 1000);
  });
});

describe("444", () => {
  const quiet = { enable_sounds: false, twenty_four_hour_time: true };

  test("administrators change settings of people and groups, each of whom gets an event", async () => {
    const w = world();
    const { body } = await w.as("olive").post("/user_groups/create", {
      ...{ name: "crew", description: "", members: [w.user("max").id, w.user("bolt").id], subgroups: [] },
    });
    const queues = [await w.queue("mel"), await w.queue("max"), await w.queue("moss")];
    const target_users = {
      user_ids: [w.user("mel").id, w.user("dex").id],
      group_ids: [body.group_id],
      skip_if_already_edited: false,
    };
    expect((await w.as("ada").patch("/settings", { ...quiet, target_users })).status).toBe(200);
    for (const queue of queues.slice(0, 2))
      expect(await queue.poll()).toMatchObject([
        { type: "user_settings", property: "enable_sounds", value: false },
        { type: "user_settings", property: "twenty_four_hour_time", value: true },
      ]);
    expect(await queues[2]?.poll()).toEqual([]);
    expect(listAudit(w.ctx("olive"), { limit: 1 })).toMatchObject([
      { event: "user_settings_changed", data: { settings: Object.keys(quiet), users: 3 } },
    ]);
    expect((await stateOf(w, "bolt", "user_settings")).user_settings).toMatchObject({ enable_sounds: true });
  });

  test("what people have changed themselves can be left out", async () => {
    const w = world();
    await w.as("mel").patch("/settings", { enable_sounds: false });
    await w.as("mel").patch("/settings", { enable_sounds: true });
    const change = (skip_if_already_edited: boolean) =>
      w.as("ada").patch("/settings", {
        ...quiet,
        target_users: { user_ids: [w.user("mel").id], skip_if_already_edited },
      });
    const settings = async () => (await stateOf(w, "mel", "user_settings")).user_settings;
    await change(true);
    expect(await settings()).toMatchObject({ enable_sounds: true, twenty_four_hour_time: true });
    await change(false);
    expect(await settings()).toMatchObject({ enable_sounds: false });
  });

  test("is for administrators alone, and not for what is a person's own", async () => {
    const w = world();
    const user_ids = [w.user("max").id];
    const target_users = { user_ids, skip_if_already_edited: false };
    expect(await w.as("mel").patch("/settings", { ...quiet, target_users })).toMatchObject({
      ...{ status: 400, body: { code: "UNAUTHORIZED_PRINCIPAL" } },
    });
    const bad = { status: 400, body: { code: "BAD_REQUEST" } };
    for (const more of [
      { presence_enabled: false },
      { timezone: "Europe/Berlin" },
      { email: "x@example.com" },
    ])
      expect(await w.as("ada").patch("/settings", { ...more, target_users })).toMatchObject(bad);
    for (const wrong of [{ user_ids: [] }, { user_ids: [999] }, { group_ids: [999] }])
      expect(
        await w
          .as("ada")
          .patch("/settings", { ...quiet, target_users: { ...wrong, skip_if_already_edited: true } }),
      ).toMatchObject(bad);
    const { body } = await w.as("ada").patch("/settings", { ...quiet, target_users: { user_ids } });
    expect(body).toMatchObject({ result: "error" });
  });
});

describe("445", () => {
  test("a page around a day begins with its first message", async () => {
    const w = world();
    await channel(w, "desk", ["mel"]);
    await sent(w, "mel", "desk", "one");
    w.clock.advance(86_400);
    const second = await sent(w, "mel", "desk", "two");
    const page = (anchor_date?: string) =>
      w.as("mel").get("/messages", { anchor: "date", anchor_date, num_before: 1, num_after: 0 });
    const day = new Date(w.clock.now() * 1000).toISOString().slice(0, 10);
    expect((await page(day)).body).toMatchObject({ anchor: second, found_anchor: true });
    expect((await page("2099-01-01")).body).toMatchObject({ messages: [{ id: second }] });
    for (const wrong of [undefined, "tomorrow"])
      expect(await page(wrong)).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
  });
});

describe("446", () => {
  test("finds messages that mention a user by name, not silently, nor all or a group", async () => {
    const w = world();
    await channel(w, "desk", ["mel", "max"]);
    const say = (content: string) => sent(w, "max", "desk", content);
    const named = await say("Hello @**Mel**");
    const silent = await say("Hello @_**Mel**");
    const all = await say("Hello @**all**");
    const other = await say("Hello @**Max**");
    const code = await say("`@**Mel**`");
    for (const operand of [w.user("mel").id, "mel@example.com"])
      expect(await found(w, "max", { operator: "mentions", operand })).toEqual([named]);
    const without = await found(w, "max", { operator: "mentions", operand: w.user("mel").id, negated: true });
    expect(without).toEqual([silent, all, other, code]);
    const { body } = await w.as("max").get("/messages/matches_narrow", {
      msg_ids: [named, silent],
      narrow: [{ operator: "mentions", operand: w.user("mel").id }],
    });
    expect(Object.keys(body.messages)).toEqual([String(named)]);
    const unknown = {
      narrow: [{ operator: "mentions", operand: 999 }],
      anchor: "newest",
      num_before: 1,
      num_after: 0,
    };
    expect(await w.as("max").get("/messages", unknown)).toMatchObject({ status: 400 });
  });
});

describe("447", () => {
  test("a bot gets another address, built as at its creation", async () => {
    const w = world();
    const bot = w.user("bolt").id;
    const queue = await w.queue("max");
    await w.as("mel").patch(`/bots/${bot}`, { short_name: "thunder" });
    const email = "thunder-bot@chat.example.com";
    expect((await w.as("max").get(`/users/${bot}`)).body.user).toMatchObject({ email });
    const people = (await queue.poll()).map(({ person }) => person);
    expect(people).toContainEqual({ user_id: bot, new_email: email });
    await w.as("mel").post("/bots", { full_name: "Other", short_name: "other" });
    for (const short_name of ["other", "no good", ""])
      expect(await w.as("mel").patch(`/bots/${bot}`, { short_name })).toMatchObject({ status: 400 });
    expect((await w.as("max").patch(`/bots/${bot}`, { short_name: "mine" })).status).toBe(400);
  });
});

describe("448", () => {
  test("the address of a channel is for those who may post there", async () => {
    const w = world();
    const olive = { direct_members: [w.user("olive").id], direct_subgroups: [] };
    const id = await channel(w, "news", ["mel", "olive"], { can_send_message_group: olive });
    expect((await w.as("olive").get(`/streams/${id}/email_address`)).body).toMatchObject({ email: "" });
    expect(await w.as("mel").get(`/streams/${id}/email_address`)).toMatchObject({
      ...{ status: 400, body: { code: "BAD_REQUEST" } },
    });
  });
});

describe("449", () => {
  test("exports are named by words; nobody exports private data without consent", async () => {
    const w = world();
    const ask = (export_type?: string | number) => w.as("olive").post("/export/realm", { export_type });
    expect((await ask()).status).toBe(200);
    expect((await ask("public")).status).toBe(200);
    expect((await ask(1)).status).toBe(200);
    await w.as("olive").patch("/settings", { allow_private_data_export: true });
    const queue = await w.queue("ada");
    expect((await ask("full_with_consent")).status).toBe(200);
    expect(await ask("full_without_consent")).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
    const [{ exports }] = (await queue.poll()) as [Json];
    const types = ["public", "public", "public", "full_with_consent"];
    expect(exports.map(({ export_type }: Json) => export_type)).toEqual(types);
    const listed = (await w.as("ada").get("/export/realm")).body.exports;
    expect(listed.map(({ export_type }: Json) => export_type)).toEqual(types);
  });
});

describe("451", () => {
  test("a time that is none stays as it was written", async () => {
    expect(await rendered(world(), "<time:soon & now>")).toBe("<p>&lt;time:soon &amp; now&gt;</p>");
  });
});

describe("452", () => {
  test("messages that retention removes are deleted for their readers, in one event for each conversation", async () => {
    const w = world();
    await w.as("olive").patch("/realm", { message_retention_days: 1 });
    await channel(w, "desk", ["mel", "max"]);
    const ids = [await sent(w, "mel", "desk", "one"), await sent(w, "mel", "desk", "two")];
    w.clock.advance(5 * 86_400);
    const [modern, older] = [await w.queue("max"), await w.queue("max", { client_capabilities: {} })];
    await runJob(w, "retention");
    const gone = async (queue: typeof modern) =>
      (await queue.poll()).filter(({ type }) => type === "delete_message");
    expect(await gone(modern)).toMatchObject([{ message_ids: ids, topic: "t" }]);
    expect((await gone(older)).map(({ message_id }) => message_id)).toEqual(ids);
  });
});

describe("454", () => {
  test("the view of recent conversations is called recent; its earlier name still chooses it", async () => {
    const w = world();
    const queue = await w.queue("mel");
    await w.as("mel").patch("/settings", { web_home_view: "recent" });
    await w.as("mel").patch("/settings", { web_home_view: "inbox" });
    await w.as("mel").patch("/settings", { web_home_view: "recent_topics" });
    const values = (await queue.poll()).map(({ value }) => value);
    expect(values).toEqual(["recent", "inbox", "recent"]);
  });
});

describe("455", () => {
  test("people are found by short texts and accounts where the field says so", async () => {
    const w = world();
    const make = (field_type: number, more: Json) =>
      w.as("olive").post("/realm/profile_fields", { name: `Field ${field_type}`, field_type, ...more });
    const { body } = await make(1, { use_for_user_matching: true });
    const fields = async () => (await w.as("mel").get("/realm/profile_fields")).body.custom_fields;
    expect(await fields()).toMatchObject([{ id: body.id, use_for_user_matching: true }]);
    const queue = await w.queue("mel");
    await w.as("olive").patch(`/realm/profile_fields/${body.id}`, { use_for_user_matching: false });
    const [event] = await queue.poll();
    expect(event?.fields[0]).not.toHaveProperty("use_for_user_matching");
    expect(await make(2, { use_for_user_matching: true })).toMatchObject({
      ...{ status: 400, body: { code: "BAD_REQUEST" } },
    });
    expect((await make(7, { field_data: { subtype: "github" }, use_for_user_matching: true })).status).toBe(
      200,
    );
  });
});

describe("456 and 466", () => {
  test("new people without a picture get the one of the organization", async () => {
    const w = world();
    const queue = await w.queue("mel", { client_gravatar: true });
    expect(queue.state.realm_default_avatar_source).toBe("G");
    expect(queue.state.realm_uuid).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    await w.as("olive").patch("/realm", { default_avatar_source: "J" });
    const add = (name: string) =>
      w
        .as("olive")
        .post("/users", { email: `${name}@example.com`, full_name: name, password: "seven yellow bicycles" });
    const { body } = await add("una");
    const pictures = (await queue.poll()).flatMap(({ person }) => person?.avatar_url ?? []);
    expect(pictures).toEqual([expect.stringMatching(/^\/user_avatars\//)]);
    const of = async (id: number) => (await w.as("mel").get(`/users/${id}`)).body.user.avatar_url;
    expect(await of(body.user_id)).toMatch(/^\/user_avatars\//);
    // Those who came before keep what they had.
    expect(await of(w.user("max").id)).toBeNull();
  });
});

describe("458", () => {
  test("bots are asked about as people are", async () => {
    const w = world();
    const id = await channel(w, "desk", ["mel", "bolt"]);
    const bot = w.user("bolt").id;
    expect((await w.as("mel").get(`/users/${bot}/channels`)).body.subscribed_channel_ids).toEqual([id]);
    const subscription = await w.as("mel").get(`/users/${bot}/subscriptions/${id}`);
    expect(subscription.body).toMatchObject({ is_subscribed: true });
    const member = await w.as("mel").get(`/user_groups/${await members(w)}/members/${bot}`);
    expect(member.body).toMatchObject({ is_user_group_member: true });
  });
});

describe("459", () => {
  test("deactivating deletes what it is told to", async () => {
    const w = world();
    await channel(w, "desk", ["mel", "max"]);
    const open = await sent(w, "max", "desk", "open");
    await channel(w, "hidden", ["mel", "max"], { invite_only: true });
    const hidden = await sent(w, "max", "hidden", "hidden");
    const actions = { delete_profile: true, delete_public_channel_messages: true };
    await w.as("olive").delete(`/users/${w.user("max").id}`, { actions });
    const { user } = (await w.as("mel").get(`/users/${w.user("max").id}`)).body;
    expect(user).toMatchObject({ full_name: "Deleted user", is_active: false });
    const left = await found(w, "mel", { operator: "sender", operand: w.user("max").id });
    expect(left).toEqual([hidden]);
    expect(left).not.toContain(open);
  });
});

describe("460", () => {
  describe("create-constructor-groups-video-call", () => {
    test("refuses, because there is no such service here", async () => {
      const w = world();
      const { realm_available_video_chat_providers: offered } = await stateOf(w, "mel", "realm");
      expect(Object.keys(offered)).toEqual(["disabled", "jitsi_meet"]);
      expect(await w.as("mel").post("/calls/constructorgroups/create")).toMatchObject({
        ...{ status: 400, body: { code: "BAD_REQUEST" } },
      });
    });
  });
});

describe("465", () => {
  describe("create-nextcloud-talk-video-call", () => {
    test("refuses, because there is no such service here", async () => {
      expect(await world().as("mel").post("/calls/nextcloud_talk/create", { room_name: "x" })).toMatchObject({
        ...{ status: 400, body: { code: "BAD_REQUEST" } },
      });
    });
  });
});

describe("476", () => {
  test("a long text is displayed in short profiles, too", async () => {
    const field = { name: "About", field_type: 2, display_in_profile_summary: true };
    expect((await world().as("olive").post("/realm/profile_fields", field)).status).toBe(200);
  });
});

describe("463", () => {
  describe("get-bot-api-key", () => {
    test("a bot's key is not read, since only its hash is stored", async () => {
      const w = world();
      const ask = (who: CastName) => w.as(who).get(`/bots/${w.user("bolt").id}/api_key`);
      for (const who of ["mel", "olive"] as const)
        expect(await ask(who)).toMatchObject({ status: 400, body: { msg: expect.stringContaining("hash") } });
      expect((await ask("max")).body.msg).not.toContain("hash");
    });
  });
});

describe("462 and 464", () => {
  test("another description comes with its HTML", async () => {
    const w = world();
    const queue = await w.queue("mel");
    await w.as("olive").patch("/realm", { description: "We **ship**" });
    expect(await queue.poll()).toMatchObject([
      {
        ...{ type: "realm", op: "update_dict", property: "default" },
        data: { description: "We **ship**", rendered_description: "<p>We <strong>ship</strong></p>" },
      },
    ]);
  });
});

describe("468", () => {
  describe("register-client-device", () => {
    test("gives each app a device, which the person's clients hear of; nothing is sent to it", async () => {
      const w = world();
      const queue = await w.queue("mel");
      expect(queue.state.devices).toEqual({});
      const { body } = await w.as("mel").post("/register_client_device");
      const again = await w.as("mel").post("/register_client_device");
      expect(await queue.poll()).toMatchObject([
        { type: "device", op: "add", device_id: body.device_id },
        { type: "device", op: "add", device_id: again.body.device_id },
      ]);
      const { devices } = await stateOf(w, "mel", "device");
      expect(Object.keys(devices)).toEqual([body.device_id, again.body.device_id].map(String));
      expect(Object.values(devices[body.device_id])).toEqual([null, null, null, null, null]);
      expect((await stateOf(w, "max", "device")).devices).toEqual({});
      expect(queue.state).not.toHaveProperty("push_devices");
    });

    test("keeps the newest hundred", async () => {
      const w = world();
      const register = async () => (await w.as("mel").post("/register_client_device")).body.device_id;
      const first = await register();
      for (let n = 0; n < 100; n++) await register();
      const { devices } = await stateOf(w, "mel", "device");
      expect(Object.keys(devices)).toHaveLength(100);
      expect(devices).not.toHaveProperty(String(first));
    });
  });
});

describe("469", () => {
  test("organizations show pictures larger", async () => {
    const w = world();
    const queue = await w.queue("mel");
    expect(queue.state.realm_media_preview_size).toBe(100);
    await w.as("olive").patch("/realm", { media_preview_size: 200 });
    expect(await queue.poll()).toMatchObject([{ type: "realm", property: "media_preview_size", value: 200 }]);
    expect((await w.as("olive").patch("/realm", { media_preview_size: 120 })).status).toBe(400);
    expect((await w.as("mel").patch("/realm", { media_preview_size: 150 })).status).toBe(400);
  });
});

describe("470", () => {
  describe("remove-client-device", () => {
    test("removes a device of one's own, and no other", async () => {
      const w = world();
      const { device_id } = (await w.as("mel").post("/register_client_device")).body;
      const queue = await w.queue("mel");
      const remove = (who: CastName) => w.as(who).post("/remove_client_device", { device_id });
      const refused = { status: 400, body: { code: "BAD_REQUEST" } };
      expect(await remove("max")).toMatchObject(refused);
      expect((await remove("mel")).status).toBe(200);
      expect(await queue.poll()).toMatchObject([{ type: "device", op: "remove", device_id }]);
      expect(await remove("mel")).toMatchObject(refused);
    });
  });
});

describe("457", () => {
  test("who deletes what they may not read hears nothing of it", async () => {
    const w = world();
    const olive = { direct_members: [w.user("olive").id], direct_subgroups: [] };
    await channel(w, "hidden", ["mel", "max"], { invite_only: true });
    const id = await sent(w, "mel", "hidden", "secret");
    await w.as("olive").patch("/realm", { can_delete_any_message_group: { new: olive } });
    const [deleter, reader] = [await w.queue("olive"), await w.queue("max")];
    const { status } = await w.as("olive").delete(`/messages/${id}`);
    const types = async (queue: typeof reader) => (await queue.poll()).map(({ type }) => type);
    expect(await types(deleter)).not.toContain("delete_message");
    expect((await types(reader)).includes("delete_message")).toBe(status === 200);
  });
});

/** The ID of the group of all members. */
async function members(w: World): Promise<number> {
  const { body } = await w.as("olive").get("/user_groups", { include_deactivated_groups: true });
  return body.user_groups.find(({ name }: Json) => name === "role:members").id;
}

describe("467", () => {
  test.each([
    ["a picture of another site", "https://e.com/cat.png"],
    ["a picture that is not there", "/user_uploads/1/00000000000000000000000000000000/cat.png"],
  ])("%s is no image", async (_, address) => {
    expect(await rendered(world(), `![cat](${address})`)).toBe(`<p>!<a href="${address}">cat</a></p>`);
  });

  test("a file that is no image, or that the sender may not read, is none either", async () => {
    const w = world();
    const [text, picture] = [
      await uploaded(w, file("hello", "notes.txt", "text/plain")),
      await uploaded(w, file(png(30, 20), "cat.png")),
    ];
    expect(await rendered(w, `![x](${text})`)).toBe(`<p>!<a href="${text}">x</a></p>`);
    expect(await rendered(w, `![x](${picture})`, "max")).toBe(`<p>!<a href="${picture}">x</a></p>`);
    await w.as("ada").patch("/realm", { inline_image_preview: false });
    expect(await rendered(w, `![x](${picture})`)).toBe(`<p>!<a href="${picture}">x</a></p>`);
  });

  test("an uploaded audio file is a player, and more pictures than a message may show stay text", async () => {
    const w = world();
    const sound = await uploaded(w, file("x", "song.mp3", "audio/mpeg"));
    expect(await rendered(w, `![song](${sound})`)).toBe(
      `<p><audio controls preload="metadata" src="${sound}" title="song"></audio></p>`,
    );
    const url = await uploaded(w, file(png(3, 2), "a.png"));
    const many = await rendered(w, `![a](${url}) `.repeat(30));
    expect(many.split("inline-image").length - 1).toBe(24);
  });
});

describe("475", () => {
  test("an account made by an administrator begins at its first login", async () => {
    const w = world({ isDevelopment: true });
    const person = { email: "una@example.com", full_name: "Una", password: "seven yellow bicycles" };
    const { body } = await w.as("olive").post("/users", person);
    const { user } = (await w.as("olive").get(`/users/${body.user_id}`)).body;
    const queue = await w.queue("mel");
    w.clock.advance(3600);
    await w.anonymous.post("/dev_fetch_api_key", { username: person.email });
    const later = new Date(Date.parse(user.date_joined) + 3_600_000).toISOString().replace(".000Z", "+00:00");
    const changes = (await queue.poll()).map((event) => event.person);
    expect(changes).toContainEqual({ user_id: body.user_id, date_joined: later });

    await w.anonymous.post("/dev_fetch_api_key", { username: person.email });
    expect((await queue.poll()).filter(({ type }) => type === "realm_user")).toEqual([]);
  });
});

describe("471 and 478", () => {
  const issues = {
    pattern: "#(?P<id>[0-9]+)",
    url_template: "https://example.com/issues/{id}",
    example_input: "#12",
    reverse_template: "#{id}",
    alternative_url_templates: ["https://example.com/i/{id}"],
  };
  const refused = (msg: string) => ({
    ...{ status: 400, body: { code: "BAD_REQUEST", msg: expect.stringContaining(msg) }, events: [] },
  });

  test("linkifiers say what an address becomes where it is pasted", async () => {
    const w = world();
    const queue = await w.queue("mel");
    const { body } = await w.as("olive").post("/realm/filters", issues);
    const listed = [{ id: body.id, ...issues }];
    expect(await queue.poll()).toMatchObject([{ type: "realm_linkifiers", realm_linkifiers: listed }]);
    expect((await w.as("mel").get("/realm/linkifiers")).body.linkifiers).toEqual(listed);
    expect(await rendered(w, "#12")).toContain("https://example.com/issues/12");
    expect(await rendered(w, "https://example.com/i/12")).not.toContain("issues");
  });

  test("a change leaves what it does not name; an empty text removes it", async () => {
    const w = world();
    const { id } = (await w.as("olive").post("/realm/filters", issues)).body;
    const { pattern } = issues;
    const change = async (more: Json) => {
      const rule = { pattern, url_template: "https://example.com/{id}", ...more };
      expect((await w.as("olive").patch(`/realm/filters/${id}`, rule)).status).toBe(200);
      return (await w.as("mel").get("/realm/linkifiers")).body.linkifiers[0];
    };
    const { reverse_template, alternative_url_templates } = issues;
    expect(await change({})).toMatchObject({
      example_input: "#12",
      reverse_template,
      alternative_url_templates,
    });
    expect(await change({ reverse_template: "" })).toMatchObject({
      example_input: "#12",
      reverse_template: null,
    });
    expect(await change({ example_input: "" })).toMatchObject({ example_input: null });
    expect(await change({ example_input: "see #1", reverse_template: "see #{id}" })).toMatchObject({
      reverse_template: "see #{id}",
    });
  });

  test("what does not fit another pattern goes, if the client says nothing of it", async () => {
    const w = world();
    const { id } = (await w.as("olive").post("/realm/filters", issues)).body;
    const rule = { pattern: "T-(?P<number>[0-9]+)", url_template: "https://example.com/{number}" };
    expect(
      await w.as("olive").patch(`/realm/filters/${id}`, { ...rule, example_input: "#12" }),
    ).toMatchObject(refused("The example is not a text that the pattern finds."));
    expect((await w.as("olive").patch(`/realm/filters/${id}`, rule)).status).toBe(200);
    expect((await w.as("mel").get("/realm/linkifiers")).body.linkifiers).toEqual([
      { id, ...rule, example_input: null, reverse_template: null, alternative_url_templates: [] },
    ]);
  });

  test.each([
    [{ example_input: "" }, "needs an example"],
    [{ example_input: "12" }, "The example is not a text that the pattern finds."],
    [{ reverse_template: "#{id" }, "braces"],
    [{ reverse_template: "#{}" }, "braces"],
    [{ reverse_template: "#{id}}" }, "braces"],
    [{ reverse_template: "#{number}" }, "no group of that name"],
    [{ reverse_template: "no {id}" }, "makes 'no 12' of the example"],
    [{ alternative_url_templates: ["https://example.com/{number}"] }, "no group of that name"],
    [{ alternative_url_templates: ["https://example.com/"] }, "does not insert"],
    [{ alternative_url_templates: ["https://example.com/{id"] }, "close every brace"],
    [{ alternative_url_templates: Array(21).fill(issues.url_template) }, "at most 20"],
    [{ example_input: `#1${"2".repeat(1000)}` }, "at most 1000 characters"],
  ])("refuses %j", async (wrong, msg) => {
    expect(
      await world()
        .as("olive")
        .post("/realm/filters", { ...issues, ...wrong }),
    ).toMatchObject(refused(msg));
  });

  test("doubled braces stand for themselves", async () => {
    const braces = { pattern: "\\{(?P<id>[0-9]+)\\}", example_input: "{12}", reverse_template: "{{{id}}}" };
    expect(
      (
        await world()
          .as("olive")
          .post("/realm/filters", { ...issues, ...braces })
      ).status,
    ).toBe(200);
  });
});

describe("472", () => {
  test("files list the IDs of their messages, next to these with their times", async () => {
    const w = world();
    const url = await uploaded(w, file("hello", "notes.txt", "text/plain"));
    await channel(w, "desk", ["mel", "max"]);
    const queue = await w.queue("mel");
    const id = await sent(w, "mel", "desk", `[notes](${url})`);
    const shown = { message_ids: [id], messages: [{ id }] };
    expect((await w.as("mel").get("/attachments")).body.attachments).toMatchObject([shown]);
    expect(await queue.poll()).toContainEqual(
      expect.objectContaining({
        type: "attachment",
        attachment: expect.objectContaining({ message_ids: [id] }),
      }),
    );
    const { body } = await w.as("mel").patch(`/messages/${id}`, { content: "no file" });
    expect(body.detached_uploads).toMatchObject([{ message_ids: [] }]);
  });
});

describe("473", () => {
  test("a bot that administers sets the status of others", async () => {
    const w = world();
    const set = () => w.as("bolt").post(`/users/${w.user("max").id}/status`, { status_text: "On the road" });
    expect((await set()).status).toBe(400);
    await w.as("olive").patch(`/bots/${w.user("bolt").id}`, { role: 200 });
    expect((await set()).status).toBe(200);
    const { body } = await w.as("mel").get(`/users/${w.user("max").id}/status`);
    expect(body.status).toMatchObject({ status_text: "On the road" });
  });
});

describe("461 and 474", () => {
  const configuration = {
    default_sending_stream: null,
    default_events_register_stream: null,
    default_all_public_streams: false,
    services: [],
  };

  test("what clients keep of bots is how they are set; the rest is known of them as users", async () => {
    const w = world();
    const queue = await w.queue("mel");
    const user_id = w.user("bolt").id;
    expect(queue.state.realm_bots).toEqual([{ user_id, ...configuration }]);
    const { body } = await w.as("mel").post("/bots", { full_name: "Cron", short_name: "cron" });
    expect((await queue.poll()).filter(({ type }) => /^realm_/.test(type))).toMatchObject([
      { type: "realm_user", op: "add" },
      { type: "realm_bot", op: "add", bot: { user_id: body.user_id, ...configuration } },
    ]);
  });

  test("a new name, picture, owner or end of a bot is told of the user alone", async () => {
    const w = world();
    const queue = await w.queue("mel", { event_types: ["realm_bot", "realm_user"] });
    const path = `/bots/${w.user("bolt").id}`;
    await w.as("mel").patch(path, { full_name: "Thunder" });
    await w.as("mel").delete(path);
    await w.as("olive").post(`/users/${w.user("bolt").id}/reactivate`);
    expect((await queue.poll()).map(({ type }) => type)).not.toContain("realm_bot");
    await w.as("mel").patch(path, { default_all_public_streams: true });
    expect(await queue.poll()).toMatchObject([
      { type: "realm_bot", op: "update", bot: { default_all_public_streams: true } },
    ]);
  });
});

describe("477", () => {
  test("a group counts as the people who work here; nothing follows from it", async () => {
    const w = world();
    const state = await stateOf(w, "mel", "realm");
    expect(state.realm_workplace_users_group).toEqual(expect.any(Number));
    expect(state.server_supported_permission_settings.realm.workplace_users_group).toMatchObject({
      default_group_name: "role:everyone",
      ...{ allow_everyone_group: true, allow_nobody_group: false, allow_internet_group: false },
    });
    const queue = await w.queue("mel");
    const change = { workplace_users_group: { new: await members(w) } };
    expect((await w.as("mel").patch("/realm", change)).status).toBe(400);
    await w.as("olive").patch("/realm", change);
    expect(await queue.poll()).toMatchObject([
      { type: "realm", op: "update_dict", data: { workplace_users_group: await members(w) } },
    ]);
  });
});

describe("479", () => {
  describe("check-thumbnail-status", () => {
    const status = (w: World, who: CastName, url: string) =>
      w.as(who).get(`/thumbnail/status/${url.replace("/user_uploads/", "")}`);
    const refused = { status: 400, body: { code: "BAD_REQUEST", msg: "Invalid attachment" } };

    test("says that a picture can be shown, to the person who uploaded it", async () => {
      const w = world();
      const url = await uploaded(w, file(png(30, 20), "cat.png"));
      expect((await status(w, "mel", url)).body.has_thumbnail).toBe(true);
      expect(await status(w, "max", url)).toMatchObject(refused);
      await channel(w, "zoo", ["mel", "max"]);
      await sent(w, "mel", "zoo", `![cat](${url})`);
      expect(await status(w, "max", url)).toMatchObject(refused);
    });

    test("a picture that is damaged has none, and other files are refused", async () => {
      const w = world();
      const whole = png(300, 200);
      const damaged = await uploaded(w, file(whole.slice(0, 60), "cat.png"));
      expect((await status(w, "mel", damaged)).body).toMatchObject({ has_thumbnail: false });
      const text = await uploaded(w, file("hello", "notes.txt", "text/plain"));
      expect(await status(w, "mel", text)).toMatchObject(refused);
      const unknown = "/user_uploads/1/00000000000000000000000000000000/cat.png";
      expect(await status(w, "mel", unknown)).toMatchObject(refused);
    });
  });
});

describe("480", () => {
  test("archived channels are read like others, by those who may see them", async () => {
    const w = world();
    const id = await channel(w, "old", ["mel", "max"]);
    const hidden = await channel(w, "hidden", ["mel"], { invite_only: true });
    await sent(w, "mel", "old", "hello", "plans");
    for (const one of [id, hidden]) await w.as("olive").delete(`/streams/${one}`);
    const read = (who: CastName, path: string) => w.as(who).get(path);
    expect((await read("moss", `/streams/${id}`)).body.stream).toMatchObject({ is_archived: true });
    const ids = [w.user("mel").id, w.user("max").id];
    expect((await read("moss", `/streams/${id}/members`)).body.subscribers.sort()).toEqual(ids.sort());
    const { topics } = (await read("max", `/users/me/${id}/topics`)).body;
    expect(topics.map(({ name }: Json) => name)).toContain("plans");
    for (const path of [`/streams/${hidden}`, `/streams/${hidden}/members`, `/users/me/${hidden}/topics`])
      expect([(await read("max", path)).status, (await read("mel", path)).status]).toEqual([400, 200]);
  });
});

describe("481", () => {
  test("a phone's queue waits for twelve hours; without an account there is none", async () => {
    const w = world();
    const { body } = await w.as("mel").post("/register", { idle_queue_timeout: '"mobile"' });
    expect(body.idle_queue_timeout_secs).toBe(43_200);
    const poll = async () =>
      (await w.as("mel").get("/events", { queue_id: body.queue_id, last_event_id: -1, dont_block: true }))
        .body;
    await w.as("max").post("/messages", { type: "direct", to: [w.user("mel").id], content: "Hello" });
    w.clock.advance(43_199);
    w.app.env.queues.sweep();
    expect((await poll()).events).toContainEqual(expect.objectContaining({ type: "message" }));
    w.clock.advance(43_200);
    w.app.env.queues.sweep();
    expect((await poll()).code).toBe("BAD_EVENT_QUEUE_ID");
  });
});

describe("482", () => {
  test("a conversation of two has one recipient, the same for both", async () => {
    const w = world();
    const to = [w.user("max").id];
    const { id } = (await w.as("mel").post("/messages", { type: "direct", to, content: "Hello" })).body;
    const of = async (who: CastName) => (await w.as(who).get(`/messages/${id}`)).body.message.recipient_id;
    expect(await of("mel")).toBe(await of("max"));
  });
});

describe("429, 432, 450 and 483", () => {
  test.each(["register", "e2ee/test_notification"])(
    "no app of a phone gets notifications, so nothing has their form (%s)",
    async (path) => {
      const { body, status } = await world().as("mel").post(`/mobile_push/${path}`, { device_id: 1 });
      expect([status, body.result]).toEqual([404, "error"]);
    },
  );
});

describe("484", () => {
  test("reactions name the user by ID; the older form is there, too, for clients that read it", async () => {
    const w = world();
    await channel(w, "desk", ["mel", "max"]);
    const id = await sent(w, "mel", "desk", "hello");
    const queue = await w.queue("mel");
    await w.as("max").post(`/messages/${id}/reactions`, { emoji_name: "tada" });
    const { id: user_id } = w.user("max");
    expect(await queue.poll()).toMatchObject([{ type: "reaction", op: "add", user_id, user: { user_id } }]);
  });
});

describe("485", () => {
  test("no incoming webhook of other makers is listed, so none has options", async () => {
    const { realm_incoming_webhook_bots: bots } = await stateOf(
      world(),
      "mel",
      "realm_incoming_webhook_bots",
    );
    expect(bots).toEqual([]);
  });
});

describe("486", () => {
  test("no service of GIFs has a key here", async () => {
    expect(await stateOf(world(), "mel", "klipy")).toMatchObject({ klipy_api_key: "" });
  });
});

describe("487, which is not reported", () => {
  test("one user's presence has an entry for each kind of client, as typed clients read it", async () => {
    const w = world();
    await w.as("mel").post("/users/me/presence", { status: "active" });
    const { body } = await w.as("max").get(`/users/${w.user("mel").id}/presence`);
    const seen = { status: "active", timestamp: expect.any(Number) };
    expect(body.presence).toEqual({ aggregated: seen, website: seen });
  });
});

describe("488, which is not reported", () => {
  test("nobody signs in by Discord", async () => {
    const { body } = await world().anonymous.get("/server_settings");
    expect(body.authentication_methods.discord).toBe(false);
  });
});

describe("489, which is not reported", () => {
  test("what a person received in archived channels is found", async () => {
    const w = world();
    await channel(w, "desk", ["mel", "max"]);
    const old = await channel(w, "old", ["mel", "max"]);
    const [here, there] = [await sent(w, "mel", "desk", "hello"), await sent(w, "mel", "old", "hello")];
    const term = { operator: "channels", operand: "archived" };
    expect(await found(w, "max", term)).toEqual([]);
    await w.as("olive").delete(`/streams/${old}`);
    const all = await found(w, "max");
    const archived = await found(w, "max", term);
    expect(archived).toContain(there);
    expect(archived).not.toContain(here);
    const others = await found(w, "max", { ...term, negated: true });
    expect([...archived, ...others].sort((a, b) => a - b)).toEqual(all);
    expect(await found(w, "moss", term)).toEqual([]);
    expect((await w.anonymous.get("/messages", { anchor: "newest", narrow: [term] })).status).toBe(401);
  });
});
