import { describe, expect, test } from "bun:test";
import { settingOf, settingsOf, usersWhoChanged } from "@/foundation/user-settings/access.ts";
import {
  defaultNames,
  type PersonalName,
  personalNames,
  startTable,
} from "@/foundation/user-settings/schema.ts";
import { createChannel } from "@/places/channel-administration/actions.ts";
import type { Json } from "../support/requests.ts";
import { endpointShapes, expectRegister } from "../support/shapes.ts";
import { type CastName, everyCapability, type World, world } from "../support/world.ts";

/** For every setting, a valid value other than the default, and an invalid one. */
const samples: Record<PersonalName, [value: unknown, wrong: unknown]> = {
  ...(Object.fromEntries(
    personalNames
      .filter((name) => typeof startTable[name].fallback === "boolean")
      .map((name) => [name, [!startTable[name].fallback, 1]]),
  ) as Record<PersonalName, [unknown, unknown]>),
  automatically_follow_topics_policy: [4, 5],
  automatically_unmute_topics_in_muted_streams_policy: [1, 0],
  color_scheme: [2, 4],
  default_language: ["pt-br", "xx"],
  demote_inactive_streams: [3, 4],
  desktop_icon_count_display: [4, 5],
  email_address_visibility: [5, 6],
  email_notifications_batching_period_seconds: [604_800, 604_801],
  emojiset: ["text", "apple"],
  notification_sound: ["none", "gong"],
  realm_name_in_email_notifications_policy: [3, 0],
  resolved_topic_notice_auto_read_policy: ["never", "sometimes"],
  user_list_style: [3, 4],
  web_animate_image_previews: ["never", "often"],
  web_channel_default_view: [4, 5],
  web_font_size_px: [20, 7],
  web_home_view: ["recent", "newest"],
  web_line_height_percent: [120, 401],
  web_mark_read_on_scroll_policy: [3, 4],
  web_stream_unreads_count_display_policy: [3, 4],
};

const stateOf = async (w: World, who: CastName, type: string, more: Json = {}) =>
  (await w.queue(who, { fetch_event_types: [type], ...more })).state;
const settingsShownTo = async (w: World, who: CastName) =>
  (await stateOf(w, who, "user_settings")).user_settings;
const change = (w: World, who: CastName, params: Json) => w.as(who).patch("/settings", params);

describe("update-settings", () => {
  test("knows every documented setting", () => {
    const { params } = endpointShapes()["PATCH /settings"]!;
    const identity = ["full_name", "email", "old_password", "new_password", "timezone", "target_users"];
    const documented = params.map(({ name }) => name).filter((name) => !identity.includes(name));
    expect([...personalNames].sort()).toEqual(documented.sort() as PersonalName[]);
  });

  const changeable = personalNames.filter((name) => name !== "enable_marketing_emails");

  test.each(changeable)("changes %s of this user only, and emits it to their clients once", async (name) => {
    const w = world();
    const [value] = samples[name];
    expect((await settingsShownTo(w, "mel"))[name]).toBe(startTable[name].fallback);
    const { status, events } = await change(w, "mel", { [name]: value });
    expect(status).toBe(200);
    expect(events.filter(({ event }) => event.type === "user_settings")).toMatchObject([
      { audience: ["mel"], event: { op: "update", property: name, value } },
    ]);
    expect((await settingsShownTo(w, "mel"))[name]).toBe(value);
    expect((await settingsShownTo(w, "max"))[name]).toBe(startTable[name].fallback);
    expect(await change(w, "mel", { [name]: value })).toMatchObject({ status: 200, events: [] });
  });

  test.each(personalNames)("refuses a wrong %s, and everything that came with it", async (name) => {
    const w = world();
    const other = name === "fluid_layout_width" ? "twenty_four_hour_time" : "fluid_layout_width";
    const answer = await change(w, "mel", { [other]: true, [name]: samples[name][1] });
    expect(answer).toMatchObject({ status: 400, body: { result: "error" }, events: [] });
    expect((await settingsShownTo(w, "mel"))[other]).toBe(false);
  });

  test("names the allowed values of what it refuses", async () => {
    const w = world();
    const messages = async (params: Json) => (await change(w, "mel", params)).body.msg;
    expect(await messages({ color_scheme: 4 })).toBe("color_scheme must be one of: 1, 2, 3");
    expect(await messages({ default_language: "xx" })).toBe("There is no such language.");
    expect(await messages({ email_notifications_batching_period_seconds: 0 })).toBe(
      "The delay of mails is 1 to 604800 seconds.",
    );
  });

  test("emits a language together with its name", async () => {
    const { events } = await change(world(), "mel", { default_language: "de" });
    expect(events.map(({ event }) => event)).toEqual([
      {
        type: "user_settings",
        op: "update",
        property: "default_language",
        value: "de",
        language_name: "German",
      },
    ]);
  });

  test("reads an older emoji set as its replacement", async () => {
    const w = world();
    await change(w, "mel", { emojiset: "twitter" });
    const { events } = await change(w, "mel", { emojiset: "google-blob" });
    expect(events).toMatchObject([{ event: { property: "emojiset", value: "google" } }]);
  });

  test("sets the time zone, which others see too", async () => {
    const w = world();
    const { id, email } = w.user("mel");
    const { events } = await change(w, "mel", { timezone: "Europe/Berlin" });
    expect(events).toEqual([
      {
        audience: "everyone",
        event: {
          type: "realm_user",
          op: "update",
          person: { user_id: id, email, timezone: "Europe/Berlin" },
        },
      },
      {
        audience: ["mel"],
        event: { type: "user_settings", op: "update", property: "timezone", value: "Europe/Berlin" },
      },
    ]);
    expect(await settingsShownTo(w, "mel")).toMatchObject({ timezone: "Europe/Berlin" });
    expect((await w.as("max").get(`/users/${id}`)).body.user.timezone).toBe("Europe/Berlin");
    expect(await change(w, "mel", { timezone: "Europe/Berlin" })).toMatchObject({ events: [] });
  });

  test.each(["UTC", "Asia/Kolkata", "America/Argentina/Buenos_Aires", "Etc/GMT+5"])(
    "knows the time zone %s",
    async (timezone) => expect(await change(world(), "mel", { timezone })).toMatchObject({ status: 200 }),
  );

  test.each(["", "Mars/Olympus", "+05:00", "europe/berlin", "x".repeat(200)])(
    "refuses the time zone '%s'",
    async (timezone) =>
      expect(await change(world(), "mel", { timezone })).toMatchObject({
        status: 400,
        body: { code: "BAD_REQUEST", msg: "There is no such time zone." },
        events: [],
      }),
  );

  test("emits to administrators whether private data may be exported", async () => {
    const w = world();
    const { events } = await change(w, "mel", { allow_private_data_export: true });
    expect(events[1]).toEqual({
      audience: ["olive", "ada"],
      event: { type: "realm_export_consent", user_id: w.user("mel").id, consented: true },
    });
  });

  test("emits nothing for an empty request, and reports unknown settings", async () => {
    const w = world();
    expect(await change(w, "mel", {})).toMatchObject({ status: 200, events: [] });
    const { body } = await change(w, "mel", { dense_mode: true });
    expect(body).toMatchObject({ result: "success", ignored_parameters_unsupported: ["dense_mode"] });
  });
});

describe("update-display-settings", () => {
  test("changes every setting at its older path too", () => changesAt("/settings/display"));
});

describe("update-notification-settings", () => {
  test("changes every setting at its older path too", () => changesAt("/settings/notifications"));
});

async function changesAt(path: string): Promise<void> {
  const w = world();
  const { body } = await w
    .as("mel")
    .patch(path, { enter_sends: false, enable_sounds: false, timezone: "UTC" });
  expect(body).toEqual({ result: "success", msg: "" });
  const expected = { enter_sends: false, enable_sounds: false, timezone: "UTC" };
  expect(await settingsShownTo(w, "mel")).toMatchObject(expected);
}

describe("clients that do not know user_settings", () => {
  const older = { client_capabilities: { ...everyCapability, user_settings_object: false } };

  test.each(["update_display_settings", "update_global_notifications"])(
    "find the settings of %s in the state itself",
    async (type) => {
      const w = world();
      await change(w, "mel", { color_scheme: 2, notification_sound: "ding", timezone: "UTC" });
      const state = await stateOf(w, "mel", type, older);
      expectRegister(state, [type]);
      const isDisplay = type === "update_display_settings";
      expect(state).toMatchObject(
        isDisplay ? { color_scheme: 2, timezone: "UTC" } : { notification_sound: "ding" },
      );
      expect(Object.keys(await stateOf(w, "mel", type))).not.toContain(
        isDisplay ? "color_scheme" : "enable_sounds",
      );
    },
  );

  test("get them in the older events", async () => {
    const w = world();
    const old = await w.queue("mel", {
      ...older,
      event_types: ["update_display_settings", "update_global_notifications"],
    });
    const capable = await w.queue("mel");
    await change(w, "mel", { default_language: "de", enable_sounds: false, send_read_receipts: false });
    const user = w.user("mel").email;
    const [first, second, ...others] = (await old.poll()).map(({ id, ...event }) => event);
    expect(first).toEqual({
      type: "update_display_settings",
      setting_name: "default_language",
      setting: "de",
      language_name: "German",
      user,
    });
    expect(second).toEqual({
      type: "update_global_notifications",
      notification_name: "enable_sounds",
      setting: false,
      user,
    });
    expect(others).toEqual([]);
    expect((await capable.poll()).map(({ type }) => type)).toEqual([
      "user_settings",
      "user_settings",
      "user_settings",
    ]);
  });
});

describe("update-realm-user-settings-defaults", () => {
  const setDefaults = (w: World, who: CastName, params: Json) =>
    w.as(who).patch("/realm/user_settings_defaults", params);
  const shown = async (w: World, who: CastName = "mel") =>
    (await stateOf(w, who, "realm_user_settings_defaults")).realm_user_settings_defaults;

  async function newcomer(w: World, email = "nia@example.com") {
    const person = { email, password: "correct horse", full_name: "Nia" };
    const { body } = await w.as("ada").post("/users", person);
    return settingsOf(w.app.system, body.user_id);
  }

  test("knows every documented default", () => {
    const { params } = endpointShapes()["PATCH /realm/user_settings_defaults"]!;
    expect([...defaultNames].sort()).toEqual(params.map(({ name }) => name).sort() as PersonalName[]);
  });

  test.each(defaultNames)("sets %s for those who come, and leaves it to those who are here", async (name) => {
    const w = world();
    const [value] = samples[name];
    const { status, events } = await setDefaults(w, "ada", { [name]: value });
    expect(status).toBe(200);
    expect(events).toEqual([
      {
        audience: "everyone",
        event: { type: "realm_user_settings_defaults", op: "update", property: name, value } as Json,
      },
    ]);
    expect((await shown(w))[name]).toBe(value);
    expect((await settingsShownTo(w, "mel"))[name]).toBe(startTable[name].fallback);
    expect((await newcomer(w))[name] as unknown).toBe(value);
    expect(await setDefaults(w, "ada", { [name]: value })).toMatchObject({ status: 200, events: [] });
  });

  test.each(defaultNames)("refuses a wrong %s", async (name) => {
    const w = world();
    const answer = await setDefaults(w, "ada", { [name]: samples[name][1] });
    expect(answer).toMatchObject({ status: 400, body: { result: "error" }, events: [] });
    expect((await shown(w))[name]).toBe(startTable[name].fallback);
  });

  test("Enter sends for those who come, unless the administrators want a new line; others keep theirs", async () => {
    const w = world();
    expect((await newcomer(w)).enter_sends).toBe(true);
    expect((await shown(w)).enter_sends).toBe(true);
    // Nothing is stored for those who came earlier.
    const earlier = 999_999;
    expect(settingsOf(w.app.system, earlier).enter_sends).toBe(false);
    await setDefaults(w, "ada", { enter_sends: false });
    expect((await newcomer(w, "noa@example.com")).enter_sends).toBe(false);
    expect((await settingsShownTo(w, "mel")).enter_sends).toBe(true);
  });

  test("keeps new users' settings when a default changes back", async () => {
    const w = world();
    await setDefaults(w, "ada", { twenty_four_hour_time: true });
    const first = await newcomer(w);
    await setDefaults(w, "ada", { twenty_four_hour_time: false });
    expect(first.twenty_four_hour_time).toBe(true);
    expect((await newcomer(w, "noa@example.com")).twenty_four_hour_time).toBe(false);
  });

  test.each(["moss", "mel", "gus", "bolt"] as const)("is refused to %s", async (who) => {
    const w = world();
    expect(await setDefaults(w, who, { enter_sends: false })).toMatchObject({
      status: 400,
      body: { code: "UNAUTHORIZED_PRINCIPAL", msg: "Must be an organization administrator" },
      events: [],
    });
    expect((await shown(w)).enter_sends).toBe(true);
  });

  test("refuses settings that have no default", async () => {
    const { body } = await setDefaults(world(), "ada", { enable_login_emails: false, timezone: "UTC" });
    expect(body.ignored_parameters_unsupported.sort()).toEqual(["enable_login_emails", "timezone"]);
  });

  test("records the changes in the audit log", async () => {
    const w = world();
    await setDefaults(w, "ada", { color_scheme: 2 });
    const { listAudit } = await import("@/foundation/audit/queries.ts");
    expect(listAudit(w.ctx("olive"), { limit: 1 })).toMatchObject([
      {
        actor_id: w.user("ada").id,
        event: "user_setting_default_changed",
        data: { name: "color_scheme", from: 1, to: 2 },
      },
    ]);
  });
});

describe("settings at work", () => {
  test("emoticons become emoji for users who want it", async () => {
    const w = world();
    const rendered = async (who: CastName) =>
      (await w.as(who).post("/messages/render", { content: "Well :)" })).body.rendered;
    expect(await rendered("mel")).toBe("<p>Well :)</p>");
    await change(w, "mel", { translate_emoticons: true });
    expect(await rendered("mel")).toContain("emoji");
    expect(await rendered("max")).toBe("<p>Well :)</p>");
  });

  test("older clients get the effective notification settings of a channel", async () => {
    const w = world();
    await change(w, "mel", { enable_stream_desktop_notifications: true, wildcard_mentions_notify: false });
    const older = { client_capabilities: { ...everyCapability, notification_settings_null: false } };
    const queue = await w.queue("mel", older);
    const subscribers = [w.user("mel").id, w.user("max").id];
    await createChannel(w.ctx("mel"), { name: "Design", description: "", subscribers });
    const [added] = (await queue.poll()).filter(({ type, op }) => type === "subscription" && op === "add");
    const resolved = {
      desktop_notifications: true,
      push_notifications: false,
      wildcard_mentions_notify: false,
    };
    expect(added.subscriptions).toMatchObject([resolved]);
    expect((await stateOf(w, "mel", "subscription", older)).subscriptions).toMatchObject([resolved]);
    expect((await stateOf(w, "max", "subscription", older)).subscriptions).toMatchObject([
      { desktop_notifications: false, wildcard_mentions_notify: true },
    ]);
    expect((await stateOf(w, "mel", "subscription")).subscriptions).toMatchObject([
      { desktop_notifications: null },
    ]);
  });

  test("users who differ from the default are found at once, and no longer when they return to it", async () => {
    const w = world();
    const { id } = w.user("mel");
    await change(w, "mel", { send_read_receipts: false });
    expect([...usersWhoChanged(w.app.system, "send_read_receipts")]).toEqual([id]);
    expect(settingOf(w.app.system, id, "send_read_receipts")).toBe(false);
    await change(w, "mel", { send_read_receipts: true });
    expect([...usersWhoChanged(w.app.system, "send_read_receipts")]).toEqual([]);
    expect(settingOf(w.app.system, id, "send_read_receipts")).toBe(true);
  });
});

describe("post-zcommand", () => {
  const run = (w: World, who: CastName, command: string) => w.as(who).post("/zcommand", { command });

  test.each([
    ["/dark", "color_scheme", 2, "The dark theme is on."],
    ["/night", "color_scheme", 2, "The dark theme is on."],
    ["/light", "color_scheme", 3, "The light theme is on."],
    [" /day ", "color_scheme", 3, "The light theme is on."],
    ["/fluid-width", "fluid_layout_width", true, "The whole width of the window is used."],
  ] as const)(
    "%s changes the actor's setting and tells their clients once",
    async (command, name, value, msg) => {
      const w = world();
      const { body, events } = await run(w, "mel", command);
      expect(body).toEqual({ result: "success", msg });
      expect(events.filter(({ event }) => event.type === "user_settings")).toMatchObject([
        { audience: ["mel"], event: { op: "update", property: name, value } },
      ]);
      expect((await settingsShownTo(w, "mel"))[name]).toBe(value);
      expect((await settingsShownTo(w, "max"))[name]).toBe(startTable[name].fallback);
      expect(await run(w, "mel", command)).toMatchObject({ status: 200, body: { msg }, events: [] });
    },
  );

  test("/fixed-width undoes /fluid-width", async () => {
    const w = world();
    await run(w, "mel", "/fluid-width");
    const { body, events } = await run(w, "mel", "/fixed-width");
    expect(body.msg).toBe("The width is limited.");
    expect(events).toContainEqual({
      audience: ["mel"],
      event: { type: "user_settings", op: "update", property: "fluid_layout_width", value: false },
    });
  });

  test("/ping changes nothing", async () => {
    const answer = await run(world(), "gus", "/ping");
    expect(answer).toMatchObject({ status: 200, body: { msg: "" }, events: [] });
  });

  test.each([
    ["no slash", "dark", "A command begins with a slash, such as /dark."],
    ["nothing", "", "A command begins with a slash, such as /dark."],
    [
      "an unknown command",
      "/blue",
      "There is no such command. The commands are /ping, /light, /day, /dark, /night, /fluid-width, /fixed-width.",
    ],
  ])("refuses %s", async (_, command, msg) => {
    const w = world();
    expect(await run(w, "mel", command)).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg },
      events: [],
    });
  });

  test("refuses a request without a command", async () => {
    expect(await world().as("mel").post("/zcommand")).toMatchObject({
      status: 400,
      body: { msg: "Missing 'command' argument" },
      events: [],
    });
  });
});
