// Exports that administrators request over HTTP: permissions, content, and how they are written.
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type App, open } from "@/app.ts";
import { deactivateUser } from "@/foundation/accounts/actions.ts";
import { listAudit } from "@/foundation/audit/queries.ts";
import { makeFolderOf, pathOf, shelfOf } from "@/foundation/file-stores/disk.ts";
import { newName } from "@/foundation/file-stores/names.ts";
import type { Shelf } from "@/foundation/file-stores/schema.ts";
import { sweepFiles } from "@/foundation/files/sweep.ts";
import { createRealm } from "@/foundation/realm-administration/actions.ts";
import { requestExport } from "@/operations/export/actions.ts";
import { listExports } from "@/operations/export/queries.ts";
import { exportTypes } from "@/operations/export/schema.ts";
import { writeExports } from "@/operations/export/writing.ts";
import { createChannel } from "@/places/channel-administration/actions.ts";
import { temporaryFolders } from "../support/folder.ts";
import { runJob } from "../support/jobs.ts";
import type { Json } from "../support/requests.ts";
import { type CapturedEvent, type CastName, type World, world } from "../support/world.ts";

const { public: publicType, standard } = exportTypes;
const week = 7 * 86_400;
const ask = (w: World, export_type: string = publicType, who: CastName = "ada") =>
  w.as(who).post("/export/realm", { export_type });
const consent = (w: World, who: CastName, allow_private_data_export = true) =>
  w.as(who).patch("/settings", { allow_private_data_export });
const listed = async (w: World): Promise<Json[]> => (await w.as("ada").get("/export/realm")).body.exports;
const pathIn = ({ export_url }: Json) => new URL(export_url).pathname;

/** Requests an export and runs the job; returns the listed export. */
async function made(w: World, export_type: string = publicType): Promise<Json> {
  const { body } = await ask(w, export_type);
  await runJob(w, "write-exports");
  return (await listed(w)).find(({ id }) => id === body.id) as Json;
}

/** The text of such an export, and its content. */
async function exported(w: World, export_type: string): Promise<{ text: string; document: Json }> {
  const answer = await w.as("ada").request(pathIn(await made(w, export_type)));
  const text = await answer.text();
  return { text, document: JSON.parse(text) };
}

const ids = (w: World, names: readonly CastName[]) => names.map((name) => w.user(name).id);

async function channel(w: World, name: string, people: CastName[], params: Json = {}): Promise<number> {
  const { body } = await w
    .as("ada")
    .post("/channels/create", { name, subscribers: ids(w, people), ...params });
  return body.id;
}

const post = async (w: World, who: CastName, to: string, content: string): Promise<number> =>
  (await w.as(who).post("/messages", { type: "channel", to, topic: "plans", content })).body.id;
const write = (w: World, who: CastName, to: CastName[], content: string) =>
  w.as(who).post("/messages", { type: "direct", to: ids(w, to), content });
const contents = ({ messages }: Json): string[] => messages.map(({ content }: Json) => content);

/** Two of everything: one that concerns mel and one that does not. */
async function place(): Promise<World & { team: number; secret: number; hidden: number }> {
  const w = world();
  const team = await channel(w, "team", ["mel", "max"]);
  const secret = await channel(w, "secret", ["mel", "max"], { invite_only: true });
  const hidden = await channel(w, "hidden", ["max", "gus"], {
    invite_only: true,
    can_send_message_group: { direct_members: ids(w, ["max", "gus"]), direct_subgroups: [] },
  });
  await post(w, "mel", "team", "for all");
  await post(w, "mel", "secret", "for few");
  await post(w, "max", "hidden", "for two");
  await write(w, "mel", ["max"], "between us");
  await write(w, "max", ["gus"], "between others");
  for (const who of ["mel", "max"] as const) {
    const draft = { type: "stream", to: [team], topic: "plans", content: `draft of ${who}`, timestamp: 1 };
    await w.as(who).post("/drafts", { drafts: [draft] });
    await w.as(who).post("/users/me/alert_words", { alert_words: [`word of ${who}`] });
    await w.as(who).patch("/settings", { twenty_four_hour_time: true });
  }
  return { ...w, team, secret, hidden };
}

const outsiders = ["moss", "mel", "gus", "bolt"] as const;
const notAdmin = {
  status: 400,
  body: { code: "UNAUTHORIZED_PRINCIPAL", msg: "Must be an organization administrator" },
  events: [],
};

describe("export-realm", () => {
  test("answers at once, writes the export in the background and emits each step to administrators", async () => {
    const w = world();
    const { body, events } = await w.as("ada").post("/export/realm");
    const pending = {
      id: body.id,
      acting_user_id: w.user("ada").id,
      export_type: publicType,
      export_time: w.clock.now(),
      pending: true,
      export_url: null,
      failed_timestamp: null,
      deleted_timestamp: null,
    };
    const exportsChanged = (one: Json): CapturedEvent => ({
      audience: ["olive", "ada"],
      event: { type: "realm_export", exports: [one] },
    });
    expect(events).toEqual([exportsChanged(pending)]);
    expect(await listed(w)).toEqual([pending]);

    const export_url = expect.stringMatching(/^https:\/\/chat\.example\.com\/exports\/[0-9a-f]{32}$/);
    const done = { ...pending, pending: false, export_url };
    expect(await runJob(w, "write-exports")).toEqual([exportsChanged(done)]);
    expect(await listed(w)).toEqual([done]);
    expect(await runJob(w, "write-exports")).toEqual([]);
  });

  test("is noted in the audit log", async () => {
    const w = world();
    const { body } = await ask(w);
    expect(listAudit(w.ctx("ada"), { limit: 1 })).toMatchObject([
      {
        actor_id: w.user("ada").id,
        event: "export_started",
        about: { kind: "export", id: body.id },
        data: { export_type: publicType },
      },
    ]);
  });

  test.each(outsiders)("refuses %s", async (who) => {
    const w = world();
    expect(await ask(w, publicType, who)).toMatchObject(notAdmin);
    expect(await listed(w)).toEqual([]);
  });

  test("refuses an unknown type", async () => {
    expect(await ask(world(), "all")).toMatchObject({
      status: 400,
      body: { msg: expect.stringMatching(/^export_type must be one of: 1, 2, public/) },
      events: [],
    });
  });

  test("refuses a sixth in a week", async () => {
    const w = world();
    for (let n = 0; n < 5; n++) expect((await ask(w)).status).toBe(200);
    w.clock.advance(week - 1);
    expect(await ask(w, publicType, "olive")).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg: "At most 5 exports can be made in a week." },
      events: [],
    });
    w.clock.advance(1);
    expect((await ask(w)).status).toBe(200);
    w.clock.step(-week * 3);
    for (let n = 0; n < 5; n++) expect((await ask(w)).status).toBe(200);
    expect((await ask(w)).status).toBe(400);
  });

  test("refuses private data if no owner consents", async () => {
    const w = world();
    await consent(w, "ada");
    expect(await ask(w, standard)).toMatchObject({
      status: 400,
      body: { msg: "At least one organization owner must allow their private data to be exported." },
      events: [],
    });
    await consent(w, "olive");
    expect((await ask(w, standard)).status).toBe(200);
  });
});

describe("a public export", () => {
  test("contains public channels, and nothing private even of people who consent", async () => {
    const w = await place();
    for (const who of ["olive", "mel"] as const) await consent(w, who);
    const { text, document } = await exported(w, publicType);

    expect(contents(document)).toContain("for all");
    expect(document.channels).toContainEqual(expect.objectContaining({ id: w.team, name: "team" }));
    expect(document.subscriptions).toContainEqual({ channel_id: w.team, user_id: w.user("mel").id });
    expect(document.users.map(({ user_id }: Json) => user_id)).toEqual(
      expect.arrayContaining(ids(w, ["olive", "mel", "dex", "bolt"])),
    );
    expect(text).not.toMatch(/for few|for two|between|draft of|word of|secret|hidden/);
    expect(document.subscriptions.some((row: Json) => "color" in row || row.channel_id === w.secret)).toBe(
      false,
    );
    expect(Object.keys(document)).not.toContainAnyValues([
      "reports",
      "audit_log",
      "bot_services",
      "bot_storage",
      "drafts",
      "user_settings",
    ]);
  });

  test("leaves out data that belongs to private messages and channels", async () => {
    const w = await place();
    const own = { direct_members: ids(w, ["mel", "gus"]), direct_subgroups: [] };
    await w.as("ada").patch(`/streams/${w.team}`, { can_send_message_group: { new: own } });
    const [open, closed] = [
      await post(w, "mel", "team", "/poll Tea?"),
      await post(w, "mel", "secret", "/poll Rum?"),
    ];
    for (const id of [open, closed]) {
      await w.as("max").post(`/messages/${id}/reactions`, { emoji_name: "tada" });
      const vote = JSON.stringify({ type: "new_option", idx: 1, option: "yes" });
      await w.as("mel").post("/submessage", { message_id: id, msg_type: "widget", content: vote });
      await w.as("mel").patch(`/messages/${id}`, { topic: "moved" });
    }
    const { document } = await exported(w, publicType);
    for (const section of ["reactions", "submessages", "message_edits"]) {
      const about = new Set(document[section].map(({ message_id }: Json) => message_id));
      expect([section, [...about]]).toEqual([section, [open]]);
    }
    const permissions = document.permissions.filter(({ scope }: Json) => scope === "channel");
    expect(new Set(permissions.map(({ owner_id }: Json) => owner_id))).not.toContain(w.hidden);
    const groups = new Set(document.groups.map(({ id }: Json) => id));
    expect(document.group_members.filter(({ group_id }: Json) => !groups.has(group_id))).toEqual([]);
    const anonymous = document.groups.filter(({ kind }: Json) => kind === "anonymous");
    const sending = permissions.find(
      (row: Json) => row.owner_id === w.team && row.name === "can_send_message_group",
    );
    expect(anonymous.map(({ id }: Json) => id)).toContain(sending.group_id);
    const members = document.group_members.filter(({ group_id }: Json) => group_id === sending.group_id);
    expect(members.map(({ user_id }: Json) => user_id)).toEqual(own.direct_members);
    expect(anonymous.every(({ id }: Json) => permissions.some(({ group_id }: Json) => group_id === id))).toBe(
      true,
    );
  });

  test.each([
    ["all", ["before", null]],
    ["moves", [undefined]],
    ["none", undefined],
  ] as const)("contains as much edit history as the organization shows: %s", async (policy, past) => {
    const w = await place();
    const id = await post(w, "mel", "team", "before");
    await w.as("mel").patch(`/messages/${id}`, { content: "after" });
    await w.as("mel").patch(`/messages/${id}`, { topic: "elsewhere" });
    await w.as("olive").patch("/realm", { message_edit_history_visibility_policy: policy });
    const { text, document } = await exported(w, publicType);
    expect(document.message_edits?.map(({ prev_content }: Json) => prev_content)).toEqual(past);
    expect(text.includes('"before"')).toBe(policy === "all");
  });
});

describe("a standard export", () => {
  test("contains conversations of people who consent, and none that only others take part in", async () => {
    const w = await place();
    for (const who of ["olive", "mel"] as const) await consent(w, who);
    const { text, document } = await exported(w, standard);

    expect(contents(document)).toEqual(expect.arrayContaining(["for all", "for few", "between us"]));
    expect(document.channels).toContainEqual(expect.objectContaining({ id: w.secret, name: "secret" }));
    expect(document.subscriptions).toContainEqual({ channel_id: w.secret, user_id: w.user("max").id });
    const mel = { user_id: w.user("mel").id };
    expect(document.drafts).toMatchObject([{ ...mel, content: "draft of mel", recipients: [w.team] }]);
    expect(document.alert_words).toEqual([{ ...mel, word: "word of mel" }]);
    expect(document.user_settings).toContainEqual({ ...mel, name: "twenty_four_hour_time", value: true });
    expect(document.subscription_settings).toContainEqual(
      expect.objectContaining({ ...mel, channel_id: w.secret, pin_to_top: false }),
    );
    expect(text).not.toMatch(/for two|between others|of max|hidden/);
    expect(JSON.stringify(document.user_settings)).not.toContain(`"user_id":${w.user("max").id}`);
  });

  test("contains nothing of people who withdraw consent or are deactivated", async () => {
    const w = await place();
    for (const who of ["olive", "mel", "gus"] as const) await consent(w, who);
    await consent(w, "mel", false);
    await deactivateUser(w.ctx("olive"), w.user("gus").id);
    const { text } = await exported(w, standard);
    expect(text).not.toMatch(/for few|for two|between|draft of|word of/);
  });

  test("contains those messages of protected history that reached somebody who consents", async () => {
    const w = await place();
    const kept = await channel(w, "kept", ["max"], {
      invite_only: true,
      history_public_to_subscribers: false,
    });
    await post(w, "max", "kept", "before mel");
    const subscriptions = [{ name: "kept" }];
    await w.as("max").post("/users/me/subscriptions", { subscriptions, principals: ids(w, ["mel"]) });
    await post(w, "max", "kept", "with mel");
    const late = await post(w, "max", "hidden", "moved to mel");
    await w.as("max").patch(`/messages/${late}`, {
      stream_id: kept,
      topic: "moved",
      send_notification_to_new_thread: false,
    });
    for (const who of ["olive", "mel"] as const) await consent(w, who);
    const ofKept = async () =>
      (await exported(w, standard)).document.messages.flatMap((message: Json) =>
        message.channel_id === kept ? message.content : [],
      );
    expect(await ofKept()).toEqual(["with mel", "moved to mel"]);

    await w.as("mel").delete("/users/me/subscriptions", { subscriptions: ["kept"] });
    expect(await ofKept()).toEqual([]);
    const channels = (await exported(w, standard)).document.channels.map(({ id }: Json) => id);
    expect(channels).toContain(w.secret);
    expect(channels).not.toContain(kept);
  });

  test("contains the storage of consenting people's bots", async () => {
    const w = await place();
    await w.as("bolt").put("/bot_storage", { storage: { key: "kept by bolt" } });
    await consent(w, "olive");
    expect((await exported(w, standard)).document.bot_storage).toEqual([]);
    await consent(w, "mel");
    const { document } = await exported(w, standard);
    expect(document.bot_storage).toEqual([{ bot_id: w.user("bolt").id, key: "key", value: "kept by bolt" }]);
  });
});

describe("get-realm-exports", () => {
  test.each(outsiders)("refuses %s", async (who) => {
    expect(await world().as(who).get("/export/realm")).toMatchObject(notAdmin);
  });

  test("lists the oldest first", async () => {
    const w = world();
    const asked = [(await ask(w)).body.id, (await ask(w, publicType, "olive")).body.id];
    expect((await listed(w)).map(({ id, acting_user_id }) => [id, acting_user_id])).toEqual([
      [asked[0], w.user("ada").id],
      [asked[1], w.user("olive").id],
    ]);
  });
});

describe("get-export-file", () => {
  test("gives administrators the file to save", async () => {
    const w = world();
    const one = await made(w);
    const answer = await w.as("olive").request(pathIn(one));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-disposition")).toStartWith(
      `attachment; filename="export-${one.id}.json"`,
    );
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await answer.json()).toMatchObject({ format: 1, exported_at: w.clock.now() });
  });

  test("refuses everybody else, and unknown files", async () => {
    const w = world();
    const path = pathIn(await made(w));
    for (const who of outsiders) {
      const answer = await w.as(who).request(path);
      expect([who, answer.status, ((await answer.json()) as Json).msg]).toEqual([
        who,
        400,
        notAdmin.body.msg,
      ]);
    }
    expect((await w.anonymous.request(path)).status).toBe(401);
    expect((await w.as("ada").request(`/exports/${newName()}`)).status).toBe(404);
  });
});

describe("get-realm-export-consents", () => {
  test("lists whether each active person consents", async () => {
    const w = world();
    await consent(w, "mel");
    const { body } = await w.as("ada").get("/export/realm/consents");
    const consents = new Map(body.export_consents.map((one: Json) => [one.user_id, one.consented]));
    expect([...consents.keys()]).toEqual(ids(w, ["olive", "ada", "moss", "mel", "max", "gus"]));
    expect([...consents].filter(([, consented]) => consented)).toEqual([[w.user("mel").id, true]]);
  });

  test("tells it of one person, who may be deactivated, and of no bot", async () => {
    const w = world();
    await consent(w, "mel");
    await w.as("olive").delete(`/users/${w.user("mel").id}`);
    const ask = (user_id: number) => w.as("ada").get("/export/realm/consents", { user_id });
    expect((await ask(w.user("mel").id)).body.export_consents).toMatchObject([
      { user_id: w.user("mel").id, consented: true },
    ]);
    expect((await ask(w.user("max").id)).body.export_consents).toMatchObject([{ consented: false }]);
    expect((await ask(w.user("bolt").id)).body.msg).toBe("Only the data of people can be exported.");
    expect((await ask(999_999)).body.msg).toBe("No such user");
  });

  test.each(outsiders)("refuses %s", async (who) => {
    expect(await world().as(who).get("/export/realm/consents")).toMatchObject(notAdmin);
    expect(await world().as(who).get("/export/realm/consents", { user_id: 1 })).toMatchObject(notAdmin);
  });
});

describe("delete-export-realm-export-id", () => {
  const remove = (w: World, id: number, who: CastName = "ada") => w.as(who).delete(`/export/realm/${id}`);

  test("deletes the file, keeps the entry and emits it to administrators", async () => {
    const w = world();
    const one = await made(w);
    const path = pathOf(w.app.env, "exports", pathIn(one).split("/")[2] as string);
    expect(existsSync(path)).toBe(true);
    w.clock.advance(60);
    const { status, events } = await remove(w, one.id, "olive");
    const left = { ...one, export_url: null, deleted_timestamp: w.clock.now() };
    expect(status).toBe(200);
    expect(events).toEqual([
      { audience: ["olive", "ada"], event: { type: "realm_export", exports: [left] } },
    ]);
    expect(await listed(w)).toEqual([left]);
    expect(existsSync(path)).toBe(false);
    expect((await w.as("ada").request(pathIn(one))).status).toBe(404);
    expect(listAudit(w.ctx("ada"), { limit: 1 })).toMatchObject([
      { actor_id: w.user("olive").id, event: "export_deleted", about: { kind: "export", id: one.id } },
    ]);
  });

  test("refuses unknown, pending, failed and deleted exports", async () => {
    const w = world();
    const { id } = (await ask(w)).body;
    const refused = (msg: string) => ({ status: 400, body: { code: "BAD_REQUEST", msg }, events: [] });
    expect(await remove(w, 77)).toMatchObject(refused("There is no such export."));
    expect(await remove(w, id)).toMatchObject(refused("This export is still being written."));
    await runJob(w, "write-exports");
    await remove(w, id);
    expect(await remove(w, id)).toMatchObject(refused("This export has already been deleted."));
    const failed = (await ask(w)).body.id;
    w.app.env.db.sqlite.run("UPDATE exports SET tries = 3 WHERE id = ?", [failed]);
    await runJob(w, "write-exports");
    expect(await remove(w, failed)).toMatchObject(refused("This export failed: there is nothing to delete."));
  });

  test.each(outsiders)("refuses %s", async (who) => {
    const w = world();
    const { id, export_url } = await made(w);
    expect(await remove(w, id, who)).toMatchObject(notAdmin);
    expect(await listed(w)).toMatchObject([{ id, export_url }]);
  });
});

describe("writing exports", () => {
  const folder = temporaryFolders();

  /** An organization in a folder, with this many additional messages. */
  async function founded(dataDir: string, messages = 0): Promise<App> {
    const app = open(dataDir, { hosting: true });
    const { user } = await createRealm(app.system, {
      name: "Crew",
      owner_email: "olive@example.com",
      owner_name: "Olive",
      avatar_salt: "salt",
    });
    await createChannel(app.ctx({ kind: "user", id: user.user_id, client: "test" }), {
      name: "team",
      subscribers: [],
    });
    const { sqlite } = app.env.db;
    sqlite.run("INSERT OR IGNORE INTO clients (name) VALUES ('test')");
    sqlite.run(
      "INSERT INTO messages (conversation_id, home_id, seq, sender_id, client_id, sent_at, bits, topic, topic_key, content, rendered) " +
        "SELECT conversations.id, conversations.id, 100 + value, ?1, clients.id, 0, 0, '', '', 'text', 'text' " +
        "FROM json_each(?2), conversations JOIN channels ON channels.id = channel_id, clients " +
        "WHERE channels.name = 'team' AND clients.name = 'test'",
      [user.user_id, JSON.stringify(Array.from({ length: messages }, (_, n) => n + 1))],
    );
    return app;
  }
  const owner = (app: App) => app.ctx({ kind: "user", id: ownerId(app), client: "test" });
  const ownerId = (app: App) =>
    (app.env.db.get<{ id: number }>("SELECT id FROM users WHERE role = 100") as { id: number }).id;
  const filesIn = ({ env }: App, shelf: Shelf | "incoming") => {
    const root = shelfOf(env, shelf);
    const entries = existsSync(root) ? readdirSync(root, { recursive: true, withFileTypes: true }) : [];
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  };
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
  /** Resolves while the export is being written. */
  async function untilWritten(app: App): Promise<void> {
    const written = () => filesIn(app, "incoming").reduce((sum, path) => sum + statSync(path).size, 0);
    while (written() === 0) await nextTurn();
  }
  const states = (app: App) =>
    listExports(owner(app)).map((one) => [
      one.pending,
      one.export_url !== null,
      one.failed_timestamp !== null,
    ]);
  const pending = [true, false, false];
  const complete = [false, true, false];
  const failed = [false, false, true];

  test("continue after the folder is opened again, up to a number of tries", async () => {
    const dataDir = folder();
    const first = await founded(dataDir);
    await requestExport(owner(first), publicType);
    await first.close();

    const second = open(dataDir, { hosting: true });
    expect(states(second)).toEqual([pending]);
    await writeExports(second.system);
    expect(states(second)).toEqual([complete]);

    await requestExport(owner(second), publicType);
    second.env.db.sqlite.run("UPDATE exports SET tries = 3 WHERE file IS NULL");
    await writeExports(second.system);
    expect(states(second)).toEqual([complete, failed]);
    await second.close();
  });

  test("do not block other requests", async () => {
    const app = await founded(folder(), 20_000);
    await requestExport(owner(app), publicType);
    const writing = writeExports(app.system);
    await untilWritten(app);
    for (let turns = 0; turns < 5; turns++) await nextTurn();
    expect(states(app)).toEqual([pending]);
    await writing;
    expect(states(app)).toEqual([complete]);
    await app.close();
  });

  test.each([
    ["before it has begun", () => Promise.resolve()],
    ["in its midst", untilWritten],
  ])("release the database when it is closed %s, and start over", async (_, until) => {
    const dataDir = folder();
    const first = await founded(dataDir, 20_000);
    await requestExport(owner(first), publicType);
    const writing = writeExports(first.system);
    await until(first);
    await first.close();
    expect(statSync(join(dataDir, "confab.db-wal"), { throwIfNoEntry: false })?.size ?? 0).toBe(0);
    await writing;
    expect(filesIn(first, "incoming")).toEqual([]);

    const second = open(dataDir, { hosting: true });
    expect(states(second)).toEqual([pending]);
    await writeExports(second.system);
    expect(states(second)).toEqual([complete]);
    expect(filesIn(second, "exports")).toHaveLength(1);
    await second.close();
  });

  test("are a consistent snapshot, whatever is written meanwhile", async () => {
    const app = await founded(folder(), 20_000);
    const { db } = app.env;
    await requestExport(owner(app), publicType);
    const writing = writeExports(app.system);
    await untilWritten(app);
    db.sqlite.run("DELETE FROM messages WHERE content = 'text'");
    db.sqlite.run("UPDATE channels SET description = 'later'");
    expect(states(app)).toEqual([pending]);
    await writing;
    const { file } = db.get<{ file: string }>("SELECT file FROM exports") as { file: string };
    const document = JSON.parse(readFileSync(pathOf(app.env, "exports", file), "utf8"));
    expect(contents(document).filter((content) => content === "text")).toHaveLength(20_000);
    expect(document.channels.map(({ description }: Json) => description)).not.toContain("later");
    await app.close();
  });

  test("fail if the file cannot be stored, and say why", async () => {
    const dataDir = folder();
    const app = await founded(dataDir);
    await requestExport(owner(app), publicType);
    makeFolderOf(join(dataDir, "files", "exports"));
    writeFileSync(join(dataDir, "files", "exports"), "in the way");
    await expect(writeExports(app.system)).rejects.toThrow();
    expect(states(app)).toEqual([failed]);
    await writeExports(app.system);
    expect(states(app)).toEqual([failed]);
    await app.close();
  });

  test("are not swept, unlike files without a row", async () => {
    const w = world();
    const one = await made(w);
    const kept = pathOf(w.app.env, "exports", pathIn(one).split("/")[2] as string);
    const stray = pathOf(w.app.env, "exports", newName());
    makeFolderOf(stray);
    writeFileSync(stray, "{}");
    expect(statSync(kept).mode & 0o077).toBe(0);
    for (const path of [kept, stray]) utimesSync(path, w.clock.now(), w.clock.now());
    w.clock.advance(8 * 86_400);
    await sweepFiles(w.ctx("system"));
    expect([existsSync(kept), existsSync(stray)]).toEqual([true, false]);
  });
});

describe("export-user", () => {
  const ask = (w: World, who: CastName, target: CastName = "mel") =>
    w.as(who).post(`/users/${w.user(target).id}/export`);

  test("returns the data of a person who has agreed, and keeps no copy", async () => {
    const w = await place();
    await consent(w, "mel");
    const { status, body } = await ask(w, "olive");
    expect(status).toBe(200);
    expect(body.user).toMatchObject([{ user_id: w.user("mel").id, full_name: "Mel" }]);
    expect(contents(body)).toEqual(["for all", "for few", "between us"]);
    expect(body.drafts).toMatchObject([{ content: "draft of mel" }]);
    expect(body.alert_words).toEqual([{ word: "word of mel" }]);
    expect(await listed(w)).toEqual([]);
    const [entry] = listAudit(w.ctx("olive"), { limit: 1 });
    expect(entry).toMatchObject({ event: "export_written", actor_id: w.user("olive").id });
  });

  test("is for owners, and for people who have agreed", async () => {
    const w = await place();
    expect((await ask(w, "olive")).body.msg).toBe(
      "This person has not agreed to the export of their private data.",
    );
    await consent(w, "mel");
    for (const who of ["ada", "moss", "mel"] as const)
      expect(await ask(w, who)).toMatchObject({
        status: 400,
        body: { msg: "Must be an organization owner" },
      });
    expect((await ask(w, "olive", "bolt")).body.msg).toBe("Only the data of people can be exported.");
  });

  test("is written for one person at a time", async () => {
    const w = await place();
    await consent(w, "mel");
    const answers = await Promise.all([ask(w, "olive"), ask(w, "olive")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await ask(w, "olive")).status).toBe(200);
  });
});
