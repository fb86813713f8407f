// Every administrative command: what it prints, its --json shape, its errors and exit statuses.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { allCommands } from "@cli/loaders.ts";
import { Glob } from "bun";
import { z } from "zod";
import { apiModel } from "@/api-model.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { personalSettings } from "@/foundation/user-settings/schema.ts";
import { listEventTypes } from "@/kernel/core/events.ts";
import type { Setting } from "@/kernel/store/settings.ts";
import { senders } from "@/outside/incoming-webhooks/senders.ts";
import { commandLine } from "../support/command-line.ts";
import { openDatabaseOf } from "../support/database.ts";
import { cleanUp, confab, executable, newFolder } from "../support/executable.ts";

const onePixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

let data = "";
const { run, json, text, refused, asksFirst, used } = commandLine(() => data);

beforeAll(async () => {
  data = newFolder();
  await run(["init", "--org", "Crew", "--owner-email", "olive@example.com", "--owner-name", "Olive"]);
  for (const name of ["mel", "max"]) {
    await run(["user", "create", "--email", `${name}@example.com`, "--name", name.toUpperCase()]);
  }
  await run(["channel", "create", "general"]);
});
afterAll(() => cleanUp());

describe("invite", () => {
  test("link, send, list, revoke", async () => {
    // Standard error says that this server's links only open on this machine.
    const newLink = async (...terms: string[]) => (await run(["invite", "link", ...terms])).stdout.trim();
    const endless = await run(["invite", "link", "--role", "guest", "--expires", "never"]);
    expect(endless.stderr).toContain("until it is revoked");
    const link = endless.stdout.trim();
    expect(link).toMatch(/\/join\/\w{32}$/);
    expect(
      await json(["invite", "send", "ann@example.org", "Bob@example.org", "--expires", "7"]),
    ).toMatchObject([
      { email: "Bob@example.org", role: "member", link: expect.stringMatching(/\/join\/\w{32}$/) },
      { email: "ann@example.org", role: "member", expires: expect.any(String) },
    ]);
    expect(await json(["invite", "list"])).toMatchObject([
      { invite_id: 2, email: "Bob@example.org" },
      { invite_id: 1, email: "ann@example.org" },
      { invite_id: 1, email: null, role: "guest", link, expires: null },
    ]);
    expect(await text(["invite", "revoke", "bob@EXAMPLE.org", "--yes"])).toBe("Revoked 1 invitation.\n");
    expect(await json(["invite", "revoke", link, "--yes"])).toMatchObject([{ link }]);
    expect((await run(["invite", "list"])).stdout).toMatch(
      /^FOR +ROLE +EXPIRES \(UTC\) +LINK\nann@example\.org +member +\d{4}-\d\d-\d\d \d\d:\d\d {2}.*\n$/,
    );

    expect(await json(["invite", "resend", "ANN@example.org"])).toMatchObject([{ email: "ann@example.org" }]);
    expect(await refused(["invite", "resend", "nobody@example.org"], 1)).toContain("no open invitation");
    const another = await newLink();
    expect(await refused(["invite", "resend", another], 1)).toContain("links are not sent by email");
    await text(["invite", "revoke", another, "--yes"]);
    expect(await refused(["invite", "revoke", link, "--yes"], 1)).toContain("no open invitation");
    expect(await refused(["invite", "send", "olive@example.com"], 1)).toMatch(
      /None of these addresses .* olive@example\.com: Already has an account\./,
    );
    const ending = await run(["invite", "link", "--expires", "7"]);
    expect(ending.stderr).toMatch(/It works until \d{4}-\d\d-\d\d \d\d:\d\d UTC\./);
    await text(["invite", "revoke", ending.stdout.trim(), "--yes"]);
    const sent = await run(["invite", "send", "cat@example.org"]);
    expect(sent.stderr).toContain("This server sends no mail: pass each link on yourself");
    await text(["invite", "revoke", "cat@example.org", "--yes"]);
    expect(await refused(["invite", "link", "--expires", "soon"], 2)).toContain("days are a number");
  });
});

describe("channel", () => {
  test("create, show, update, permit, unsubscribe, archive, unarchive", async () => {
    await json(["folder", "create", "Projects"]);
    expect(await json(["channel", "create", "design", "--subscribe", "mel@example.com"])).toMatchObject({
      name: "design",
      subscriber_count: 1,
    });
    expect(await json(["channel", "subscribe", "design", "max@example.com"])).toMatchObject({
      subscriber_count: 2,
    });
    const changes = ["--name", "drawing", "--private", "true", "--retention", "30", "--folder", "projects"];
    expect(await json(["channel", "update", "design", ...changes])).toMatchObject({
      name: "drawing",
      invite_only: true,
    });
    await json(["channel", "permit", "drawing", "can_send_message_group", "role:moderators,max@example.com"]);
    const shown = await json(["channel", "show", "drawing"]);
    expect(shown).toMatchObject({
      name: "drawing",
      message_retention_days: 30,
      permissions: { can_send_message_group: "max@example.com,role:moderators" },
    });
    expect(await text(["channel", "show", "drawing"])).toMatch(/^Retention +30 days$/m);
    expect(await json(["channel", "unsubscribe", "drawing", "max@example.com"])).toMatchObject({
      subscriber_count: 1,
    });
    expect(await json(["channel", "archive", "drawing", "--yes"])).toMatchObject({
      changed: [{ is_archived: true }],
    });
    expect(await text(["channel", "list"])).toMatch(/^\d+ +drawing +archived/m);
    expect(await json(["channel", "unarchive", "drawing"])).toMatchObject({
      changed: [{ is_archived: false }],
    });
  });

  test("subscribers, topics, delete-topic", async () => {
    await json(["channel", "create", "attic", "--subscribe", "mel@example.com", "max@example.com"]);
    expect(await json(["channel", "subscribers", "Attic"])).toMatchObject([
      { email: "mel@example.com", role: "member", is_active: true },
      { email: "max@example.com" },
    ]);
    expect(await text(["channel", "subscribers", "attic"])).toMatch(
      /^\d+ +mel@example\.com +MEL +member +active$/m,
    );
    const send = (topic: string) => json(["message", "send", "--to", "attic", "--topic", topic, "Boxes"]);
    const [older, newer] = [await send("boxes"), await send("")] as { id: number }[];
    expect(await json(["channel", "topics", "attic"])).toEqual([
      { topic: "", newest_message_id: newer?.id },
      { topic: "boxes", newest_message_id: older?.id },
    ]);
    expect(await text(["channel", "topics", "attic"])).toMatch(/^general chat +\d+\nboxes +\d+$/m);
    expect(await refused(["channel", "delete-topic", "attic", "boxes"], 2)).toContain("Add --yes to confirm");
    expect(await json(["channel", "topics", "attic"])).toHaveLength(2);
    expect(await text(["channel", "delete-topic", "attic", "Boxes", "--yes"])).toBe(
      "Deleted #attic > Boxes.\n",
    );
    expect(await json(["channel", "topics", "attic"])).toMatchObject([{ topic: "" }]);
    expect(await refused(["channel", "delete-topic", "attic", "boxes", "--yes"], 1)).toContain(
      "There is no topic 'boxes' in attic",
    );
    expect(await refused(["channel", "topics", "nowhere"], 1)).toContain(
      "There is no channel named 'nowhere'.",
    );
  });

  test("refuses unknown names and invalid values", async () => {
    const { channel_id } = (await json(["channel", "show", "drawing"])) as { channel_id: number };
    expect(await json(["channel", "show", String(channel_id)])).toMatchObject({ name: "drawing" });
    expect(await refused(["channel", "show", "999"], 1)).toContain("There is no channel named '999'");
    expect(await refused(["channel", "update", "kitchen"], 2)).toContain("name a change");
    const more = ["--description", "What to draw", "--retention", "unlimited"];
    expect(await text(["channel", "update", "drawing", ...more, "--folder", ""])).toBe(
      "drawing has another description now.\ndrawing is in no folder now.\ndrawing keeps messages without end.\n",
    );
    for (const name of ["dra\u202ewing", "dra\u200bwing", "dra\u2028wing"])
      expect(await refused(["channel", "update", "drawing", "--name", name], 2)).toContain("printable");
    expect(await refused(["channel", "show", "nowhere"], 1)).toContain(
      "There is no channel named 'nowhere'.",
    );
    expect(await refused(["channel", "update", "drawing", "--folder", "Nowhere"], 1)).toContain(
      "no channel folder",
    );
    expect(await refused(["channel", "update", "drawing", "--private", "perhaps"], 2)).toContain(
      "must be one of",
    );
    expect(await refused(["channel", "update", "drawing", "--retention", "soon"], 1)).toContain(
      "--retention",
    );
    expect(await refused(["channel", "permit", "drawing", "can_fly", "role:owners"], 2)).toContain(
      "must be one of",
    );
    expect(
      await refused(["channel", "permit", "drawing", "can_send_message_group", "role:none"], 1),
    ).toContain("There is no user group named 'role:none'");
  });
});

describe("folder", () => {
  test("create, list, update, reorder, archive, unarchive", async () => {
    const made = await json(["folder", "create", "Teams", "--description", "Who works *together*"]);
    expect(made).toMatchObject({ name: "Teams", is_archived: false });
    expect(await json(["folder", "update", "teams", "--name", "Groups"])).toMatchObject({ name: "Groups" });
    expect(await text(["folder", "reorder", "Groups"])).toStartWith("Groups\n");
    expect(await json(["folder", "archive", "Groups", "--yes"])).toMatchObject({ is_archived: true });
    expect(await text(["folder", "list"])).toMatch(/^\d+ +Groups +archived +Who works \*together\*$/m);
    expect(await json(["folder", "unarchive", "Groups"])).toMatchObject({ is_archived: false });
    expect(await refused(["folder", "archive", "Nowhere", "--yes"], 1)).toContain(
      "no channel folder named 'Nowhere'",
    );
  });
});

describe("group", () => {
  test("create, add, permit, show, remove, update, deactivate, reactivate", async () => {
    expect(await json(["group", "create", "pens", "--members", "mel@example.com"])).toMatchObject({
      name: "pens",
    });
    await json(["group", "create", "tools"]);
    expect(await json(["group", "add", "pens", "max@example.com", "--subgroup", "tools"])).toMatchObject({
      members: [expect.any(Number), expect.any(Number)],
      direct_subgroup_ids: [expect.any(Number)],
    });
    await json(["group", "permit", "pens", "can_mention_group", "role:members"]);
    expect(await json(["group", "show", "pens"])).toMatchObject({
      all_members: ["mel@example.com", "max@example.com"],
      permissions: { can_mention_group: "role:members" },
    });
    expect(await text(["group", "show", "pens"])).toMatch(/^can_mention_group +members$/m);
    expect(await json(["group", "remove", "pens", "max@example.com"])).toMatchObject({
      members: [expect.any(Number)],
    });
    expect(await json(["group", "update", "pens", "--name", "brushes"])).toMatchObject({ name: "brushes" });
    expect(await json(["group", "deactivate", "brushes", "--yes"])).toMatchObject({ is_active: false });
    expect(await json(["group", "reactivate", "brushes"])).toMatchObject({ is_active: true });
    const list = await text(["group", "list"]);
    expect(list).toMatch(/^\d+ +role:owners +system +1 /m);
    // Members of subgroups are counted.
    expect(list).toMatch(/^\d+ +role:everyone +system +[2-9]\d* /m);
    expect(await text(["group", "add", "tools", "mel@example.com"])).toBe("tools has 1 member now.\n");
  });

  test("refuses an empty list, unknown users and system groups", async () => {
    expect(await refused(["group", "add", "brushes"], 2)).toContain("name people, or groups with --subgroup");
    expect(await refused(["group", "add", "brushes", "nobody@example.com"], 1)).toContain(
      "There is no user with the address 'nobody@example.com'.",
    );
    expect(await refused(["group", "update", "brushes"], 2)).toContain(
      "name a change: --name or --description",
    );
    expect(await refused(["group", "deactivate", "role:owners", "--yes"], 1)).toStartWith("confab: ");
    expect(await refused(["group", "show", "nothing"], 1)).toContain("no user group named 'nothing'");
  });
});

describe("realm", () => {
  test("settings, set, permissions, permit", async () => {
    expect(await json(["realm", "set", "name", "The Crew"])).toEqual({
      name: "name",
      value: "The Crew",
      words: "The Crew",
    });
    expect(await json(["realm", "set", "message_content_edit_limit_seconds", "null"])).toMatchObject({
      value: null,
    });
    expect(await text(["realm", "settings"])).toMatch(/^name +The Crew +/m);
    expect(await json(["realm", "permit", "can_create_groups", "mel@example.com"])).toEqual({
      name: "can_create_groups",
      who: "mel@example.com",
    });
    expect(await text(["realm", "permissions"])).toMatch(/^can_create_groups +mel@example\.com$/m);
    expect(await json(["realm", "settings"])).toContainEqual(
      expect.objectContaining({ name: "name", value: "The Crew" }),
    );
    const wrong: [name: string, value: string, problem: string][] = [
      ["message_content_edit_limit_seconds", "soon", "It takes: a time such as '2 hours', or 'no limit'."],
      ["inline_image_preview", "maybe", "It takes: yes, no."],
    ];
    for (const [name, value, problem] of wrong)
      expect(await refused(["realm", "set", name, value], 1)).toBe(
        `confab: ${name} cannot be '${value}'. ${problem}\n`,
      );
    expect(await refused(["realm", "set", "colour", "blue"], 1)).toContain("There is no setting 'colour'");
    expect(await refused(["realm", "set", "waiting_period_threshold", "-1"], 1)).toContain(
      "waiting_period_threshold",
    );
    expect(await refused(["realm", "permit", "can_fly", "role:owners"], 1)).toContain(
      "There is no permission",
    );
    const asMel = ["realm", "set", "name", "Mel's", "--as", "mel@example.com"];
    expect(await refused(asMel, 1)).toContain("Must be an organization administrator");
  });

  test("domains, allow-domain, disallow-domain", async () => {
    expect(await json(["realm", "allow-domain", "example.org", "--subdomains"])).toMatchObject({
      allow_subdomains: true,
    });
    expect(await text(["realm", "domains"])).toMatch(/^example\.org +too$/m);
    expect(await json(["realm", "disallow-domain", "example.org", "--yes"])).toEqual({
      domain: "example.org",
    });
    expect(await json(["realm", "domains"])).toEqual([]);
    expect(await refused(["realm", "disallow-domain", "example.org", "--yes"], 1)).toStartWith("confab: ");
  });

  test("deactivate asks first, and reactivate undoes it", async () => {
    expect(await refused(["realm", "deactivate"], 2)).toContain("Add --yes to confirm");
    expect(await json(["realm", "deactivate", "--yes"])).toEqual({ is_active: false });
    expect(await json(["realm", "reactivate"])).toEqual({ is_active: true });
    expect(await refused(["realm", "reactivate"], 1)).toContain("not deactivated");
  });
});

describe("default", () => {
  test("channels and settings of new people", async () => {
    expect(await json(["default", "add-channel", "general"])).toMatchObject([{ name: "general" }]);
    expect(await text(["default", "channels"])).toMatch(/^\d+ +general$/m);
    expect(await json(["default", "remove-channel", "general"])).toEqual([]);
    expect(await json(["default", "set", "twenty_four_hour_time", "true"])).toEqual({
      name: "twenty_four_hour_time",
      value: true,
      words: "yes",
    });
    expect(await text(["default", "settings"])).toMatch(/^twenty_four_hour_time +yes +/m);
    expect(await refused(["default", "set", "color_scheme", "9"], 1)).toContain("color_scheme");
    expect(await refused(["default", "set", "colour", "9"], 1)).toContain(
      "There is no setting 'colour'; 'confab default settings'",
    );
  });
});

describe("groups of channels for new people", () => {
  test("add, update, fill, empty, remove", async () => {
    for (const name of ["builds", "releases"]) await json(["channel", "create", name]);
    const made = await json(["default", "add-group", "Engineering", "--channels", "builds"]);
    expect(made).toMatchObject({ name: "Engineering", description: "", channels: ["builds"] });
    expect(await text(["default", "add-to-group", "engineering", "releases"])).toBe(
      "Engineering: builds, releases\n",
    );
    expect(await refused(["default", "add-to-group", "engineering", "releases"], 1)).toContain("already");
    expect(await json(["default", "remove-from-group", "Engineering", "builds"])).toMatchObject({
      channels: ["releases"],
    });
    expect(await refused(["default", "update-group", "Engineering"], 2)).toContain("name a change");
    expect(
      await json(["default", "update-group", "Engineering", "--name", "Builders", "--description", "Us"]),
    ).toMatchObject({ name: "Builders", description: "Us" });
    expect(await text(["default", "groups"])).toMatch(/^\d+ +Builders +releases +Us$/m);
    await asksFirst(
      ["default", "remove-group", "builders"],
      "This removes 1 default channel group with 1 channel: Builders. The channels stay.",
    );
    expect(await json(["defaults", "groups"])).toEqual([]);
    expect(await refused(["default", "update-group", "Builders", "--name", "x"], 1)).toContain(
      "no default channel group named 'Builders'",
    );
  });
});

describe("files", () => {
  /** Adds files that were uploaded a hundred days ago; no command uploads any. */
  function addFiles(): void {
    const database = openDatabaseOf(data);
    const add = database.query(
      "INSERT INTO attachments (owner_id, file, path_id, name, size, content_type, uploaded_at) " +
        "SELECT id, ?1, ?1, ?1, ?2, 'text/plain', unixepoch() - 8640000 FROM users WHERE full_name = ?3",
    );
    add.run("report.pdf", 5_000_000, "MEL");
    add.run("notes.txt", 800, "MEL");
    add.run("film.mp4", 95_000_000, "MAX");
    database.run("UPDATE upload_space SET used = 100000800");
    database.close();
  }

  test("largest, users, unlinked, delete-unlinked", async () => {
    const none = "There is no file that is old enough (--older-than) and that nobody links to.\n";
    expect(await text(["files", "unlinked"])).toBe(none);
    addFiles();
    expect(await json(["files", "largest", "--limit", "2"])).toMatchObject([
      { name: "film.mp4", bytes: 95_000_000, owner: "max@example.com" },
      { name: "report.pdf", bytes: 5_000_000, owner: "mel@example.com" },
    ]);
    expect(await text(["files", "largest", "--user", "mel@example.com"])).toMatch(
      /^SIZE +OWNER +UPLOADED +NAME\n5.0 MB +mel@example.com +\d{4}-\d\d-\d\d +report.pdf\n800 B .+ notes.txt\n$/,
    );
    expect(await text(["files", "users"])).toMatch(
      /^USER +FILES +SIZE\nmax@example.com +1 +95 MB\nmel@example.com +2 +5.0 MB\n$/,
    );
    expect(await json(["files", "unlinked", "--older-than", "101"])).toEqual({
      files: 0,
      bytes: 0,
      largest: [],
    });
    expect(await text(["files", "unlinked", "--limit", "1"])).toMatch(
      /film.mp4\n\nTogether: 3 files, 100 MB.\n$/,
    );

    expect(await text(["realm", "upload-limits", "--quota", "100", "--quota-per-user", "50"])).toContain(
      "all files together at most 100 MiB, those of a person or bot at most 50 MiB. All files together have 100 MB now.",
    );
    const doctor = await confab(["doctor", "--data", data]);
    expect(doctor.stdout).toContain("Files take up 100 MB, 95 % of the organization's quota.");
    expect(await text(["realm", "upload-limits", "--quota", "0", "--quota-per-user", "0"])).toContain(
      "all files together any size, those of a person or bot any size.",
    );

    expect(await json(["files", "delete-unlinked", "--older-than", "101", "--yes"])).toMatchObject({
      files: 0,
    });
    await asksFirst(
      ["files", "delete-unlinked"],
      "This deletes 3 files that nobody links to: report.pdf, notes.txt and film.mp4. They take up 100 MB.",
    );
    expect(await json(["files", "largest"])).toEqual([]);
    expect(await json(["realm", "upload-limits"])).toMatchObject({ bytes: 0 });
  });
});

describe("linkifier and playground", () => {
  test("add, list, update, reorder, remove", async () => {
    const [one, two] = [
      await json(["linkifier", "add", "#(?P<id>[0-9]+)", "https://issues.example.com/{id}"]),
      await json(["linkifier", "add", "T(?P<id>[0-9]+)", "https://tasks.example.com/{id}"]),
    ] as { id: number }[];
    const ids = [String(two?.id), String(one?.id)];
    expect(await json(["linkifier", "reorder", ...ids])).toMatchObject([{ id: two?.id }, { id: one?.id }]);
    await json([
      "linkifier",
      "update",
      ids[0] as string,
      "TASK(?P<id>[0-9]+)",
      "https://tasks.example.com/{id}",
    ]);
    expect(await text(["linkifier", "list"])).toContain("TASK(?P<id>[0-9]+)");
    expect(await refused(["linkifier", "remove", ids[0] as string], 2)).toContain("Add --yes to confirm");
    expect(await json(["linkifier", "remove", ids[0] as string, "--yes"])).toEqual({ id: two?.id });
    expect(await refused(["linkifier", "add", "(", "https://example.com"], 1)).toStartWith("confab: ");
    expect(await refused(["linkifier", "remove", "x"], 2)).toContain("linkifier list");

    const template = ["--template", "https://play.example.com/?code={code}"];
    const made = (await json(["playground", "add", "Play", "--language", "Rust", ...template])) as {
      id: number;
    };
    expect(await text(["playground", "list"])).toMatch(/^\d+ +Play +Rust/m);
    expect(await json(["playground", "remove", String(made.id), "--yes"])).toEqual({ id: made.id });
    expect(await refused(["playground", "remove", "999", "--yes"], 1)).toStartWith("confab: ");
  });
});

describe("webhook", () => {
  test("list, try, secret", async () => {
    expect(await json(["webhook", "list"])).toContainEqual(
      expect.objectContaining({ name: "alertmanager", signs: false, events: ["firing", "resolved"] }),
    );
    expect(await text(["webhook", "list"])).toMatch(/^slack_incoming +Slack's incoming webhooks +no/m);
    const file = join(data, "event.json");
    writeFileSync(file, JSON.stringify({ ref: "main", ref_type: "branch", sender: { login: "ada" } }));
    const header = ["--header", "X-GitHub-Event: create"];
    expect(await json(["webhook", "try", "github", file, ...header])).toEqual({
      event: "create",
      outcome: "sent",
      topic: "GitHub / main",
      content: "**ada** created the branch `main`.",
    });
    expect(await text(["webhook", "try", "github", file])).toBe("The event '' is unknown.\n");
    expect(await text(["webhook", "try", "json", file, "--title-field", "ref"])).toContain("Topic  main");
    const worded = ["--content", "On {{ref}} by {{pusher.nick | **somebody**}}", "--topic", "{{ref}}"];
    expect(await json(["webhook", "try", "json", file, ...worded])).toMatchObject({
      topic: "main",
      content: "On main by **somebody**",
    });
    expect(await refused(["webhook", "try", "github", file, ...worded], 2)).toContain(
      "--content is for json",
    );
    expect(await refused(["webhook", "try", "json", file, "--topic", "a"], 2)).toContain(
      "goes with --content",
    );
    expect(await refused(["webhook", "try", "json", file, "--content", "{{ref"], 2)).toContain("not closed");
    expect(await refused(["webhook", "try", "teams", file], 1)).toContain("There is no sender 'teams'");
    expect(await refused(["webhook", "try", "github", `${file}.absent`], 1)).toContain("There is no file");

    const bot = (await json(["bot", "create", "--name", "Hook", "--kind", "incoming"])) as { email: string };
    expect(await json(["webhook", "secret", bot.email])).toEqual({
      email: bot.email,
      secret: expect.stringMatching(/^\w{32}$/),
    });
    const own = "chosen-by-the-tool-1";
    expect(await json(["webhook", "secret", bot.email, "--secret", own])).toMatchObject({ secret: own });
    expect(await refused(["webhook", "secret", bot.email, "--secret", "short"], 2)).toContain(
      "16 characters",
    );
    expect(await json(["webhook", "secret", bot.email, "--remove", "--yes"])).toMatchObject({ secret: null });
    expect(await refused(["webhook", "secret", bot.email, "--remove", "--yes"], 1)).toContain(
      "The bot has no secret.",
    );
    expect(await refused(["webhook", "secret", "olive@example.com"], 1)).toContain("No such bot");
  });

  test("template, list-payloads", async () => {
    const bot = (await json(["bot", "create", "--name", "Own", "--kind", "incoming"])) as { email: string };
    const template = ["webhook", "template", bot.email];
    expect(await text(template)).toBe(`${bot.email} has no template.\n`);
    expect(await text([...template, "--dry-run", "--content", "Build {{state}}"])).toBe(
      "Nothing was posted in the last 24 hours.\n",
    );
    expect(await json(template)).toMatchObject({ template: null });
    expect(await text([...template, "--content", "Build {{state}}", "--topic", "{{project}}"])).toBe(
      "Topic  {{project}}\n\nBuild {{state}}\n",
    );
    expect(await json(template)).toMatchObject({
      template: { topic: "{{project}}", content: "Build {{state}}" },
    });
    expect(await text(["webhook", "list-payloads", bot.email])).toMatch(/^TIME/);
    expect(await refused([...template, "--content", "{{}}"], 2)).toContain("names no field");
    expect(await json([...template, "--remove", "--yes"])).toMatchObject({ template: null });
    expect(await refused([...template, "--remove", "--yes"], 1)).toContain("The bot has no template.");
  });

  test("test, list-calls", async () => {
    const bot = (await json(["bot", "create", "--name", "Bell", "--kind", "incoming"])) as { email: string };
    expect(await text(["webhook", "list-calls", bot.email])).not.toContain("json");
    expect(await json(["webhook", "test", bot.email, "--sender", "json"])).toEqual({
      message_id: expect.any(Number),
      answer: null,
    });
    expect(await json(["webhook", "list-calls", bot.email])).toMatchObject([
      { direction: "in", about: "json", outcome: "sent", is_test: true },
    ]);
    expect(await text(["webhook", "list-calls", bot.email])).toMatch(/in +json \(test\) +sent/);
    expect(await refused(["webhook", "test", bot.email], 1)).toContain("Only outgoing webhooks");
    const url = ["--kind", "outgoing", "--url", "http://127.0.0.1:9/hook"];
    const caller = (await json(["bot", "create", "--name", "Caller", ...url])) as { email: string };
    expect(await text(["webhook", "test", caller.email])).toContain("It failed: 127.0.0.1 is in the server");
  });
});

describe("message", () => {
  test("send, show, edit, history, search, delete", async () => {
    const sent = (await json(["message", "send", "--to", "general", "--topic", "tea", "A green kettle"])) as {
      id: number;
    };
    const id = String(sent.id);
    expect(await json(["message", "show", id])).toMatchObject({
      channel: "general",
      topic: "tea",
      content: "A green kettle",
    });
    await json(["message", "edit", id, "A blue kettle"]);
    expect(await text(["message", "show", id])).toEndWith("\n\nA blue kettle\n");
    expect(await json(["message", "history", id])).toMatchObject([
      { content: "A green kettle" },
      { content: "A blue kettle" },
    ]);
    expect(await text(["message", "history", id])).toContain("A blue kettle");
    expect(
      await json(["message", "search", "kettle", "--channel", "general", "--from", "olive@example.com"]),
    ).toMatchObject([{ id: sent.id }]);
    expect(await json(["message", "search", "green"])).toEqual([]);
    expect(await text(["message", "search", '"blue kettle"'])).toMatch(/#general > tea +A blue kettle$/m);
    await json(["channel", "create", "kitchen"]);
    const moved = await json([
      "message",
      "move",
      id,
      "--channel",
      "kitchen",
      "--topic",
      "pots",
      "--which",
      "all",
    ]);
    expect(moved).toMatchObject({ channel: "kitchen", topic: "pots" });
    expect(await refused(["message", "move", id, "--channel", "nowhere"], 1)).toContain(
      "There is no channel named 'nowhere'.",
    );
    expect(await refused(["message", "move", id], 2)).toContain("name the destination: --topic or --channel");
    expect(await refused(["message", "show", "99999"], 1)).toBe(
      "confab: There is no message 99999, or you may not read it.\n",
    );
    expect(await refused(["message", "delete", id], 2)).toContain("Add --yes to confirm");
    expect(await json(["message", "delete", id, "--yes"])).toEqual({ id: sent.id });
    expect(await refused(["message", "show", id], 1)).toContain("There is no message");
  });
});

describe("emoji and uploads", () => {
  test("add, list, deactivate", async () => {
    const file = join(newFolder(), "dot.png");
    writeFileSync(file, Buffer.from(onePixel, "base64"));
    expect(await json(["emoji", "add", "dot", file])).toMatchObject({ name: "dot", is_active: true });
    expect(await text(["emoji", "list"])).toMatch(/^\d+ +dot +active +still +organization$/m);
    expect(await text(["emoji", "list"])).toMatch(/^confab +confab +active +still +server$/m);
    expect(await refused(["emoji", "add", "dot", file], 1)).toContain("already exists");
    expect(await refused(["emoji", "add", "none", `${file}x`], 1)).toContain("There is no file");
    expect(await json(["emoji", "deactivate", "dot", "--yes"])).toEqual({ name: "dot" });
    expect(await refused(["emoji", "deactivate", "dot", "--yes"], 1)).toContain("does not exist");
    expect(await refused(["emoji", "deactivate", "confab", "--yes"], 1)).toContain("comes with the server");
    expect(await text(["emoji", "list"])).toMatch(/ deactivated /);
  });

  test("the organization's pictures are set and removed", async () => {
    const file = join(newFolder(), "dot.png");
    writeFileSync(file, Buffer.from(onePixel, "base64"));
    const set = (await json(["realm", "set-picture", "icon", file])) as { picture: string; url: string };
    expect(set).toEqual({
      picture: "icon",
      url: expect.stringMatching(/^\/user_avatars\/1\/realm\/\w+\.webp$/),
    });
    expect(await text(["realm", "set-picture", "night-logo", file])).toContain("a new night-logo");
    const { url } = (await json(["realm", "remove-picture", "icon", "--yes"])) as { url: string };
    expect(url).not.toBe(set.url);
    expect(await refused(["realm", "set-picture", "logo", `${file}x`], 1)).toContain("There is no file");
    expect(await refused(["realm", "set-picture", "banner", file], 2)).toContain(
      "must be one of: icon, logo",
    );
    writeFileSync(file, "no picture");
    expect(await refused(["realm", "set-picture", "logo", file], 1)).toStartWith("confab: ");
  });

  test("upload limits are shown and changed", async () => {
    expect(await json(["realm", "upload-limits", "--file", "7"])).toMatchObject({
      max_file_upload_size_mib: 7,
    });
    expect(await text(["realm", "upload-limits"])).toContain("A file has at most 7 MiB");
    expect(await refused(["realm", "upload-limits", "--file", "0"], 1)).toContain("max_file_upload_size_mib");
    expect(await json(["realm", "upload-limits"])).toMatchObject({ max_file_upload_size_mib: 7 });
    expect(await refused(["realm", "upload-limits", "--file", "much"], 2)).toContain("a number of MiB");
  });
});

describe("report, audit and api", () => {
  test("report list shows reported messages", async () => {
    await json(["channel", "create", "moderation", "--private"]);
    const { channel_id } = (await json(["channel", "show", "moderation"])) as { channel_id: number };
    await json(["realm", "set", "moderation_request_channel_id", String(channel_id)]);
    const sent = (await json(["message", "send", "--to", "general", "--topic", "tea", "Buy now"])) as {
      id: number;
    };
    const report = [
      "api",
      "POST",
      `/messages/${sent.id}/report`,
      "report_type=spam",
      "--as",
      "olive@example.com",
    ];
    await json(report);
    expect(await json(["report", "list"])).toMatchObject([
      { message_id: sent.id, report_type: "spam", reporter: "Olive" },
    ]);
    expect(await text(["report", "list"])).toMatch(/ spam +open/);
    expect(await json(["report", "handle", "1", "--note", "Talked."])).toEqual({
      report_id: 1,
      is_handled: true,
    });
    expect(await json(["report", "list"])).toMatchObject([
      { handled_note: "Talked.", handled_at: expect.any(Number) },
    ]);
    expect(await refused(["report", "handle", "1"], 1)).toContain("has handled this report already");
    expect(await json(["report", "list", "--state", "open"])).toEqual([]);
    expect(await text(["report", "handle", "1", "--reopen"])).toContain("Report 1 is open again.");
    expect(await refused(["report", "handle", "77"], 1)).toContain("does not exist");
    expect(await refused(["report", "list", "--as", "mel@example.com"], 1)).toContain("moderator");
    await json(["user", "role", "mel@example.com", "moderator"]);
    expect(await json(["report", "list", "--as", "mel@example.com"])).toMatchObject([{ id: 1 }]);
    expect(await text(["report", "handle", "1", "--as", "mel@example.com"])).toContain("handled");
    await json(["user", "role", "mel@example.com", "member"]);
    await json(["report", "handle", "1", "--reopen"]);
    expect(await refused(["report", "dismiss", "1", "--reason", " "], 1)).toContain("Please say why");
    const long = ["report", "dismiss", "1", "--reason", "a".repeat(1001)];
    expect(await refused(long, 2)).toContain("A note has at most 1000 characters.");
    expect(await text(["report", "dismiss", "1", "--reason", "A joke."])).toContain("Report 1 is dismissed.");
    const found = ["report", "list", "--by", "olive@example.com", "--reason", "spam", "--state", "handled"];
    expect(await json(found)).toMatchObject([{ is_dismissed: true, handled_note: "A joke." }]);
    expect(await json(["report", "list", "--of", "mel@example.com"])).toEqual([]);
    expect(await text(["report", "show", "1"])).toMatch(/Buy now[\s\S]+dismissed +A joke\./);
    expect(await json(["report", "show", "1"])).toMatchObject({ content: "Buy now", reporter: "Olive" });
    await json(["report", "handle", "1", "--reopen"]);
    const deletion = ["report", "handle", "1", "--delete-message"];
    expect(await refused(deletion, 2)).toContain(`This deletes message ${sent.id} of Olive for everyone.`);
    expect(await refused([...deletion, "--reopen"], 2)).toContain("--reopen goes with nothing else");
    await json([...deletion, "--yes"]);
    expect(await text(["report", "list"])).toMatch(/ spam +message deleted/);
  });

  test("audit shows who did what", async () => {
    const entries = (await json(["audit", "--kind", "group", "--limit", "3"])) as Record<string, unknown>[];
    expect(entries).toHaveLength(3);
    expect(entries[0]).toMatchObject({
      actor: "olive@example.com",
      about: { kind: "group" },
      client: "confab",
    });
    expect(await text(["audit", "--by", "olive@example.com", "--since", "2026-01-01"])).toContain(
      "realm_deactivated",
    );
    expect(await json(["audit", "--about", "group", "--limit", "3"])).toEqual(entries);
    const named = (await json(["audit", "--about", "GENERAL"])) as Record<string, unknown>[];
    expect(named.length).toBeGreaterThan(0);
    for (const { about } of named) expect(about).toMatchObject({ name: "general" });
    const today = new Date().toISOString().slice(0, 10);
    expect(await json(["audit", "--about", "general", "--since", today, "--until", today])).toEqual(named);
    expect(await json(["audit", "--about", "general", "--until", "2026-01-01"])).toEqual([]);
    expect(await text(["audit", "--about", "general"])).toContain("channel general");
    expect(await text(["audit", "--kind", "report"])).toContain("report about Olive");
    expect(await refused(["audit", "--about", "nobody@example.com"], 1)).toContain(
      "no user with the address",
    );
    expect(await json(["audit", "--event", "nothing_of_this"])).toEqual([]);
    expect(await refused(["audit", "--since", "someday"], 2)).toContain("a date, as");
    expect(await refused(["audit", "--as", "mel@example.com"], 1)).toContain("administrator");
  });

  test("api calls any endpoint as a user", async () => {
    expect(await json(["api", "get", "/users/me"])).toMatchObject({
      result: "success",
      email: "olive@example.com",
    });
    expect(await text(["api", "GET", "/users/me", "--as", "mel@example.com"])).toContain(
      '  "full_name": "MEL"',
    );
    const failing = await run(["api", "GET", "/messages/999999"]);
    expect(failing.status).toBe(1);
    expect(JSON.parse(failing.stdout)).toMatchObject({ result: "error", code: "BAD_REQUEST" });
    expect(failing.stderr).toBe("confab: the response has status 400.\n");
    expect(await refused(["api", "FETCH", "/users/me"], 2)).toContain("one of GET");
    expect(await refused(["api", "GET", "/users/me", "nonsense"], 2)).toContain("key=value");
  });
});

test("settings that take one of a few numbers say what each means", () => {
  const tables: [string, Setting][] = [
    ...Object.entries(realmSettings.table),
    ...Object.entries(personalSettings.table),
  ];
  const choices = tables.flatMap(([name, { rule, values = [] }]) => {
    const { enum: numbers = [] } = z.toJSONSchema(rule, { io: "input", unrepresentable: "any" });
    const named = values.map(([value]) => value);
    return numbers.filter((one) => typeof one === "number").map((number) => ({ name, number, named }));
  });
  expect(choices.length).toBeGreaterThan(30);
  expect(choices.filter(({ number, named }) => !named.includes(number))).toEqual([]);
});

describe("realm login", () => {
  test("shows the ways to sign in, and refuses to turn passwords off if they are the only one", async () => {
    expect(await json(["realm", "login"])).toEqual([
      { method: "Email", enabled: true, available: true },
      { method: "OpenID Connect", enabled: false, available: false },
    ]);
    expect(await refused(["realm", "login", "passwords-off"], 1)).toContain(
      "At least one authentication method",
    );
    expect(await text(["realm", "login", "passwords-on"])).toMatch(/Email and password +on\n/);
  });
});

describe("realm two-step", () => {
  test("shows and changes whether two-step sign-in is demanded", async () => {
    const { people_without } = (await json(["realm", "two-step"])) as { people_without: number };
    expect(people_without).toBeGreaterThan(0);
    expect(await text(["realm", "two-step", "required"])).toMatch(
      /^Two-step sign-in is required\. .+ not set it up\.\n$/,
    );
    expect(await json(["realm", "two-step"])).toEqual({ required: true, people_without });
    expect(await json(["realm", "two-step", "optional"])).toEqual({ required: false, people_without });
    expect(await refused(["realm", "two-step", "perhaps"], 2)).toContain("a change is required or optional");
  });
});

describe("reference", () => {
  test("docs/reference/command-line.md is what the commands are now ('npm run docs' writes it)", async () => {
    const page = await Bun.file(
      join(import.meta.dir, "..", "..", "docs", "reference", "command-line.md"),
    ).text();
    expect(page).toBe(await text(["reference"]));
    expect(await json(["reference"])).toEqual({ markdown: page.trimEnd() });
    for (const { name } of await allCommands()) expect(page).toContain(`\n## ${name}\n`);
  });

  test("docs/reference/http-api.md is what the endpoints and events are now ('npm run docs' writes it)", async () => {
    const page = await Bun.file(join(import.meta.dir, "..", "..", "docs", "reference", "http-api.md")).text();
    expect(page).toBe(await text(["reference", "http"]));
    const { domains, events } = apiModel();
    const ids = domains.flatMap(({ endpoints }) => endpoints.map(({ id }) => id));
    expect([ids.length, events.length]).toEqual([new Set(ids).size, listEventTypes().length]);
    for (const id of ids) expect(page).toContain(`\n### ${id}\n`);
    // Other tests of this process may have declared events of their own.
    const real = events.filter(({ type }) => !type.startsWith("test_"));
    for (const { type, op } of real) expect(page).toContain(`\n### ${op ? `${type}, ${op}` : type}\n`);
    expect(await text(["reference", "http"])).not.toContain("undefined");
  });

  test("docs/reference/senders.md is what the senders are now, and README names each", async () => {
    const root = join(import.meta.dir, "..", "..");
    const page = await Bun.file(join(root, "docs", "reference", "senders.md")).text();
    expect(page).toBe(await text(["reference", "senders"]));
    const readme = await Bun.file(join(root, "README.md")).text();
    const missing = senders.filter(
      ({ name, title }) => !page.includes(`\n## ${name}\n`) || !readme.includes(title),
    );
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  test("refuses another page", async () => {
    expect(await refused(["reference", "console"], 2)).toContain(
      "PAGE must be one of: commands, http, metrics, senders.",
    );
  });

  test("help of a command says what it prints with --json", async () => {
    expect(await text(["help", "emoji", "deactivate"])).toEndWith("\nWith --json:\n  { name: string }\n");
    expect((await text(["help", "user", "list"])).replaceAll(/\s+/g, " ")).toContain(
      'role: "owner" | "admin" | "moderator" | "member" | "guest" is_active: boolean',
    );
    expect(await text(["help", "console"])).not.toContain("With --json");
  });
});

test.skipIf(!Bun.which("sh"))("help that is cut off by its reader is no failure", () => {
  const command = executable.map((part) => `'${part}'`).join(" ");
  const { stdout, stderr } = Bun.spawnSync(["sh", "-c", `${command} --help | head -n 1`]);
  expect([stdout.toString(), stderr.toString()]).toEqual(["Usage: confab <command> [options]\n", ""]);
});

test("every verb of a noun is run here or in another test", async () => {
  const folder = join(import.meta.dir, "..");
  const files = [...new Glob("**/*.ts").scanSync(folder)].filter((file) => file !== "cli/nouns.test.ts");
  const texts = await Promise.all(files.map((file) => Bun.file(join(folder, file)).text()));
  const all = texts.join("\n").replaceAll(/\s+/g, " ");
  const isElsewhere = (name: string) =>
    // The tests of imports share one that is given the format.
    name.startsWith("import ") ||
    // Those of a guide are run by its words.
    all.includes(`argsOf("confab ${name} `) ||
    all.includes(
      name
        .split(" ")
        .map((word) => `"${word}"`)
        .join(", "),
    );
  const names = (await allCommands()).map(({ name }) => name);
  const unused = names.filter((name) => name.includes(" ") && !used.has(name) && !isElsewhere(name));
  expect(unused, "run them in a test, by test/support/command-line.ts").toEqual([]);
  const { stdout } = await confab(["--help"]);
  for (const name of names) expect(stdout).toContain(`  ${name}`);
});
