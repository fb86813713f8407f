import { describe, expect, test } from "bun:test";
import { isWidget } from "@/messaging/submessages/access.ts";
import { type CastName, type World, world } from "../support/world.ts";

/** A channel of mel, max and gus, to which mel sends `content`. */
async function scene(content = "/poll Lunch?\nSoup\nPie") {
  const w = world();
  const subscribers = (["mel", "max", "gus"] as const).map((name) => w.user(name).id);
  await w.as("ada").post("/channels/create", { name: "party", subscribers });
  const sent = await w.as("mel").post("/messages", { type: "channel", to: "party", topic: "", content });
  return { ...w, id: sent.body.id as number, sent };
}

function post({ as, id }: World & { id: number }, who: CastName, content: unknown, msg_type = "widget") {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return as(who).post("/submessage", { message_id: id, msg_type, content: text });
}

async function submessages({ as, id }: World & { id: number }) {
  return (await as("gus").get(`/messages/${id}`)).body.message.submessages;
}

const soup = { type: "vote", key: "canned,0", vote: 1 };

describe("a message that asks for a widget", () => {
  test.each([
    [
      "/poll Lunch?\nSoup\nPie",
      { widget_type: "poll", extra_data: { question: "Lunch?", options: ["Soup", "Pie"] } },
    ],
    [
      "/todo Release\nBuild: twice",
      {
        widget_type: "todo",
        extra_data: { task_list_title: "Release", tasks: [{ task: "Build", desc: "twice" }] },
      },
    ],
  ])("creates it: %j", async (content, widget) => {
    const w = await scene(content);
    const [first] = await submessages(w);
    const about = { message_id: w.id, sender_id: w.user("mel").id, msg_type: "widget" };
    expect(first).toEqual({ id: expect.any(Number), ...about, content: expect.any(String) });
    expect(JSON.parse(first.content)).toEqual(widget);
    expect(w.sent.events[0]?.event.message).toMatchObject({
      submessages: [first],
      content: expect.stringMatching(/^<p>\/(poll|todo)/),
    });
    expect(isWidget(w.ctx("mel"), w.id)).toBe(true);
  });

  test("does not create one for a message that only looks similar", async () => {
    const w = await scene("/polls are over");
    expect(await submessages(w)).toEqual([]);
    expect(isWidget(w.ctx("mel"), w.id)).toBe(false);
  });
});

describe("post-submessage", () => {
  test("is refused beyond the maximum number of changes", async () => {
    const w = await scene();
    const option = (idx: number) => ({ type: "new_option", option: "x".repeat(9_900), idx });
    let answer = await post(w, "max", option(0));
    for (let n = 1; n < 120 && answer.status === 200; n++) answer = await post(w, "max", option(n));
    const msg = "This widget has reached its maximum number of changes.";
    expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST", msg }, events: [] });
    expect((await submessages(w)).length).toBeWithin(100, 105);
  });

  test("adds to the widget, and emits that to the message's readers", async () => {
    const w = await scene();
    const { status, events } = await post(w, "max", soup);
    const [, vote] = await submessages(w);
    const { id: submessage_id, ...rest } = vote;
    expect(rest).toEqual({
      message_id: w.id,
      sender_id: w.user("max").id,
      msg_type: "widget",
      content: JSON.stringify(soup),
    });
    expect(status).toBe(200);
    expect(events).toEqual([
      { audience: ["mel", "max", "gus"], event: { type: "submessage", submessage_id, ...rest } },
    ]);
  });

  test("is listed with its message, and deleted with it", async () => {
    const w = await scene();
    await post(w, "max", soup);
    const { messages } = (await w.as("gus").get("/messages", { anchor: "newest", num_before: 5 })).body;
    expect(messages[0].submessages).toEqual(await submessages(w));
    expect((await w.as("mel").delete(`/messages/${w.id}`)).status).toBe(200);
    expect(w.app.env.db.all("SELECT id FROM submessages")).toEqual([]);
  });

  test.each([
    ["/poll", "max", { type: "vote", key: "canned,0", vote: -1 }],
    ["/poll", "gus", { type: "new_option", option: "Fish", idx: 1 }],
    ["/poll", "mel", { type: "question", question: "Dinner?" }],
    ["/todo", "max", { type: "new_task", key: 2, task: "a", desc: "", completed: false }],
    ["/todo", "gus", { type: "strike", key: "canned,0" }],
    ["/todo", "mel", { type: "new_task_list_title", title: "b" }],
  ] as const)("of %s accepts from %s %j", async (content, who, change) => {
    const w = await scene(content);
    expect((await post(w, who, change)).status).toBe(200);
    expect(await submessages(w)).toHaveLength(2);
  });

  const notPoll = "This is not a valid change of a poll.";
  const notTodo = "This is not a valid change of a todo.";
  test.each([
    ["/poll", "max", { type: "vote", key: "canned,0", vote: 2 }, notPoll],
    ["/poll", "max", { type: "vote", key: 0, vote: 1 }, notPoll],
    ["/poll", "max", { ...soup, more: 1 }, notPoll],
    ["/poll", "max", { type: "new_option", option: "Fish" }, notPoll],
    ["/poll", "max", { type: "strike", key: "canned,0" }, notPoll],
    ["/poll", "max", { type: "constructor" }, notPoll],
    ["/poll", "max", [], notPoll],
    ["/poll", "max", "null", notPoll],
    [
      "/poll",
      "max",
      { type: "question", question: "Mine?" },
      "Only the sender of this poll can change its title.",
    ],
    ["/todo", "max", { type: "new_task", key: 2, task: "a", desc: "" }, notTodo],
    ["/todo", "max", soup, notTodo],
    [
      "/todo",
      "max",
      { type: "new_task_list_title", title: "b" },
      "Only the sender of this todo can change its title.",
    ],
    ["/poll", "max", "{vote", "The content of a submessage must be JSON."],
    ["/poll", "max", `"${"x".repeat(9999)}"`, "A submessage has at most 10000 characters."],
    ["hello", "max", soup, "Only the sender of a message can turn it into a widget."],
    [
      "hello",
      "mel",
      { widget_type: "poll", extra_data: { options: [1] } },
      "This is not a valid start of a poll.",
    ],
    ["hello", "mel", { widget_type: "todo", extra_data: [] }, "This is not a valid start of a todo."],
  ] as const)("of %s refuses from %s %j", async (content, who, change, msg) => {
    const w = await scene(content);
    const before = await submessages(w);
    const body = { code: "BAD_REQUEST", msg };
    expect(await post(w, who, change)).toMatchObject({ status: 400, body, events: [] });
    expect(await submessages(w)).toEqual(before);
  });

  test("lets a sender turn a message into a widget, even of an unknown kind", async () => {
    const poll = await scene("hello");
    expect((await post(poll, "mel", { widget_type: "poll", extra_data: { question: "?" } })).status).toBe(
      200,
    );
    expect((await post(poll, "max", soup)).status).toBe(200);

    const other = await scene("hello");
    for (const [who, content] of [
      ["mel", { widget_type: "chess" }],
      ["max", { move: "e4" }],
    ] as const) {
      expect((await post(other, who, content)).status).toBe(200);
    }
    expect(await submessages(other)).toHaveLength(2);
  });

  test("refuses in an archived channel", async () => {
    const w = await scene();
    const { stream_id } = (await w.as("mel").get("/get_stream_id", { stream: "party" })).body;
    await w.as("ada").delete(`/streams/${stream_id}`);
    const msg = "Messages of an archived channel cannot be changed.";
    expect(await post(w, "max", soup)).toMatchObject({ status: 400, body: { msg }, events: [] });
  });

  test("refuses another type", async () => {
    const body = { code: "BAD_REQUEST", msg: "The only type of submessage is 'widget'." };
    expect(await post(await scene(), "max", soup, "poll")).toMatchObject({ status: 400, body, events: [] });
  });

  test.each([
    ["unseen", "max"],
    ["absent", "mel"],
  ] as const)("refuses an %s message alike", async (which, who) => {
    const w = await scene();
    const to = [w.user("ada").id];
    const { id } = (await w.as("mel").post("/messages", { type: "direct", to, content: "/poll" })).body;
    const message = { ...w, id: which === "absent" ? 999 : id };
    const body = { code: "BAD_REQUEST", msg: "Invalid message(s)" };
    expect(await post(message, who, soup)).toMatchObject({ status: 400, body, events: [] });
  });

  test("refuses more than the maximum size", async () => {
    const w = await scene();
    const row = [w.id, w.user("max").id, JSON.stringify(soup)] as const;
    const insert =
      "INSERT INTO submessages (message_id, sender_id, msg_type, content) VALUES (?, ?, 'widget', ?)";
    const { sqlite } = w.app.env.db;
    sqlite.transaction(() => {
      for (let n = 1; n < 9999; n++) sqlite.run(insert, [...row]);
    })();
    expect((await post(w, "max", soup)).status).toBe(200);
    expect(await post(w, "max", soup)).toMatchObject({ status: 400, events: [] });
  });
});
