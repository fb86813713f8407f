import { describe, expect, test } from "bun:test";
import { listReports } from "@/messaging/reports/queries.ts";
import { stage } from "../support/console.ts";
import { runJob } from "../support/jobs.ts";
import { type CastName, type World, world } from "../support/world.ts";

/** A channel of mel, max and gus, in which max has written, and a private one where moss and ada moderate. */
async function scene(content = "buy **now**", more: Record<string, unknown> = {}) {
  const w = world();
  const idOf = (name: CastName) => w.user(name).id;
  const create = async (name: string, people: CastName[], rest = {}) =>
    (await w.as("ada").post("/channels/create", { name, subscribers: people.map(idOf), ...rest })).body
      .id as number;
  const party = await create("party", ["mel", "max", "gus"], more);
  const place = await create("moderation", ["ada", "moss"], { invite_only: true });
  await w.as("ada").patch("/realm", { moderation_request_channel_id: place });
  const message = { type: "channel", to: "party", topic: "cake", content };
  const { id } = (await w.as("max").post("/messages", message)).body;
  return { ...w, id: id as number, party, place };
}

function report({ as, id }: World & { id: number }, who: CastName, more: Record<string, unknown> = {}) {
  return as(who).post(`/messages/${id}/report`, { report_type: "spam", ...more });
}

const counts = ({ app }: World) =>
  ["messages", "reports"].map(
    (table) => app.env.db.get<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`)?.n,
  );

describe("report-message", () => {
  test("sends the moderators the reporter, the sender, the reason and the message", async () => {
    const w = await scene();
    const { status, events } = await report(w, "gus", { description: " look at\n> *this* " });
    expect(status).toBe(200);
    expect(events.map(({ audience, event }) => [audience, event.type])).toEqual([
      [["ada", "moss"], "message"],
      [["olive", "ada", "moss"], "reports_changed"],
    ]);
    const { message } = events[0]!.event;
    expect(message).toMatchObject({
      stream_id: w.place,
      subject: "Reports about Max",
      sender_full_name: "Notification Bot",
    });
    const silent = (name: "gus" | "max") =>
      `<span class="user-mention silent" data-user-id="${w.user(name).id}">${w.user(name).full_name}</span>`;
    const near = `/#narrow/channel/${w.party}-party/topic/cake/near/${w.id}`;
    expect(message.content).toBe(
      `<p>${silent("gus")} reported a message by ${silent("max")}.<br>\n<strong>Reason</strong>: Spam</p>\n` +
        "<blockquote>\n<p>look at</p>\n<blockquote>\n<p><em>this</em></p>\n</blockquote>\n</blockquote>\n" +
        `<p>${silent("max")} <a href="${near}">wrote</a>:</p>\n` +
        "<blockquote>\n<p>buy <strong>now</strong></p>\n</blockquote>",
    );
  });

  test("tells clients that know of reports to fetch them again, and no others", async () => {
    const w = await scene();
    const everything = await w.queue("moss");
    const named = await w.queue("moss", { event_types: ["reports_changed"] });
    const knowing = await w.queue("moss", { client_capabilities: { report_events: true } });
    const typesOf = async (queue: typeof named) => (await queue.poll()).map(({ type }) => type);
    await report(w, "gus");
    expect(await typesOf(everything)).toEqual(["message"]);
    expect(await typesOf(named)).toEqual(["reports_changed"]);
    expect(await typesOf(knowing)).toEqual(["message", "reports_changed"]);
  });

  test("is listed for moderators and administrators, newest first, even after the message is deleted", async () => {
    const w = await scene();
    await report(w, "gus");
    w.clock.advance(60);
    const other = await report(w, "mel", { report_type: "other", description: "odd" });
    await w.as("ada").delete(`/messages/${w.id}`);
    const about = { message_id: w.id, reported_id: w.user("max").id };
    expect(listReports(w.ctx("ada"), { limit: 10 })).toMatchObject([
      {
        id: 2,
        ...about,
        reporter_id: w.user("mel").id,
        report_type: "other",
        description: "odd",
        notice_id: other.events[0]?.event.message.id,
        reported_at: w.clock.now(),
      },
      {
        id: 1,
        ...about,
        reporter_id: w.user("gus").id,
        report_type: "spam",
        description: "",
        reported_at: w.clock.now() - 60,
      },
    ]);
    expect(listReports(w.ctx("ada"), { limit: 1, before: 2 })).toMatchObject([{ id: 1 }]);
    expect(listReports(w.ctx("moss"), { limit: 10 })).toEqual(listReports(w.ctx("ada"), { limit: 10 }));
    expect(() => listReports(w.ctx("mel"), { limit: 10 })).toThrow("Must be an organization moderator");
  });

  test("of a direct message shows it to the moderators", async () => {
    const w = await scene();
    const direct = { type: "direct", to: [w.user("gus").id], content: "psst" };
    const { id } = (await w.as("max").post("/messages", direct)).body;
    const { events } = await report({ ...w, id }, "gus", { report_type: "harassment" });
    const { content } = events[0]!.event.message;
    expect(content).toContain("reported a direct message by");
    expect(content).toContain("<strong>Reason</strong>: Harassment");
    expect(content).toEndWith("<blockquote>\n<p>psst</p>\n</blockquote>");
  });

  test.each([
    "````quote\n```\n~~~js\n",
    "```spoiler x\n``````\n`````quote",
    "@**all** @**Ada** @*devs*",
    "> a\n\n- b\n      c",
  ])("quotes %j so that nothing ends the quote, and nobody is mentioned", async (content) => {
    const w = await scene(content);
    const description = content;
    const { events } = await report(w, "gus", { description });
    const { message, flags } = events[0]!.event;
    expect(flags ?? []).toEqual([]);
    const shown = message.content as string;
    // In code, it is text of the message; as a paragraph, it would be the report's own.
    expect(shown).not.toMatch(/<p>[^<]*`+quote/);
    expect(shown.match(/wrote<\/a>:<\/p>\n<blockquote>/g)).toHaveLength(1);
    expect(shown).toEndWith("</blockquote>");
    expect(shown).not.toMatch(/class="[^"]*mention"/);
    const { state } = await w.queue("ada");
    expect(state.unread_msgs.mentions).toEqual([]);
  });

  test("fits into a message, however long the reported one is", async () => {
    const w = await scene("x".repeat(10_000));
    const { events } = await report(w, "gus", { description: "y".repeat(1000) });
    const { content } = events[0]!.event.message;
    expect(content).toEndWith("x<br>\n[message truncated]</p>\n</blockquote>");
  });

  test("truncates a long name in the topic", async () => {
    const w = await scene();
    const full_name = "N".repeat(90);
    await w.as("max").patch("/settings", { full_name });
    const { subject } = (await report(w, "gus")).events[0]!.event.message;
    expect(subject).toBe(`Reports about ${"N".repeat(43)}...`);
  });

  test.each([
    [
      "no reason",
      { report_type: "" },
      "A message is reported as one of: spam, harassment, inappropriate, norms, other.",
    ],
    ["a reason of one's own", { report_type: "boring" }, "A message is reported as one of: spam"],
    [
      "another reason without a word",
      { report_type: "other" },
      "Please describe what is wrong with this message.",
    ],
    [
      "another reason with blanks",
      { report_type: "other", description: " \n" },
      "Please describe what is wrong",
    ],
    ["a long description", { description: "x".repeat(1001) }, "A description has at most 1000 characters."],
    ["a null byte", { description: "a\0" }, "A description must not contain null bytes."],
  ])("refuses %s", async (_, wrong, msg) => {
    const w = await scene();
    const before = counts(w);
    const { status, body, events } = await report(w, "gus", wrong);
    expect({ status, code: body.code, events }).toEqual({ status: 400, code: "BAD_REQUEST", events: [] });
    expect(body.msg).toStartWith(msg);
    expect(counts(w)).toEqual(before);
  });

  test.each([
    ["unseen", "moss"],
    ["absent", "mel"],
  ] as const)("refuses an %s message alike", async (which, who) => {
    const w = await scene("a", { invite_only: true });
    const body = { code: "BAD_REQUEST", msg: "Invalid message(s)" };
    const message = which === "absent" ? { ...w, id: 999 } : w;
    expect(await report(message, who)).toMatchObject({ status: 400, body, events: [] });
  });

  test.each(["is not configured", "is archived"])(
    "refuses while the channel for reports %s",
    async (state) => {
      const w = await scene();
      const answer =
        state === "is archived"
          ? await w.as("ada").delete(`/streams/${w.place}`)
          : await w.as("ada").patch("/realm", { moderation_request_channel_id: -1 });
      expect(answer.status).toBe(200);
      expect(await report(w, "gus")).toMatchObject({
        status: 400,
        body: {
          code: "BAD_REQUEST",
          msg: "This organization has no channel for message reports.",
        },
        events: [],
      });
    },
  );
});

describe("handle-report", () => {
  test("lets moderators and administrators see and handle reports, and nobody else", async () => {
    const w = await scene();
    await report(w, "gus");
    for (const who of ["olive", "ada", "moss"] as const) {
      const { status, body } = await w.as(who).get("/reports");
      expect(status).toBe(200);
      expect(body.reports).toMatchObject([{ id: 1, message_id: w.id, handled_at: null, handled_note: "" }]);
    }
    for (const who of ["mel", "gus", "bolt"] as const) {
      const answers = [await w.as(who).get("/reports"), await handle(w, who)];
      for (const { status, body, events } of answers) {
        expect([status, body.msg, events]).toEqual([400, "Must be an organization moderator", []]);
      }
    }
    expect((await handle(w, "moss", { note: "Talked" })).status).toBe(200);
    const [{ handled_by, handled_note, handled_at }] = (await w.as("ada").get("/reports")).body.reports;
    expect([handled_by, handled_note, handled_at]).toEqual([w.user("moss").id, "Talked", w.clock.now()]);
    expect((await handle(w, "ada")).body.msg).toBe("Moss has handled this report already.");
    expect((await handle(w, "moss", { is_handled: false })).status).toBe(200);
    const { entries } = (await w.as("ada").get("/audit_log", { kind: "report" })).body;
    expect(entries).toMatchObject([
      { event: "report_reopened", actor_id: w.user("moss").id, person_name: "Max" },
      { event: "report_handled", data: { message: w.id, note: "Talked" } },
    ]);
  });

  test("refuses a moderator who is reported, not an administrator", async () => {
    const w = await scene();
    for (const who of ["moss", "ada"] as const) {
      const to = [w.user("mel").id];
      const { body } = await w.as(who).post("/messages", { type: "direct", to, content: "rude" });
      await w.as("mel").post(`/messages/${body.id}/report`, { report_type: "norms" });
    }
    const refused = await handle(w, "moss");
    expect(refused.body.msg).toContain("another moderator has to handle it");
    expect(refused.events).toEqual([]);
    expect((await handle(w, "moss", {}, 2)).status).toBe(200);
    expect((await handle(w, "ada")).status).toBe(200);
  });

  test("refuses what does not exist, and long notes", async () => {
    const w = await scene();
    expect((await handle(w, "moss", {}, 7)).body.code).toBe("NOT_FOUND");
    await report(w, "gus");
    const long = await handle(w, "moss", { note: "a".repeat(1001) });
    expect(long.body.msg).toContain("at most 1000 characters");
  });

  test("is in the console of a moderator", async () => {
    const w = await scene();
    await report(w, "gus");
    const { press, type, sees } = stage(w, "moss");
    await press("R");
    await sees(/▸ +.* Max +Gus +Spam +open/);
    await press("h");
    await type("Talked");
    await press("save");
    await sees("Marked as handled.");
  });
});

describe("get-reports", () => {
  test("pages from the newest", async () => {
    const w = await scene();
    for (const who of ["gus", "mel"] as const) await report(w, who);
    expect((await w.as("moss").get("/reports", { before: 2 })).body.reports).toMatchObject([{ id: 1 }]);
    expect((await w.as("moss").get("/reports", { limit: 1 })).body.reports).toMatchObject([{ id: 2 }]);
    expect((await w.as("moss").get("/reports", { limit: 0 })).status).toBe(400);
  });
});

describe("who may", () => {
  test("those in the channel for reports see them and decide, but for guests; nobody tells forbidden from absent", async () => {
    const w = await scene();
    await w.as("ada").post("/users/me/subscriptions", {
      subscriptions: [{ name: "moderation" }],
      principals: [w.user("mel").id, w.user("gus").id],
    });
    const { events } = await report(w, "gus");
    expect(events.at(-1)).toMatchObject({
      audience: ["olive", "ada", "moss", "mel"],
      event: { type: "reports_changed" },
    });
    expect((await w.as("mel").get("/reports")).body).toMatchObject({ reports: [{ id: 1 }], open: 1 });
    expect((await w.as("mel").get("/reports/1")).body.report).toMatchObject({
      id: 1,
      possible_acts: ["warn_sender"],
    });
    for (const id of [1, 77]) {
      for (const who of ["gus", "max"] as const) {
        const answers = [await w.as(who).get(`/reports/${id}`), await handle(w, who, {}, id)];
        for (const { status, body } of answers)
          expect([status, body.msg]).toEqual([400, "Must be an organization moderator"]);
      }
    }
    expect((await w.as("mel").get("/reports/77")).status).toBe(404);
    expect((await handle(w, "mel")).status).toBe(200);
  });

  test.each([
    ["deactivate_sender", "Must be an organization administrator"],
    ["delete_message", "You don't have permission to delete this message"],
  ])("a moderator needs the permission to %s", async (act, msg) => {
    const w = await scene();
    await report(w, "gus");
    const answer = await handle(w, "moss", { [act]: true });
    expect([answer.status, answer.body.msg, answer.events]).toEqual([400, msg, []]);
    expect((await w.as("moss").get("/reports/1")).body.report).toMatchObject({
      handled_at: null,
      decisions: [],
    });
  });
});

describe("get-report", () => {
  test("shows a direct message as the reporter has shown it, and nothing of what came after", async () => {
    const w = await scene();
    const direct = { type: "direct", to: [w.user("gus").id], content: "psst **now**" };
    const { id } = (await w.as("max").post("/messages", direct)).body;
    await report({ ...w, id }, "gus", { report_type: "harassment" });
    await w.as("max").patch(`/messages/${id}`, { content: "something else" });
    const { report: shown } = (await w.as("ada").get("/reports/1")).body;
    expect(shown).toMatchObject({
      message_id: id,
      channel_id: null,
      topic: null,
      excerpt: "psst **now**",
      content: "psst **now**",
      rendered_content: "<p>psst <strong>now</strong></p>",
      is_deleted: false,
      is_readable: false,
      may_handle: true,
      possible_acts: ["deactivate_sender", "delete_message", "warn_sender"],
    });
  });

  test("says where a channel's message was to those who may read there", async () => {
    const w = await scene("a", { invite_only: true, history_public_to_subscribers: true });
    await w.as("mel").post("/users/me/subscriptions", {
      subscriptions: [{ name: "party" }],
      principals: [w.user("ada").id],
    });
    await report(w, "gus");
    const seen = async (who: CastName) => (await w.as(who).get("/reports/1")).body.report;
    expect(await seen("moss")).toMatchObject({ channel_id: w.party, topic: null, is_readable: false });
    expect(await seen("ada")).toMatchObject({ channel_id: w.party, topic: "cake", is_readable: true });
  });

  test("keeps the message as it was after its sender deletes it, until its sender's messages go for good", async () => {
    const w = await scene();
    await report(w, "gus");
    await w.as("max").delete(`/messages/${w.id}`);
    const shown = async () => (await w.as("moss").get("/reports/1")).body.report;
    expect(await shown()).toMatchObject({ content: "buy **now**", is_deleted: true, is_readable: false });
    await w.as("ada").post(`/users/${w.user("max").id}/delete_messages`);
    expect(await shown()).toMatchObject({ content: "", excerpt: "", rendered_content: "" });
  });
});

describe("the text of a reported message", () => {
  test("goes when the organization keeps messages no longer, whether the message was there until then or not", async () => {
    const w = await scene();
    await report(w, "gus");
    const message = { type: "channel", to: "party", topic: "cake", content: "and **now**" };
    const { id } = (await w.as("max").post("/messages", message)).body;
    await report({ ...w, id }, "gus");
    await w.as("max").delete(`/messages/${id}`);
    const texts = async () =>
      (await w.as("moss").get("/reports")).body.reports.map(({ excerpt }: { excerpt: string }) => excerpt);
    await w.as("olive").patch("/realm", { message_retention_days: 30 });
    w.clock.advance(29 * 86_400);
    await runJob(w, "retention");
    expect(await texts()).toEqual(["and **now**", "buy **now**"]);
    w.clock.advance(2 * 86_400);
    await runJob(w, "retention");
    expect(await texts()).toEqual(["", ""]);
    expect((await w.as("moss").get("/reports/1")).body.report).toMatchObject({
      is_deleted: true,
      content: "",
    });
  });
});

describe("what is done about a report", () => {
  const last = async (w: World, who: CastName) => {
    const asked = { anchor: "newest", num_before: 1, num_after: 0, apply_markdown: false };
    const narrow = [{ operator: "is", operand: "dm" }];
    return (await w.as(who).get("/messages", { ...asked, narrow })).body.messages.at(-1);
  };

  test("the message is deleted, also where the moderator cannot read it, and all its reports are handled", async () => {
    const w = await scene();
    const direct = { type: "direct", to: [w.user("gus").id], content: "psst" };
    const { id } = (await w.as("max").post("/messages", direct)).body;
    for (let i = 0; i < 12; i++) await report({ ...w, id }, "gus");
    await report(w, "mel");
    const { status, events } = await handle(w, "ada", { delete_message: true, note: "Spam" });
    expect(status).toBe(200);
    const gone = events.filter(({ event }) => event.type === "delete_message");
    expect(gone.map(({ audience }) => audience)).toEqual([expect.arrayContaining(["gus", "max"])]);
    expect(gone.some(({ audience }) => audience.includes("ada"))).toBe(false);
    const { reports, open } = (await w.as("moss").get("/reports")).body;
    expect(open).toBe(1);
    const about = { handled_by: w.user("ada").id, handled_note: "Spam", acts: ["delete_message"] };
    expect(reports.slice(1)).toMatchObject(Array.from({ length: 12 }, () => about));
    expect((await handle(w, "moss", { note: "Mine" }, 2)).body.msg).toBe(
      "Ada has handled this report already, and deleted the message.",
    );
    const { entries } = (await w.as("ada").get("/audit_log", { limit: 20 })).body;
    const names = (entries as { event: string }[]).map(({ event }) => event);
    expect(names.filter((name) => name === "report_handled")).toHaveLength(12);
    expect(names).toContain("message_deleted");
  });

  test("the sender is warned in their language, with the message, and hears nothing of the reporter", async () => {
    const w = await scene();
    await w.as("max").patch("/settings", { default_language: "de" });
    await report(w, "gus", { description: "help" });
    expect((await handle(w, "moss", { warning: "Please **stop**." })).status).toBe(200);
    const { content, sender_full_name } = await last(w, "max");
    expect(sender_full_name).toBe("Notification Bot");
    expect(content).toBe(
      `Die Moderation von ${(await w.queue("max")).state.realm_name} schreibt Ihnen wegen einer Nachricht von Ihnen:\n` +
        "```quote\nbuy **now**\n```\n\nPlease **stop**.",
    );
    expect((await w.as("ada").get("/reports/1")).body.report).toMatchObject({
      acts: ["warn_sender"],
      decisions: [{ decision: "handled", acts: ["warn_sender"], warning: "Please **stop**." }],
    });
  });

  test("the sender is deactivated by an administrator", async () => {
    const w = await scene();
    await report(w, "gus");
    expect((await handle(w, "ada", { deactivate_sender: true, delete_message: true })).status).toBe(200);
    const { user } = (await w.as("ada").get(`/users/${w.user("max").id}`)).body;
    expect(user.is_active).toBe(false);
    const { report: shown } = (await w.as("ada").get("/reports/1")).body;
    expect(shown).toMatchObject({
      acts: ["deactivate_sender", "delete_message"],
      possible_acts: [],
      is_deleted: true,
    });
    expect((await w.as("moss").patch("/reports/1", { is_handled: true })).body.msg).toBe(
      "Ada has handled this report already, and deactivated the sender.",
    );
  });

  test("reporters hear in their language whether something was done, and nothing else", async () => {
    const w = await scene();
    await w.as("gus").patch("/settings", { default_language: "fr" });
    await report(w, "gus");
    const { events } = await handle(w, "moss", { is_dismissed: true, note: "A joke" });
    const name = `@_**Max|${w.user("max").id}**`;
    const told = await last(w, "gus");
    expect(told.sender_full_name).toBe("Notification Bot");
    expect(told.content).toBe(
      `Les modérateurs ont examiné votre signalement d’un message de ${name} et ne voient pas de raison d’agir.`,
    );
    expect(events.filter(({ event }) => event.type === "message").map(({ audience }) => audience)).toEqual([
      [expect.anything(), "gus"],
    ]);
    expect((await handle(w, "ada", { warning: "Stop" })).body.msg).toBe(
      "Moss has dismissed this report already.",
    );
    await handle(w, "ada", { is_handled: false });
    await handle(w, "ada", { warning: "Stop" });
    expect((await last(w, "gus")).content).toBe(
      `Les modérateurs ont examiné votre signalement d’un message de ${name} et ont agi. Merci.`,
    );
    const { decisions } = (await w.as("ada").get("/reports/1")).body.report;
    expect(decisions.map(({ decision }: { decision: string }) => decision)).toEqual([
      "handled",
      "reopened",
      "dismissed",
    ]);
  });

  test("of two moderators at once, the second hears what the first did", async () => {
    const w = await scene();
    await report(w, "gus");
    const [one, other] = await Promise.all([
      handle(w, "ada", { delete_message: true }),
      handle(w, "moss", { warning: "Stop" }),
    ]);
    expect([one.status, other.status]).toEqual([200, 400]);
    expect(other.body.msg).toBe("Ada has handled this report already, and deleted the message.");
    expect((await w.as("ada").get("/reports/1")).body.report.decisions).toHaveLength(1);
  });

  test.each([
    ["a dismissal without a reason", { is_dismissed: true }, "Please say why the report is dismissed."],
    [
      "a dismissal with an act",
      { is_dismissed: true, note: "no", warning: "Stop" },
      "A report is dismissed where nothing is to be done.",
    ],
    ["opening an open one", { is_handled: false }, "This report is open."],
    ["a long warning", { warning: "x".repeat(1001) }, "A warning has at most 1000 characters."],
    ["a null byte", { warning: "a\0" }, "A warning must not contain null bytes."],
  ])("refuses %s", async (_, wrong, msg) => {
    const w = await scene();
    await report(w, "gus");
    const answer = await handle(w, "ada", wrong);
    expect([answer.status, answer.body.msg, answer.events]).toEqual([400, msg, []]);
  });

  test("refuses what cannot be done, and then does nothing", async () => {
    const w = await scene();
    await report(w, "gus");
    await w.as("max").delete(`/messages/${w.id}`);
    const gone = await handle(w, "ada", { delete_message: true, warning: "Stop" });
    expect(gone.body.msg).toBe("This message is deleted already.");
    await w.as("ada").delete(`/users/${w.user("max").id}`);
    const away = await handle(w, "ada", { warning: "Stop" });
    expect(away.body.msg).toContain("nobody would read the warning");
    expect((await w.as("ada").get("/reports/1")).body.report.handled_at).toBeNull();
  });
});

describe("filters of get-reports", () => {
  test("by state, reason, sender and reporter", async () => {
    const w = await scene();
    await report(w, "gus");
    await report(w, "mel", { report_type: "norms" });
    await handle(w, "moss", {}, 1);
    const found = async (filter: Record<string, unknown>) =>
      (await w.as("moss").get("/reports", filter)).body.reports.map(({ id }: { id: number }) => id);
    expect(await found({ is_handled: false })).toEqual([2]);
    expect(await found({ is_handled: true })).toEqual([1]);
    expect(await found({ report_type: "spam" })).toEqual([1]);
    expect(await found({ reporter_id: w.user("mel").id })).toEqual([2]);
    expect(await found({ reported_id: w.user("max").id })).toEqual([2, 1]);
    expect(await found({ reported_id: w.user("mel").id })).toEqual([]);
    expect((await w.as("moss").get("/reports", { report_type: "boring" })).status).toBe(400);
  });
});

function handle({ as }: World, who: CastName, more: Record<string, unknown> = {}, id = 1) {
  return as(who).patch(`/reports/${id}`, { is_handled: true, ...more });
}
