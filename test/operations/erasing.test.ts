// Erasing people, and deleting all that somebody sent.
import { describe, expect, test } from "bun:test";
import { serverOptions } from "@/foundation/realm/schema.ts";
import { runJob } from "../support/jobs.ts";
import { type CastName, type World, world } from "../support/world.ts";

const secret = { name: "Melchior Zanzibar", address: "mel@example.com" };

/** Everything that a person can have: Mel, who is called Melchior Zanzibar. */
async function life(w: World) {
  const [mel, max, olive] = (["mel", "max", "olive"] as const).map((name) => w.user(name).id);
  const as = w.as("mel");
  await w.as("olive").patch(`/users/${mel}`, { full_name: secret.name });
  const subscribers = [mel, max, olive];
  await w.as("olive").post("/channels/create", { name: "party", subscribers });
  await w.as("olive").post("/channels/create", { name: "secret", subscribers, invite_only: true });
  const { uri: shared } = (await as.upload("/user_uploads", new File(["a".repeat(50)], "shared.txt"))).body;
  const { uri: lonely } = (await as.upload("/user_uploads", new File(["b".repeat(30)], "lonely.txt"))).body;
  const send = async (who: CastName, to: string | number, content: string) =>
    (
      await w
        .as(who)
        .post(
          "/messages",
          typeof to === "string"
            ? { type: "channel", to, topic: "cake", content }
            : { type: "direct", to: [to], content },
        )
    ).body.id as number;
  const sent = {
    first: await send("mel", "party", `zebra [file](${shared})`),
    hidden: await send("mel", "secret", "zebra hidden"),
    direct: await send("mel", max as number, "zebra direct"),
    bot: await send("bolt", "party", "zebra bot"),
  };
  const others = {
    mention: await send("max", "party", `Hello @**${secret.name}** and @_**${secret.name}|${mel}**`),
    answer: await send("max", mel as number, "giraffe for you"),
    plain: await send("max", "party", "giraffe"),
  };
  await as.patch(`/messages/${sent.first}`, { content: `zebra edited [file](${shared})` });
  await w.as("max").patch(`/messages/${others.mention}`, { content: `Bye @**${secret.name}**` });
  await as.post(`/messages/${others.plain}/reactions`, { emoji_name: "tada" });
  await as.post("/drafts", {
    drafts: [{ type: "stream", to: [1], topic: "a", content: `draft ${lonely}`, timestamp: 1 }],
  });
  const later = { scheduled_delivery_timestamp: w.clock.now() + 9_000 };
  await as.post("/scheduled_messages", { type: "direct", to: [max], content: "later", ...later });
  await as.post("/reminders", { message_id: others.plain, ...later });
  await as.post("/saved_snippets", { title: "mine", content: "my own snippet" });
  await as.post("/users/me/status", { status_text: "away with the fairies" });
  await as.post("/users/me/alert_words", { alert_words: ["zanzi"] });
  await as.post(`/users/me/muted_users/${max}`);
  await as.patch("/settings", { color_scheme: 2 });
  await as.post("/messages/flags", { messages: [others.plain], op: "add", flag: "starred" });
  await as.post("/user_topics", {
    stream_id: await channelId(w, "party"),
    topic: "cake",
    visibility_policy: 3,
  });
  const { id: field } = (await w.as("olive").post("/realm/profile_fields", { field_type: 1, name: "Town" }))
    .body;
  await as.patch("/users/me/profile_data", { data: [{ id: field, value: "Zanzibar City" }] });
  await w.as("olive").post("/user_groups/create", { name: "team", description: "", members: [mel, max] });
  return { mel: mel as number, max: max as number, sent, others, shared: shared as string };
}

async function channelId(w: World, name: string): Promise<number> {
  return (await w.as("olive").get("/get_stream_id", { stream: name })).body.stream_id;
}

const erase = (w: World, id: number, messages: "keep" | "delete", who: CastName = "olive") =>
  w.as(who).post(`/users/${id}/erase`, { messages });

/** All text in the database. */
function textOf(w: World): string {
  const { db } = w.app.env;
  const tables = db.all<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE 'message_index%'",
  );
  return tables.map(({ name }) => JSON.stringify([name, db.all(`SELECT * FROM "${name}"`)])).join("\n");
}

/** The tables that name a user, other than where IDs stay. */
function tablesNaming(w: World, id: number): string[] {
  const { db } = w.app.env;
  const columns = db.all<{ name: string; column: string }>(
    'SELECT m.name, f."from" AS column FROM sqlite_master AS m JOIN pragma_foreign_key_list(m.name) AS f ' +
      "WHERE m.type = 'table' AND f.\"table\" = 'users' ORDER BY 1, 2",
  );
  return columns
    .filter(({ name, column }) => db.get(`SELECT 1 FROM "${name}" WHERE "${column}" = ?`, id) !== null)
    .map(({ name, column }) => `${name}.${column}`);
}

describe("erase-user", () => {
  test("takes name and address from everywhere, and keeps messages of a deleted user", async () => {
    const w = world();
    const { mel, sent, others, shared } = await life(w);
    const { status, body, events } = await erase(w, mel, "keep");
    expect([status, body.complete]).toEqual([200, true]);
    const { user } = (await w.as("olive").get(`/users/${mel}`, { include_custom_profile_fields: true })).body;
    expect(user).toMatchObject({ full_name: "Deleted user", is_active: false, profile_data: {} });
    expect(user.email).toBe(user.delivery_email);
    const { message } = (await w.as("olive").get(`/messages/${sent.first}`)).body;
    expect(message).toMatchObject({ sender_full_name: "Deleted user", sender_id: mel });
    const mention = (await w.as("olive").get(`/messages/${others.mention}`)).body.message.content;
    expect(mention).toBe(`<p>Bye <span class="user-mention" data-user-id="${mel}">@Deleted user</span></p>`);
    expect((await w.as("max").request(shared)).status).toBe(200);
    const told = events.map(({ event }) => `${event.type} ${event.op ?? ""}`);
    for (const one of ["realm_user update", "user_status ", "update_message "]) expect(told).toContain(one);
    await runJob(w, "index messages");
    const text = textOf(w);
    for (const trace of ["Zanzibar", secret.address, "fairies", "zanzi", "later", "my own snippet", "draft "])
      expect([trace, text.includes(trace)]).toEqual([trace, false]);
  });

  test("deletes what a person sent, and what others sent them stays", async () => {
    const w = world();
    const { mel, sent, others, shared } = await life(w);
    const { body, events } = await erase(w, mel, "delete");
    expect(body.complete).toBe(true);
    for (const id of Object.values(sent)) expect((await w.as("max").get(`/messages/${id}`)).status).toBe(400);
    const answer = await w.as("max").get(`/messages/${others.answer}`, { apply_markdown: false });
    expect(answer.body.message.content).toBe("giraffe for you");
    expect((await w.as("max").request(shared)).status).toBe(404);
    const gone = events.filter(({ event }) => event.type === "delete_message");
    expect(gone.flatMap(({ event }) => event.message_ids).sort()).toEqual(Object.values(sent).sort());
    await runJob(w, "index messages");
    const found = async (word: string) =>
      (
        await w.as("max").get("/messages", {
          anchor: "newest",
          num_before: 10,
          num_after: 0,
          narrow: [{ operator: "search", operand: word }],
        })
      ).body.messages.length;
    expect([await found("zebra"), await found("giraffe")]).toEqual([0, 2]);
    expect(textOf(w)).not.toContain("zebra");
  });

  test("leaves the ID only where it must stay", async () => {
    const w = world();
    const { mel } = await life(w);
    await erase(w, mel, "keep");
    expect(tablesNaming(w, mel)).toEqual([
      "attachments.owner_id",
      "audit_log.actor_id",
      "audit_log.person_id",
      "direct_participants.user_id",
      "message_edits.user_id",
      "messages.sender_id",
      "reactions.user_id",
      "users.bot_owner_id",
    ]);
  });
});

describe("reports of messages", () => {
  /** Max reports what mel wrote, and mel what max wrote of her; a moderator warns both. */
  async function reported(w: World) {
    const known = await life(w);
    const { body } = await w.as("olive").post("/channels/create", {
      ...{ name: "mods", subscribers: [w.user("olive").id], invite_only: true },
    });
    await w.as("olive").patch("/realm", { moderation_request_channel_id: body.id });
    const words = `ask @_**${secret.name}|${known.mel}** or ${secret.address}`;
    const asked = { report_type: "other", description: words };
    await w.as("max").post(`/messages/${known.sent.direct}/report`, asked);
    await w.as("mel").post(`/messages/${known.others.mention}/report`, asked);
    for (const id of [1, 2])
      await w.as("olive").patch(`/reports/${id}`, { is_handled: true, warning: words, note: words });
    return known;
  }
  const shown = async (w: World, id: number) => (await w.as("olive").get(`/reports/${id}`)).body.report;

  test("name an erased person no more, and keep what they wrote if their messages stay", async () => {
    const w = world();
    const { mel } = await reported(w);
    await erase(w, mel, "keep");
    expect(await shown(w, 1)).toMatchObject({
      content: "zebra direct",
      description: `ask @_**Deleted user|${mel}** or Deleted user`,
      decisions: [{ note: `ask @_**Deleted user|${mel}** or Deleted user` }],
    });
    expect((await shown(w, 2)).content).toBe(`Bye @**Deleted user|${mel}**`);
    await runJob(w, "index messages");
    expect(textOf(w)).not.toContain(secret.address);
  });

  test("keep nothing of messages that are deleted with their sender", async () => {
    const w = world();
    const { mel } = await reported(w);
    await erase(w, mel, "delete");
    expect(await shown(w, 1)).toMatchObject({ content: "", is_deleted: true });
    expect((await shown(w, 2)).content).toContain("Bye");
  });
});

describe("preview-erasure", () => {
  test("counts what goes", async () => {
    const w = world();
    const { mel } = await life(w);
    const { body } = await w.as("olive").get(`/users/${mel}/erasure`);
    expect(body).toMatchObject({
      messages: { public_channels: 2, private_channels: 1, direct: 1 },
      reactions: 1,
      files: 1,
      file_bytes: 50,
      unlinked_files: 1,
      belongings: {
        drafts: 1,
        scheduled_messages: 1,
        reminders: 1,
        saved_snippets: 1,
        groups: 1,
        profile_values: 1,
      },
      has_status: true,
      has_picture: false,
      exports: 0,
    });
  });
});

describe("erase-user", () => {
  test("mails nobody", async () => {
    const w = world();
    const { mel } = await life(w);
    await w.app.env.db.write(w.app.system, (tx) => {
      serverOptions.write(tx, "sends_mail", true);
      tx.run("DELETE FROM mails");
    });
    await erase(w, mel, "delete");
    expect(w.app.env.db.all("SELECT * FROM mails")).toEqual([]);
  });

  test("is final", async () => {
    const w = world();
    const { mel } = await life(w);
    await erase(w, mel, "keep");
    const msg = "This person was erased. Nobody can change or reopen the account.";
    for (const change of [
      () => w.as("olive").post(`/users/${mel}/reactivate`),
      () => w.as("olive").patch(`/users/${mel}`, { full_name: "Mel Again" }),
      () => w.as("olive").delete(`/users/${mel}`),
    ])
      expect(await change()).toMatchObject({ status: 400, body: { msg }, events: [] });
    expect(await erase(w, mel, "keep")).toMatchObject({ status: 200, body: { complete: true }, events: [] });
    expect((await w.as("mel").get("/users/me")).status).toBe(401);
    const again = await w.as("olive").post("/users", {
      email: secret.address,
      full_name: "Mel",
      password: "correct horse battery",
    });
    expect(again.status).toBe(200);
  });

  test.each([
    ["an administrator", "ada", "mel", "Must be an organization owner"],
    ["a moderator", "moss", "mel", "Must be an organization owner"],
    ["a member", "max", "mel", "Must be an organization owner"],
    ["oneself", "olive", "olive", "You cannot erase yourself. Another owner of the organization can."],
    ["a bot", "olive", "bolt", "Only people can be erased. Deactivate the bot instead."],
  ] as const)("refuses %s", async (_, who, target, msg) => {
    const w = world();
    const id = w.user(target).id;
    for (const answer of [await erase(w, id, "delete", who), await w.as(who).get(`/users/${id}/erasure`)])
      expect(answer).toMatchObject({ status: 400, body: { msg }, events: [] });
  });
});

describe("count-sent", () => {
  test("counts what would go", async () => {
    const w = world();
    const { mel } = await life(w);
    const counted = await w.as("ada").get(`/users/${mel}/sent`);
    expect(counted.body).toMatchObject({
      messages: { public_channels: 2, private_channels: 1, direct: 1 },
      reactions: 1,
      files: 1,
    });
  });

  test("is for administrators", async () => {
    const w = world();
    const answer = await w.as("moss").get(`/users/${w.user("mel").id}/sent`);
    expect(answer).toMatchObject({ status: 400, body: { msg: "Must be an organization administrator" } });
  });
});

describe("delete-messages-of-user", () => {
  test("deletes messages and reactions, and keeps the account", async () => {
    const w = world();
    const { mel, sent, others, shared } = await life(w);
    const { body } = await w.as("ada").post(`/users/${mel}/delete_messages`);
    expect(body.complete).toBe(true);
    for (const id of Object.values(sent)) expect((await w.as("max").get(`/messages/${id}`)).status).toBe(400);
    const plain = (await w.as("max").get(`/messages/${others.plain}`)).body.message;
    expect(plain.reactions).toEqual([]);
    expect((await w.as("mel").request(shared)).status).toBe(404);
    expect((await w.as("mel").get("/drafts")).body.drafts).toHaveLength(1);
    const { entries } = (await w.as("ada").get("/audit_log", { event: "messages_of_user_deleted" })).body;
    expect(entries.map(({ data }: { data: object }) => data)).toEqual([
      { messages: 3, reactions: 1, files: 1 },
      { messages: 1, reactions: 0, files: 0 },
    ]);
  });

  test("says in the audit log whether it was a person or a bot", async () => {
    const w = world();
    const { mel } = await life(w);
    await w.as("ada").post(`/users/${mel}/delete_messages`);
    const { entries } = (await w.as("ada").get("/audit_log", { event: "messages_of_user_deleted" })).body;
    expect(entries.map(({ about }: { about: object }) => about)).toMatchObject([
      { kind: "user", id: mel },
      { kind: "bot", id: w.user("bolt").id },
    ]);
  });

  test("is for administrators, and owners' for owners", async () => {
    const w = world();
    const ask = (who: CastName, target: CastName) =>
      w.as(who).post(`/users/${w.user(target).id}/delete_messages`);
    expect(await ask("moss", "mel")).toMatchObject({
      status: 400,
      body: { msg: "Must be an organization administrator" },
    });
    expect(await ask("ada", "olive")).toMatchObject({
      status: 400,
      body: { msg: "Must be an organization owner" },
    });
  });
});

describe("get-deletion", () => {
  const look = async (w: World, who: CastName, id: number) =>
    (await w.as(who).get(`/users/${id}/deletion`)).body;

  test("says how far the server is with a user and their bots, and whether a person was erased", async () => {
    const w = world();
    const { mel } = await life(w);
    expect(await look(w, "ada", mel)).toMatchObject({ is_erased: false, under_way: [] });
    const work = "user_id, actor_id, client, messages, reactions, stage, last_id, deleted_messages, fault";
    await w.app.env.db.write(w.app.system, (tx) => {
      for (const [id, fault] of [
        [mel, null],
        [w.user("bolt").id, "The disk is full."],
        [w.user("max").id, null],
      ] as const)
        tx.run(
          `INSERT INTO account_work (${work}) VALUES (?, ?, 'test', 7, 1, 'messages', 9, 4, ?)`,
          id ?? 0,
          w.user("ada").id ?? 0,
          fault,
        );
    });
    const part = { stage: "messages", messages: 4, reactions: 0, files: 0 };
    expect((await look(w, "ada", mel)).under_way).toEqual([
      { user_id: mel, ...part, is_stuck: false },
      { user_id: w.user("bolt").id, ...part, is_stuck: true },
    ]);
    await w.app.env.db.write(w.app.system, (tx) => tx.run("DELETE FROM account_work"));
    await erase(w, mel, "keep");
    expect(await look(w, "ada", mel)).toMatchObject({ is_erased: true, under_way: [] });
  });

  test("is for administrators, and owners' for owners", async () => {
    const w = world();
    expect((await look(w, "moss", w.user("mel").id as number)).msg).toBe(
      "Must be an organization administrator",
    );
    expect((await look(w, "ada", w.user("olive").id as number)).msg).toBe("Must be an organization owner");
  });
});

describe("the audit log", () => {
  const events = async (w: World) =>
    (await w.as("olive").get("/audit_log")).body.entries as { event: string; about: object; data: object }[];

  test("has an ID without a name of a person who was erased", async () => {
    const w = world();
    const { mel } = await life(w);
    await erase(w, mel, "delete");
    const entries = await events(w);
    const about = { kind: "user", id: mel, name: "Deleted user" };
    expect(entries.find(({ event }) => event === "user_erased")).toMatchObject({
      about,
      data: { messages: "delete" },
    });
    expect(JSON.stringify(entries)).not.toMatch(/Zanzibar|mel@example/);
  });

  const stored = (w: World) => JSON.stringify(w.app.env.db.all("SELECT * FROM audit_log"));

  test("has no earlier name, address or status of a person who was erased", async () => {
    const w = world();
    const { id } = w.user("mel");
    const change = (changes: Record<string, string>) => w.as("olive").patch(`/users/${id}`, changes);
    await change({ full_name: "Quentin Quokka" });
    await change({ new_email: "quentin@example.net" });
    await w.as("ada").post(`/users/${id}/status`, { status_text: "quaffing", emoji_name: "tada" });
    await change({ full_name: "Mel Again", new_email: "mel2@example.com" });
    expect(stored(w)).toMatch(/Quokka.*quentin.*quaffing/);
    await erase(w, id as number, "keep");
    expect(stored(w)).not.toMatch(/quokka|quentin|quaffing|tada|mel/i);
  });

  test("keeps the addresses of others that hold an erased person's address", async () => {
    const w = world();
    const others = ["carmel@example.com", "mel@example.com.au"];
    await w.as("olive").post("/invites", { invitee_emails: others.join(","), stream_ids: [] });
    await erase(w, w.user("mel").id as number, "keep");
    for (const one of others) expect(stored(w)).toContain(one);
  });

  test("has the profile that went with a deactivation", async () => {
    const w = world();
    const { mel } = await life(w);
    await w.as("ada").delete(`/users/${mel}`, { actions: { delete_profile: true } });
    expect((await events(w)).map(({ event }) => event)).toContain("user_profile_deleted");
  });
});

describe("deactivate-user with actions", () => {
  test.each([
    ["delete_public_channel_messages", ["first", "bot"]],
    ["delete_private_channel_messages", ["hidden"]],
    ["delete_direct_messages", ["direct"]],
  ] as const)("%s", async (name, going) => {
    const w = world();
    const { mel, sent } = await life(w);
    const { status } = await w.as("ada").delete(`/users/${mel}`, { actions: { [name]: true } });
    expect(status).toBe(200);
    const { db } = w.app.env;
    const left = Object.entries(sent).filter(([, id]) => db.get("SELECT 1 FROM messages WHERE id = ?", id));
    const stays = Object.keys(sent).filter((one) => !(going as readonly string[]).includes(one));
    expect(left.map(([one]) => one)).toEqual(stays);
  });

  test("delete_profile takes the name, and the account can be reopened", async () => {
    const w = world();
    const { mel } = await life(w);
    await w.as("ada").delete(`/users/${mel}`, { actions: { delete_profile: true } });
    const { user } = (await w.as("olive").get(`/users/${mel}`)).body;
    expect(user).toMatchObject({ full_name: "Deleted user", is_active: false });
    expect((await w.as("ada").post(`/users/${mel}/reactivate`)).status).toBe(200);
  });
});
