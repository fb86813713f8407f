// Which acts leave an entry in the audit log.
import { afterAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Glob } from "bun";
import { deactivateUser, reactivateUser, setPassword, updateUser } from "@/foundation/accounts/actions.ts";
import { setAvatar } from "@/foundation/avatars/actions.ts";
import { deactivateEmoji } from "@/foundation/emoji/actions.ts";
import { createGroup, deactivateGroup, updateGroup, updateMembers } from "@/foundation/groups/actions.ts";
import { addLinkifier, reorderLinkifiers, updateLinkifier } from "@/foundation/linkifiers/actions.ts";
import { discardMail, queueLetter } from "@/foundation/mail/actions.ts";
import { addPlayground, removePlayground } from "@/foundation/playgrounds/actions.ts";
import { createField, deleteField, reorderFields, updateField } from "@/foundation/profile-fields/actions.ts";
import { deactivateRealm, reactivateRealm } from "@/foundation/realm-administration/actions.ts";
import { addDomain, changeDomain, removeDomain } from "@/foundation/realm-administration/actions-domains.ts";
import { makeResetLink } from "@/foundation/recovery/actions.ts";
import { endSessionsFor } from "@/foundation/sessions/actions.ts";
import { makeLoginLink } from "@/foundation/sessions/actions-links.ts";
import { handleReport } from "@/messaging/reports/actions.ts";
import { noActs } from "@/messaging/reports/schema.ts";
import { setUploadLimits } from "@/messaging/uploads/actions.ts";
import { setRunner } from "@/operations/command-line/host.ts";
import { recordExport } from "@/operations/export/actions.ts";
import { setPlacement } from "@/operations/file-moves/actions.ts";
import { createBot, regenerateBotKey } from "@/outside/bots/actions.ts";
import {
  removeSecret,
  removeTemplate,
  renewSecret,
  setTemplate,
} from "@/outside/incoming-webhooks/actions.ts";
import { discardCall } from "@/outside/webhooks/actions.ts";
import { updateStatusOf } from "@/personal/user-status/actions.ts";
import {
  changeGroupChannels,
  createDefaultGroup,
  deleteDefaultGroup,
  updateDefaultGroup,
} from "@/places/default-channels/actions-groups.ts";
import { inEnglish } from "@/text/language/tables.ts";
import { runForRemotePerson } from "../../cli/commands/remote-runner.ts";
import { allCommands } from "../../cli/loaders.ts";
import { acts } from "../support/acts.ts";
import { jsonHere, runHere } from "../support/command-line.ts";
import { stage } from "../support/console.ts";
import { cleanUp, newFolder, newOrganization } from "../support/executable.ts";
import { png } from "../support/pictures.ts";
import type { Json, Params } from "../support/requests.ts";
import { exportsOfActions, recorders } from "../support/shape.ts";
import { root, sourceTree, textOf } from "../support/source-tree.ts";
import { type CastName, type World, world } from "../support/world.ts";

describe("the table of acts", () => {
  const listed = Object.entries(acts).flatMap(([path, names]) =>
    Object.entries(names).map(([name, act]) => ({ key: `src/${path} ${name}`, act })),
  );

  test("has every action that does not show in its file what it records", async () => {
    const tree = await sourceTree("src");
    const recording = new Set(recorders(tree));
    const exported = exportsOfActions(tree).map((one) => one.replace(/: export const (\w+).*/, " $1"));
    expect(recording.size).toBeGreaterThan(40);
    expect(
      listed.map(({ key }) => key).sort(),
      "list in test/support/acts.ts what they leave, or why nothing",
    ).toEqual(exported.filter((one) => !recording.has(one)).sort());
  });

  test("and the code name events that some test sees in the audit log", async () => {
    const files = [...new Glob("test/**/*.test.ts").scanSync(root), "test/cluster/commands.ts"];
    const texts = (await Promise.all(files.map((path) => textOf(path)))).join("\n");
    const inTable = listed.flatMap(({ act }) => (typeof act === "string" ? [act] : []));
    const inCode = (await sourceTree("src")).flatMap(({ text }) =>
      [...text.matchAll(/\brecordAudit\(\w+, \{\s*event: "(\w+)"/g)].map(([, event = ""]) => event),
    );
    const events = [...new Set([...inTable, ...inCode])];
    expect(events.length).toBeGreaterThan(60);
    expect(events.filter((event) => !texts.includes(`"${event}"`))).toEqual([]);
  });
});

/** A channel of mel, max and gus, with three messages in a topic. */
async function scene(more: Params = {}) {
  const w = world();
  const subscribers = (["mel", "max", "gus", "ada"] as const).map((name) => w.user(name).id);
  const { body } = await w.as("ada").post("/channels/create", { name: "party", subscribers, ...more });
  const send = async (who: CastName, content = "a") => {
    const message = { type: "channel", to: "party", topic: "cake", content };
    return (await w.as(who).post("/messages", message)).body.id as number;
  };
  const ids = [await send("mel"), await send("max"), await send("mel")];
  return { ...w, channel: body.id as number, ids, send, last: await newest(w) };
}

async function entries({ as }: World, params: Params = {}): Promise<Json[]> {
  return (await as("ada").get("/audit_log", params)).body.entries;
}

const newest = async (w: World) => (await entries(w, { limit: 1 }))[0]?.id as number;

/** The entries since the scene, oldest first. */
async function since(w: World & { last: number }): Promise<Json[]> {
  return (await entries(w)).filter(({ id }) => id > w.last).reverse();
}

describe("acts on other people's messages", () => {
  test("a deleted message names its place and its author; one's own and one's bot's leave nothing", async () => {
    const w = await scene();
    await w.as("mel").delete(`/messages/${w.ids[0]}`);
    await w
      .as("ada")
      .patch("/realm", { can_delete_own_message_group: { new: await group(w, "role:everyone") } });
    const own = await w.send("mel");
    expect((await w.as("mel").delete(`/messages/${own}`)).status).toBe(200);
    await w.as("ada").delete(`/messages/${w.ids[1]}`);
    const found = (await since(w)).filter(({ event }) => event === "message_deleted");
    expect(found).toMatchObject([
      {
        actor_id: w.user("ada").id,
        actor_name: "Ada",
        about: { kind: "message", id: w.ids[1], name: "party › cake" },
        person_id: w.user("max").id,
        person_name: "Max",
      },
    ]);
    expect(JSON.stringify(found)).not.toContain('"content"');
  });

  test("a deleted topic tells how many messages went", async () => {
    const w = await scene();
    await w.as("ada").post(`/streams/${w.channel}/delete_topic`, { topic_name: "cake" });
    expect(await since(w)).toMatchObject([
      { event: "topic_deleted", about: { kind: "topic", name: "party › cake" }, data: { messages: 3 } },
    ]);
  });

  test("of a large topic there is one entry, at the end", async () => {
    const w = await scene();
    for (let n = 0; n < 120; n++) await w.send("mel");
    await w.as("ada").post(`/streams/${w.channel}/delete_topic`, { topic_name: "cake" });
    expect(await since(w)).toMatchObject([{ event: "topic_deleted", data: { messages: 123 } }]);
  });

  test("a move tells from where to where, and how many; resolving is named", async () => {
    const w = await scene();
    const move = (topic: string, mode = "change_all") =>
      w.as("ada").patch(`/messages/${w.ids[0]}`, { topic, propagate_mode: mode });
    await move("pie");
    await move("✔ pie");
    await move("pie");
    expect(await since(w)).toMatchObject([
      {
        event: "messages_moved",
        about: { kind: "topic", name: "party › cake" },
        data: { messages: 3, to: "party › pie" },
      },
      { event: "topic_resolved", data: { to: "party › ✔ pie" } },
      { event: "topic_unresolved" },
    ]);
  });

  test("of a large topic is told only if others wrote some of it, be it the last messages", async () => {
    const w = await scene();
    const sent = async (who: "mel" | "max", topic: string, times: number) => {
      const ids: number[] = [];
      for (let n = 0; n < times; n++) {
        const message = { type: "channel", to: "party", topic, content: "a" };
        ids.push((await w.as(who).post("/messages", message)).body.id as number);
      }
      return ids;
    };
    const [own = 0] = await sent("mel", "own", 120);
    const [mixed = 0] = await sent("mel", "mixed", 120);
    await sent("max", "mixed", 1);
    const move = (id: number, topic: string) =>
      w.as("mel").patch(`/messages/${id}`, { topic, propagate_mode: "change_all" });
    expect((await move(own, "still own")).status).toBe(200);
    expect(await since(w)).toEqual([]);
    expect((await move(mixed, "stirred")).status).toBe(200);
    expect(await since(w)).toMatchObject([{ event: "messages_moved", data: { messages: 121 } }]);
  });

  test("moving one's own message leaves nothing", async () => {
    const w = await scene();
    const moved = { topic: "pie", propagate_mode: "change_one" };
    expect((await w.as("mel").patch(`/messages/${w.ids[0]}`, moved)).status).toBe(200);
    expect(await since(w)).toEqual([]);
  });

  test("the topics of a private channel stay with its readers", async () => {
    const w = await scene({ invite_only: true });
    await w.as("ada").delete(`/messages/${w.ids[1]}`);
    expect(await since(w)).toMatchObject([{ about: { name: "party" } }]);
  });
});

async function group({ as }: World, name: string): Promise<number> {
  const { body } = await as("ada").get("/user_groups", { include_deactivated_groups: true });
  return body.user_groups.find((one: Json) => one.name === name).id;
}

describe("acts on other people's things", () => {
  test("a bot's defaults and webhook secret, changed by an administrator, not by the owner", async () => {
    const w = await scene();
    const bolt = w.user("bolt").id;
    const change = (who: CastName, name: string) =>
      w.as(who).patch(`/bots/${bolt}`, { default_sending_stream: name });
    expect((await change("mel", "party")).status).toBe(200);
    expect(await since(w)).toEqual([]);
    await change("ada", "");
    expect(await since(w)).toMatchObject([
      {
        event: "bot_defaults_changed",
        about: { kind: "bot", name: "Bolt" },
        person_name: "Mel",
        details: { "default sending stream": "none" },
      },
    ]);
  });

  test("an export with private data names those who allow that when it is requested", async () => {
    const w = await scene();
    for (const who of ["olive", "mel"] as const)
      await w.as(who).patch("/settings", { allow_private_data_export: true });
    await w.as("ada").post("/export/realm", { export_type: "full_with_consent" });
    expect(await since(w)).toMatchObject([
      {
        event: "export_started",
        about: { kind: "export", name: "public and private data" },
        data: { user_ids: [w.user("olive").id, w.user("mel").id] },
        details: { "user ids": "Olive, Mel" },
      },
    ]);
  });
});

/** A report about the message of max. */
async function report(w: World & { ids: readonly number[] }): Promise<void> {
  const moderation = { name: "moderation", subscribers: [w.user("ada").id], invite_only: true };
  const { body } = await w.as("ada").post("/channels/create", moderation);
  await w.as("ada").patch("/realm", { moderation_request_channel_id: body.id });
  await w.as("gus").post(`/messages/${w.ids[1]}/report`, { report_type: "spam" });
}

describe("a tour of administration", () => {
  test("leaves the entry of every act that it makes", async () => {
    const w = await scene();
    const { ctx, user } = w;
    const mel = user("mel").id;
    const bolt = user("bolt").id;
    const done = async (event: string, act: Promise<unknown>) => {
      await act;
      const [last] = await entries(w, { limit: 1 });
      expect(last?.event).toBe(event);
      return last as Json;
    };
    const admin = ctx("ada");
    const owner = ctx("olive");
    const system = ctx("system");

    await done("domain_added", addDomain(owner, { domain: "crew.example", allow_subdomains: false }));
    await done("domain_changed", changeDomain(owner, { domain: "crew.example", allow_subdomains: true }));
    const removed = await done("domain_removed", removeDomain(owner, "crew.example"));
    expect(removed.about.name).toBe("crew.example");
    await done("upload_limits_changed", setUploadLimits(owner, { upload_quota_mib: 500 }));
    await setPlacement(system, { at: "s3", also: "disk" });
    await done("files_moved", setPlacement(system, { at: "s3", also: null }));
    await setPlacement(system, { at: "disk", also: null });

    await done("user_reset_link_made", makeResetLink(admin, mel));
    await done("user_login_link_made", makeLoginLink(owner, mel));
    await done("user_sessions_ended", endSessionsFor(owner, { user_id: mel }));
    await done(
      "user_password_set",
      setPassword(owner, { user_id: mel, password: "long enough to be strong 7" }),
    );
    await done("user_renamed", updateUser(admin, { user_id: mel, full_name: "Melissa" }));
    await done("user_deactivated", deactivateUser(admin, user("gus").id));
    await done("user_reactivated", reactivateUser(admin, user("gus").id));
    await done("user_status_changed", updateStatusOf(admin, { user_id: mel, status_text: "Away" }));

    await done("bot_created", createBot(admin, { full_name: "Build", short_name: "build" }));
    await done("bot_webhook_secret_set", renewSecret(admin, { bot_id: bolt }));
    await done("bot_webhook_secret_replaced", renewSecret(admin, { bot_id: bolt }));
    const secret = await done("bot_webhook_secret_removed", removeSecret(admin, bolt));
    expect(secret).toMatchObject({ about: { name: "Bolt" }, person_name: "Melissa", data: {} });
    await done("bot_webhook_template_set", setTemplate(admin, { bot_id: bolt, topic: "", content: "{{a}}" }));
    await done("bot_webhook_template_removed", removeTemplate(admin, bolt));
    await done("bot_key_replaced", regenerateBotKey(admin, bolt));

    const field = await createField(admin, { field_type: 1, name: "Town" });
    await done("profile_field_changed", updateField(admin, { id: field, name: "City" }));
    const dropped = await done("profile_field_removed", deleteField(admin, field));
    expect(dropped.about.name).toBe("City");
    const group = await createDefaultGroup(admin, { name: "Start", description: "", channel_names: [] });
    await done(
      "default_channel_group_changed",
      updateDefaultGroup(admin, { group_id: group.id, name: "Begin" }),
    );
    const channel_names = ["party"];
    await done(
      "default_channel_group_channels_added",
      changeGroupChannels(admin, { group_id: group.id, op: "add", channel_names }),
    );
    const ended = await done("default_channel_group_deleted", deleteDefaultGroup(admin, group.id));
    expect(ended.about.name).toBe("Begin");

    const letter = { translator: inEnglish, subject: "Hello", blocks: [{ text: "Hello" }] };
    const mail = await w.app.env.db.write(system, (tx) =>
      queueLetter(tx, { letter, recipient: "mel@example.com", sender_id: mel }),
    );
    const discarded = await done("mail_discarded", discardMail(admin, mail));
    expect(discarded).toMatchObject({ about: { name: "mel@example.com" }, data: { subject: "Hello" } });
    await w.app.env.db.write(system, (tx) =>
      tx.run(
        "INSERT INTO webhook_calls (id, bot_id, message_id, trigger, due_at) VALUES (9, ?, ?, 'mention', ?)",
        bolt,
        w.ids[0] as number,
        tx.now,
      ),
    );
    await done("webhook_call_discarded", discardCall(admin, 9));

    const making = createGroup(admin, { name: "team", description: "", members: [mel] });
    await done("group_created", making);
    const made = await making;
    await done("group_members_changed", updateMembers(admin, { group_id: made.id, add: [bolt] }));
    await done("group_changed", updateGroup(admin, { group_id: made.id, description: "All of us" }));
    const team = await done("group_deactivated", deactivateGroup(admin, made.id));
    expect(team.about.name).toBe("team");
    await done("group_reactivated", updateGroup(admin, { group_id: made.id, deactivated: false }));
    const rules = ["a", "b"].map((pattern) => ({ pattern, url_template: "https://bugs.example.com/" }));
    const [a, b] = [await addLinkifier(admin, rules[0]!), await addLinkifier(admin, rules[1]!)];
    await done("linkifiers_reordered", reorderLinkifiers(admin, [b.id, a.id]));
    await done("linkifier_changed", updateLinkifier(admin, { id: a.id, ...rules[0]!, pattern: "c" }));
    const place = {
      name: "Play",
      pygments_language: "Python",
      url_template: "https://play.example.com/{code}",
    };
    const { id } = await addPlayground(admin, place);
    expect((await done("playground_removed", removePlayground(admin, id))).about.name).toBe("Play");
    const fields = [
      await createField(admin, { field_type: 1, name: "One" }),
      await createField(admin, { field_type: 1, name: "Two" }),
    ];
    const order = await done("profile_fields_reordered", reorderFields(admin, fields.toReversed()));
    expect(order.details).toMatchObject({ from: "One, Two", to: "Two, One" });
    const picture = () => new File([png(32, 32)], "picture.png", { type: "image/png" });
    await done("emoji_added", w.as("ada").upload("/realm/emoji/crew", picture()));
    const emoji = await done("emoji_deactivated", deactivateEmoji(admin, "crew"));
    expect(emoji.about.name).toBe("crew");
    await done("realm_icon_changed", w.as("ada").upload("/realm/icon", picture()));
    const path = join(tmpdir(), `confab-audited-${process.pid}.png`);
    writeFileSync(path, png(32, 32));
    const received = { path, name: "picture.png", size: 100 };
    await done("user_avatar_changed", setAvatar(admin, { user_id: mel, received }));
    await report(w);
    await done(
      "report_handled",
      handleReport(admin, { ...noActs, report_id: 1, is_handled: true, note: "Talked" }),
    );
    await done("report_reopened", handleReport(admin, { ...noActs, report_id: 1, is_handled: false }));
    const dismissed = { ...noActs, report_id: 1, is_handled: true, is_dismissed: true, note: "A joke" };
    await done("report_dismissed", handleReport(admin, dismissed));

    await done("export_written", recordExport(owner, null));
    expect(await done("export_written", recordExport(owner, mel))).toMatchObject({ person_name: "Melissa" });
    await deactivateRealm(owner, {});
    await reactivateRealm(system);
    await done("realm_reactivated", Promise.resolve());
  });
});

describe("a remote command", () => {
  const away = async () => {
    const w = await scene();
    setRunner(w.app.env, async (ctx, line) => runForRemotePerson(await allCommands(), ctx, line));
    const run = (who: CastName, command: string, given: Params) =>
      w.as(who).post("/command", { command, given });
    const named = async () => (await w.as("olive").get("/audit_log", { event: "command_run" })).body.entries;
    return { w, run, named };
  };

  test("that changes something is named, without its values; showing and one's own work are not", async () => {
    const { w, run, named } = await away();
    const given = { user: w.user("max").email, name: "Maximilian" };
    await run("ada", "user list", {});
    await run("ada", "user keys", { email: w.user("ada").email });
    await run("ada", "message send", { to: "party", topic: "cake", content: "a" });
    await run("mel", "user update", { ...given, user: w.user("mel").email });
    expect(await named()).toEqual([]);
    expect(await run("ada", "user update", given)).toMatchObject({ status: 200 });
    const entries = await named();
    expect(entries).toMatchObject([
      { actor_name: "Ada", data: { command: "user update", options: ["user", "name"] } },
    ]);
    expect(JSON.stringify(entries)).not.toContain("Maximilian");
  });

  test("is named, unless its table says that it changes nothing of others: exactly these do", async () => {
    const all = (await allCommands()).filter(({ perform, isOperators }) => perform && !isOperators);
    const always = all.filter(({ isUnaudited }) =>
      isUnaudited?.({ end_all: true, proved: true, reset: true, change: "on" }),
    );
    const bare = all.filter((one) => one.isUnaudited?.({}) && !always.includes(one));
    // Those that show something; a new one is a `list` or `show`, or begins with `list-`.
    const verbs =
      /(^| )(list(-[a-z]+)?|show|search|history|topics|subscribers|settings|permissions|domains|channels|groups|audit|suggest|tokens)$/;
    const others = always.map(({ name }) => name).filter((name) => !verbs.test(name));
    expect(others.sort()).toEqual([
      "doctor",
      "message edit",
      "message send",
      "settings set",
      "stats",
      "webhook template",
    ]);
    expect(all.filter((one) => verbs.test(one.name) && !always.includes(one))).toEqual([]);
    expect(bare.map(({ name }) => name).sort()).toEqual([
      "realm login",
      "realm two-step",
      "user address",
      "user keys",
      "user sessions",
      "user two-step",
    ]);
    const keys = all.find(({ name }) => name === "user keys");
    expect(keys?.isUnaudited?.({ end: 1, end_all: false })).toBe(false);
  });

  test("that lowers or ends the actor's own account succeeds, and is named", async () => {
    const { w, run, named } = await away();
    const own = { email: w.user("ada").email };
    expect(await run("ada", "user role", { words: [own.email, "member"] })).toMatchObject({ status: 200 });
    expect(await named()).toMatchObject([{ actor_name: "Ada", data: { command: "user role" } }]);
    await w.as("olive").patch(`/users/${w.user("ada").id}`, { role: 200 });
    const ended = await run("ada", "user deactivate", { ...own, yes: true });
    expect([ended.status, ended.body.msg]).toEqual([200, ""]);
    expect(await named()).toMatchObject([
      { actor_name: "Ada", data: { command: "user deactivate" } },
      { data: { command: "user role" } },
    ]);
  });
});

describe("get-audit-log", () => {
  test("filters by person, thing, kind and time; is for administrators alone", async () => {
    const w = await scene();
    const at = w.clock.now();
    w.clock.advance(86_400);
    await w.as("ada").delete(`/messages/${w.ids[1]}`);
    await w.as("olive").patch(`/users/${w.user("max").id}`, { role: 300 });
    await w.as("olive").patch(`/streams/${w.channel}`, { new_name: "fest" });
    const events = async (params: Params) => (await entries(w, params)).map(({ event }) => event);

    expect(await events({ about_user_id: w.user("max").id })).toEqual([
      "user_role_changed",
      "message_deleted",
      "user_created",
    ]);
    expect(await events({ by: w.user("olive").id, since: at + 1 })).toEqual([
      "channel_renamed",
      "user_role_changed",
    ]);
    expect(await events({ kind: "message" })).toEqual(["message_deleted"]);
    expect(await events({ about_name: "PARTY", kind: "channel" })).toEqual([
      "channel_renamed",
      "channel_created",
    ]);
    expect((await entries(w, { kind: "channel", until: at + 1 })).map(({ about }) => about.name)).toEqual([
      "fest",
    ]);
    expect((await entries(w, { event: "user_role_changed", limit: 1 }))[0].details).toEqual({
      from: "member",
      to: "moderator",
    });

    for (const who of ["moss", "mel"] as const) {
      const { status, events: emitted } = await w.as(who).get("/audit_log");
      expect([status, emitted]).toEqual([400, []]);
    }
    expect((await w.as("ada").get("/audit_log", { about_id: 3 })).body.msg).toContain(
      "together with its kind",
    );
    expect((await w.as("ada").get("/audit_log", { kind: "nonsense" })).status).toBe(400);
  });

  test("keeps the names of what is gone", async () => {
    const w = await scene();
    const given = { pattern: "#(?P<id>[0-9]+)", url_template: "https://bugs.example.com/{id}" };
    const { body } = await w.as("ada").post("/realm/filters", given);
    await w.as("ada").delete(`/realm/filters/${body.id}`);
    expect((await since(w)).map(({ event, about }) => [event, about.name])).toEqual([
      ["linkifier_added", given.pattern],
      ["linkifier_removed", given.pattern],
    ]);
  });
});

describe("the console", () => {
  test("shows the audit log by name, and filters it by person, thing, kind and time", async () => {
    const w = await scene();
    await w.as("ada").delete(`/messages/${w.ids[1]}`);
    await w.as("olive").patch(`/users/${w.user("max").id}`, { role: 300 });
    const { press, type, sees, frame } = stage(w, "ada", { columns: 220 });
    await press("A");
    const shown = await sees("in party › cake, by Max");
    expect(shown).toMatch(/Ada +Message deleted +in party › cake, by Max/);
    expect(shown).toMatch(/Olive +User role changed +Max/);
    expect(shown).toMatch(/About +user Max/);
    const filter = async (...texts: string[]) => {
      await press("f");
      for (const [index, text] of texts.entries()) {
        await type(text);
        await press(index === texts.length - 1 ? "save" : "tab");
      }
    };
    await filter("olive@example.com");
    await sees("Showing entries by olive@example.com");
    expect(frame()).not.toContain("party › cake");
    await press("x");
    await sees("party › cake");
    await filter("", "max@example.com", "message");
    await sees("Showing entries about max@example.com, kind message");
    expect(frame()).toContain("party › cake");
    expect(frame()).not.toContain("User role changed");
    await press("x");
    await filter("", "", "", "someday");
    await sees("Enter a date, as");
  });
});

describe("the operator's commands", () => {
  afterAll(() => cleanUp());

  test("that export data, or restore a backup, are in the audit log", async () => {
    const { data } = await newOrganization();
    const there = (name: string) => join(newFolder(), name);
    await runHere(["export", "organization", there("all.json"), "--data", data]);
    await runHere(["export", "user", "olive@example.com", there("olive.json"), "--data", data]);
    const [own, all] = await jsonHere<Json[]>(["audit", "--kind", "export", "--data", data]);
    expect(all).toMatchObject({ event: "export_written", about: { name: "all data" }, person_name: null });
    expect(own).toMatchObject({ event: "export_written", person_name: "Olive", actor: "olive@example.com" });
    const { stdout } = await runHere(["audit", "--about", "olive@example.com", "--data", data]);
    expect(stdout).toContain("export, of Olive");

    const [file, restored] = [there("backup.tar.gz"), there("restored")];
    expect(await runHere(["backup", file, "--data", data])).toMatchObject({ status: 0 });
    expect(await runHere(["restore", file, "--data", restored])).toMatchObject({ status: 0 });
    expect(await jsonHere(["audit", "--limit", "1", "--data", restored])).toMatchObject([
      { event: "restored", actor: null, details: { "backup of": expect.stringMatching(/^\d{4}-.* UTC$/) } },
    ]);
  });
});
