import { describe, expect, test } from "bun:test";
import type { Tx } from "@/kernel/core/context.ts";
import { updateFlags } from "@/messaging/flags/actions.ts";
import { sendMessage } from "@/messaging/sending/actions.ts";
import { insertMessage, openClient } from "@/messaging/sending/store.ts";
import { createChannel } from "@/places/channel-administration/actions.ts";
import { channelConversation } from "@/places/conversations/access.ts";
import { openDirectConversation, takeSeq } from "@/places/conversations/actions.ts";
import { subscribe, unsubscribe } from "@/places/subscriptions/actions.ts";
import type { Json } from "../support/requests.ts";
import { type CastName, type World, world } from "../support/world.ts";

const newest = 10_000_000_000_000_000;

const idsOf = ({ body }: { body: Json }): number[] => body.messages.map((m: Json) => m.id);

async function channel(w: World, name: string, who: CastName[], more = {}): Promise<number> {
  const subscribers = who.map((one) => w.user(one).id);
  return (await createChannel(w.ctx("mel"), { name, subscribers, ...more })).stream_id;
}

async function send(
  w: World,
  to: number,
  { topic = "Lunch", content = "hello", by = "mel" as CastName } = {},
) {
  return (await sendMessage(w.ctx(by), { type: "channel", to: [to], topic, content })).id;
}

/** Ten messages by mel in a channel of mel and max. */
async function ten() {
  const w = world();
  const design = await channel(w, "Design", ["mel", "max"]);
  const ids: number[] = [];
  for (let i = 0; i < 10; i++) ids.push(await send(w, design, { content: `message ${i}` }));
  const page = (params: Json, who: CastName = "max") => w.as(who).get("/messages", params);
  return { w, design, ids, page };
}

const facts = ({ body }: { body: Json }) => [
  body.anchor,
  body.found_anchor,
  body.found_oldest,
  body.found_newest,
];

describe("get-messages", () => {
  test("returns messages around an ID, ascending", async () => {
    const { page, ids } = await ten();
    const answer = await page({ anchor: ids[4], num_before: 2, num_after: 3 });
    expect(idsOf(answer)).toEqual(ids.slice(2, 8));
    expect(facts(answer)).toEqual([ids[4], true, false, false]);
    expect(answer.body.history_limited).toBe(false);
  });

  test("returns each message in full, with the reader's flags", async () => {
    const { page, w } = await ten();
    const [message] = (await page({ anchor: "newest", num_before: 1 })).body.messages;
    expect(message).toMatchObject({
      sender_id: w.user("mel").id,
      content: "<p>message 9</p>",
      content_type: "text/html",
      avatar_url: null,
      flags: [],
    });
    const [raw] = (
      await page({ anchor: "newest", num_before: 1, apply_markdown: false, client_gravatar: false })
    ).body.messages;
    expect(raw).toMatchObject({ content: "message 9", content_type: "text/x-markdown" });
    expect(raw.avatar_url).toStartWith("/user_avatars/");
  });

  test("requires a login", async () => {
    const { w } = await ten();
    expect(await w.anonymous.get("/messages", { anchor: "newest" })).toMatchObject({ status: 401 });
  });

  describe("anchors", () => {
    test.each([
      ["newest", { anchor: "newest", num_before: 3, num_after: 3 }, [7, 8, 9], [newest, false, false, true]],
      ["the largest", { anchor: newest, num_before: 3 }, [7, 8, 9], [newest, false, false, true]],
      ["beyond it", { anchor: newest + 2, num_before: 1 }, [9], [newest, false, false, true]],
      ["oldest", { anchor: "oldest", num_before: 3, num_after: 3 }, [0, 1, 2], [0, false, true, false]],
      ["zero", { anchor: 0, num_after: 3 }, [0, 1, 2], [0, false, true, false]],
      ["negative", { anchor: -5, num_after: 3 }, [0, 1, 2], [0, false, true, false]],
      [
        "newest, all",
        { anchor: "newest", num_before: 11 },
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        [newest, false, true, true],
      ],
      [
        "newest, just all",
        { anchor: "newest", num_before: 10 },
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        [newest, false, false, true],
      ],
      ["newest, nothing asked", { anchor: "newest" }, [], [newest, false, false, true]],
      ["oldest, nothing asked", { anchor: "oldest" }, [], [0, false, true, false]],
    ] as const)("%s", async (_, params, expected, found) => {
      const { page, ids } = await ten();
      const answer = await page(params);
      expect(idsOf(answer)).toEqual(expected.map((i) => ids[i] as number));
      expect(facts(answer)).toEqual([...found]);
    });

    test("an ID without counts returns at most that message", async () => {
      const { page, ids } = await ten();
      const answer = await page({ anchor: ids[4] });
      expect(idsOf(answer)).toEqual([ids[4] as number]);
      expect(facts(answer)).toEqual([ids[4], true, false, false]);
    });

    test("an ID outside the narrow still marks the position", async () => {
      const { page, ids, w, design } = await ten();
      const other = await send(w, design, { topic: "other" });
      const last = await send(w, design);
      const narrow = [["topic", "Lunch"]];
      const answer = await page({ anchor: other, num_before: 1, num_after: 2, narrow });
      expect(idsOf(answer)).toEqual([ids[9] as number, last]);
      expect(facts(answer)).toEqual([other, false, false, true]);
    });

    test.each([
      ["both ends reached", 4, 5, 6, [true, true, true]],
      ["just as many as there are", 4, 4, 5, [true, false, false]],
      ["older ones only", 0, 2, 0, [true, true, false]],
      ["newer ones only", 9, 0, 2, [true, false, true]],
    ] as const)("reports the ends: %s", async (_, at, num_before, num_after, found) => {
      const { page, ids } = await ten();
      const answer = await page({ anchor: ids[at], num_before, num_after });
      expect(facts(answer)).toEqual([ids[at], ...found]);
    });

    test("leaves the anchor out at the end of a range", async () => {
      const { page, ids } = await ten();
      const before = await page({ anchor: ids[4], num_before: 2, include_anchor: false });
      expect(idsOf(before)).toEqual(ids.slice(2, 4));
      expect(facts(before)).toEqual([ids[4], false, false, false]);
      const after = await page({ anchor: ids[4], num_after: 2, include_anchor: false });
      expect(idsOf(after)).toEqual(ids.slice(5, 7));
    });

    describe("of a day", () => {
      /** A message at the start of the clock (3 March 2026, 09:30 UTC), the next in another topic, and one on each of the two days after. */
      async function days() {
        const w = world();
        const design = await channel(w, "Design", ["mel", "max"]);
        const first = await send(w, design, { content: "first", topic: "logo" });
        await send(w, design, { content: "elsewhere", topic: "paper" });
        const ids = [first];
        for (let day = 1; day <= 2; day++) {
          w.clock.advance(24 * 3600);
          ids.push(await send(w, design, { content: `day ${day}`, topic: "logo" }));
        }
        const narrow = [
          { operator: "channel", operand: "Design" },
          { operator: "topic", operand: "logo" },
        ];
        const page = (anchor_date: string | undefined, more: Json = {}) =>
          w.as("max").get("/messages", {
            ...{ anchor: "date", narrow, num_before: 1, num_after: 1 },
            ...(anchor_date !== undefined && { anchor_date }),
            ...more,
          });
        return { w, ids, page };
      }

      test.each([
        ["a day is its midnight in UTC", "2026-03-04", 1],
        ["the very moment counts", "2026-03-04T09:30:00Z", 1],
        ["a second later is the next one", "2026-03-04T09:30:01Z", 2],
        ["without a zone it is UTC", "2026-03-04T09:30:01", 2],
        ["without seconds", "2026-03-04T09:30Z", 1],
        ["parts of a second", "2026-03-04T09:30:00.001Z", 2],
        ["east of Greenwich", "2026-03-04T11:30:01+02:00", 2],
        ["west of Greenwich", "2026-03-04T04:30:00-05:00", 1],
        ["before everything", "0001-01-01", 0],
      ])("is the first message at or after it that matches: %s", async (_, date, at) => {
        const { page, ids } = await days();
        const answer = await page(date);
        expect(facts(answer).slice(0, 2)).toEqual([ids[at], true]);
        expect(idsOf(answer)).toEqual(ids.slice(Math.max(0, at - 1), at + 2));
      });

      test("is the newest message if there is none after it", async () => {
        const { page, ids } = await days();
        const answer = await page("2026-03-06");
        expect(idsOf(answer)).toEqual(ids.slice(-1));
        expect(facts(answer)).toEqual([10_000_000_000_000_000, false, false, true]);
      });

      test("leaves the anchor out if that is asked", async () => {
        const { page, ids } = await days();
        const answer = await page("2026-03-04", { include_anchor: false, num_before: 0 });
        expect(idsOf(answer)).toEqual(ids.slice(2));
      });

      test("needs the anchor that says so: another one ignores the date", async () => {
        const { page, ids } = await days();
        expect(idsOf(await page("no date", { anchor: "oldest" }))).toEqual(ids.slice(0, 1));
      });

      test.each([
        undefined,
        "",
        "yesterday",
        "2026-02-30",
        "2026-13-01",
        "2026-3-4",
        "20.11.2026",
        "1772530200",
        "2026-03-04T25:00:00Z",
        "2026-03-04 09:30",
        "2026-03-04T09:30:00+99:00",
      ])("cannot be %p", async (date) => {
        const { page } = await days();
        expect(await page(date)).toMatchObject({
          status: 400,
          body: { code: "BAD_REQUEST", msg: "Invalid anchor date" },
        });
      });

      test("is not asked together with IDs", async () => {
        const { page, ids } = await days();
        expect(await page("2026-03-04", { message_ids: ids })).toMatchObject({
          status: 400,
          body: { code: "BAD_REQUEST", parameters: "message_ids, anchor, num_before, num_after" },
        });
      });
    });

    test.each([
      ["a word it is not", { anchor: "middle" }, "Invalid anchor"],
      ["a fraction", { anchor: "1.5" }, "Invalid anchor"],
      ["no text", { anchor: "" }, "Invalid anchor"],
      ["none", { num_before: 1 }, "Missing 'anchor' argument."],
      [
        "one left out in the middle of a range",
        { anchor: 1, num_before: 1, num_after: 1, include_anchor: false },
        "The anchor can only be excluded at an end of the range",
      ],
      [
        "too many",
        { anchor: 1, num_before: 3000, num_after: 2001 },
        "Too many messages requested (maximum 5000).",
      ],
    ])("cannot be %s", async (_, params, msg) => {
      const { page } = await ten();
      expect(await page(params)).toMatchObject({ status: 400, body: { code: "BAD_REQUEST", msg } });
    });

    test("allow 5,000 messages around them, and no negative number", async () => {
      const { page, ids } = await ten();
      expect(idsOf(await page({ anchor: "newest", num_before: 5000 }))).toEqual(ids);
      expect(await page({ anchor: 1, num_before: -1 })).toMatchObject({
        status: 400,
        body: { code: "REQUEST_VARIABLE_INVALID" },
      });
    });
  });

  describe("first_unread", () => {
    const read = (w: World, messages: number[]) =>
      updateFlags(w.ctx("max"), { messages, op: "add", flag: "read" });

    test("is the oldest unread message of the narrow", async () => {
      const { page, ids, w } = await ten();
      await read(w, [...ids.slice(0, 3), ids[4] as number]);
      const answer = await page({ anchor: "first_unread", num_before: 1, num_after: 2 });
      expect(idsOf(answer)).toEqual(ids.slice(2, 6));
      expect(facts(answer)).toEqual([ids[3], true, false, false]);
    });

    test("accepts its old name, whatever the anchor", async () => {
      const { page, ids, w } = await ten();
      await read(w, ids.slice(0, 3));
      for (const anchor of [0, "newest", undefined]) {
        const answer = await page({ anchor, use_first_unread_anchor: true, num_after: 1 });
        expect(facts(answer)).toEqual([ids[3], true, false, false]);
      }
    });

    test("is newest if nothing is unread", async () => {
      const { page, ids, w } = await ten();
      await read(w, ids);
      const answer = await page({ anchor: "first_unread", num_before: 2, num_after: 2 });
      expect(idsOf(answer)).toEqual(ids.slice(8));
      expect(facts(answer)).toEqual([newest, false, false, true]);
    });

    test("skips muted channels unless the narrow names them", async () => {
      const { page, ids, w, design } = await ten();
      const quiet = await channel(w, "Quiet", ["mel", "max"]);
      const loud = await send(w, quiet);
      const change = [{ stream_id: design, property: "is_muted", value: true }];
      await w.as("max").post("/users/me/subscriptions/properties", { subscription_data: change });

      expect((await page({ anchor: "first_unread" })).body.anchor).toBe(loud);
      expect((await page({ anchor: "first_unread", narrow: [["topic", "Lunch"]] })).body.anchor).toBe(loud);
      expect((await page({ anchor: "first_unread", narrow: [["channel", "Design"]] })).body.anchor).toBe(
        ids[0],
      );
    });
  });

  describe("message_ids", () => {
    test("returns those that the reader may see, in the narrow", async () => {
      const { page, ids, w } = await ten();
      const secret = await send(w, await channel(w, "Secret", ["mel"], { invite_only: true }));
      const open = await send(w, await channel(w, "Open", ["mel"]), { topic: "Tea" });
      const message_ids = [open, 999, ids[3], secret, ids[1], ids[3]];
      const answer = await page({ message_ids });
      expect(idsOf(answer)).toEqual([ids[1] as number, ids[3] as number, open]);
      expect(facts(answer)).toEqual([undefined, false, false, false]);
      expect(answer.body.messages[2].flags).toEqual(["read", "historical"]);
      expect(idsOf(await page({ message_ids, narrow: [["topic", "tea"]] }))).toEqual([open]);
      expect(idsOf(await page({ message_ids: [] }))).toEqual([]);
    });

    test("cannot be combined with an anchor", async () => {
      const { page } = await ten();
      expect(await page({ message_ids: [1], anchor: "newest", num_before: 3 })).toMatchObject({
        status: 400,
        body: {
          code: "BAD_REQUEST",
          parameters: "message_ids, anchor, num_before",
          msg: "Unsupported parameter combination: message_ids, anchor, num_before",
        },
      });
      const message_ids = Array.from({ length: 5001 }, (_, i) => i);
      expect(await page({ message_ids })).toMatchObject({
        status: 400,
        body: { msg: "Too many messages requested (maximum 5000)." },
      });
    });
  });

  describe("what is considered", () => {
    const all = { anchor: "newest", num_before: 100 };
    const inChannel = (id: number) => ({ ...all, narrow: [{ operator: "channel", operand: id }] });

    test("a channel open to the reader shows what they never received, as read history", async () => {
      const { page, ids, design, w } = await ten();
      expect(idsOf(await page(all, "ada"))).toEqual([]);
      const answer = await page(inChannel(design), "ada");
      expect(idsOf(answer)).toEqual(ids);
      expect(answer.body.messages[0].flags).toEqual(["read", "historical"]);
      expect(idsOf(await page({ ...all, narrow: [["channels", "public"]] }, "ada"))).toEqual(ids);
      expect(await page(inChannel(design), "gus")).toMatchObject({ body: { code: "BAD_NARROW" } });
      expect(idsOf(await w.as("gus").get("/messages", { ...all, narrow: [["channels", "public"]] }))).toEqual(
        [],
      );
    });

    test("flags exist only for received messages; starring adds one", async () => {
      const { page, ids, design, w } = await ten();
      const starred = [...inChannel(design).narrow, { operator: "is", operand: "starred" }];
      const unstarred = [...inChannel(design).narrow, { operator: "is", operand: "starred", negated: true }];
      await updateFlags(w.ctx("ada"), { messages: [ids[2] as number], op: "add", flag: "starred" });
      expect(idsOf(await page({ ...all, narrow: starred }, "ada"))).toEqual([ids[2] as number]);
      expect(idsOf(await page({ ...all, narrow: unstarred }, "ada"))).toEqual([]);
      const answer = await page(all, "ada");
      expect(idsOf(answer)).toEqual([ids[2] as number]);
      expect(answer.body.messages[0].flags.toSorted()).toEqual(["historical", "read", "starred"]);
    });

    test("a public channel the user left keeps its received messages in the combined feed", async () => {
      const { page, ids, design, w } = await ten();
      await unsubscribe(w.ctx("mel"), { channel_ids: [design], user_ids: [w.user("max").id] });
      await send(w, design);
      expect(idsOf(await page(all))).toEqual(ids);
      expect(idsOf(await page(inChannel(design)))).toHaveLength(11);
    });

    test("a private channel shows nothing after leaving", async () => {
      const w = world();
      const secret = await channel(w, "Secret", ["mel", "max"], {
        invite_only: true,
        history_public_to_subscribers: true,
      });
      const id = await send(w, secret);
      await updateFlags(w.ctx("max"), { messages: [id], op: "add", flag: "starred" });
      await unsubscribe(w.ctx("mel"), { channel_ids: [secret], user_ids: [w.user("max").id] });

      const ask = (more: Json) => w.as("max").get("/messages", { ...all, ...more });
      expect(idsOf(await ask({}))).toEqual([]);
      expect(idsOf(await ask({ narrow: [["is", "starred"]] }))).toEqual([]);
      expect(idsOf(await w.as("max").get("/messages", { message_ids: [id] }))).toEqual([]);
      expect(await ask(inChannel(secret))).toMatchObject({ body: { code: "BAD_NARROW" } });
      expect(await w.as("max").get(`/messages/${id}`)).toMatchObject({ status: 400 });
    });

    test("protected history shows what was received, shared history everything", async () => {
      const w = world();
      const make = (name: string, history_public_to_subscribers: boolean) =>
        channel(w, name, ["mel"], { invite_only: true, history_public_to_subscribers });
      const [closed, shared] = [await make("Closed", false), await make("Shared", true)];
      const max = [w.user("max").id];
      const sent: Record<string, number[]> = { closed: [], shared: [] };
      for (const isIn of [false, true, false, true]) {
        const membership = { channel_ids: [closed, shared], user_ids: max };
        if (isIn) await subscribe(w.ctx("mel"), membership);
        else await unsubscribe(w.ctx("mel"), membership);
        sent.closed?.push(await send(w, closed, { topic: `closed ${isIn}` }));
        sent.shared?.push(await send(w, shared));
      }
      const ask = async (id: number) => idsOf(await w.as("max").get("/messages", inChannel(id)));
      const received = [1, 3].map((i) => sent.closed?.[i] as number);
      expect(await ask(closed)).toEqual(received);
      expect(await ask(shared)).toEqual(sent.shared as number[]);
      expect(idsOf(await w.as("max").get("/messages", { message_ids: sent.closed }))).toEqual(received);
      const { body } = await w.as("max").get(`/users/me/${closed}/topics`);
      expect(body.topics).toEqual([{ name: "closed true", max_id: received[1] }]);
    });

    test("direct messages are visible only to participants", async () => {
      const w = world();
      const { id } = await sendMessage(w.ctx("mel"), {
        type: "direct",
        to: [w.user("max").id],
        content: "x",
      });
      expect(idsOf(await w.as("max").get("/messages", all))).toEqual([id]);
      expect(idsOf(await w.as("ada").get("/messages", all))).toEqual([]);
      const by = { operator: "id", operand: id };
      expect(idsOf(await w.as("ada").get("/messages", { ...all, narrow: [by] }))).toEqual([]);
    });
  });

  test("shows the empty topic under a name to clients that cannot show it", async () => {
    const { page, w, design } = await ten();
    const id = await send(w, design, { topic: "" });
    const subjectOf = async (more = {}) => (await page({ anchor: id, ...more })).body.messages[0].subject;
    expect(await subjectOf()).toBe("general chat");
    expect(await subjectOf({ allow_empty_topic_name: true })).toBe("");
  });
});

describe("update-message-flags-for-narrow", () => {
  const star = { op: "add", flag: "starred", narrow: [["topic", "lunch"]] };

  test("processes the messages that get-messages would return", async () => {
    const { w, ids } = await ten();
    const around = { anchor: ids[4], num_before: 2, num_after: 1, include_anchor: true };
    expect((await w.as("max").post("/messages/flags/narrow", { ...star, ...around })).body).toMatchObject({
      processed_count: 4,
      first_processed_id: ids[2],
      last_processed_id: ids[5],
      found_oldest: false,
      found_newest: false,
    });
    const starred = await w
      .as("max")
      .get("/messages", { anchor: "oldest", num_after: 9, narrow: [["is", "starred"]] });
    expect(idsOf(starred)).toEqual(ids.slice(2, 6));
  });

  test("processes fewer messages than requested, rather than refuse", async () => {
    const { w, ids } = await ten();
    const around = { anchor: ids[4], num_before: 100_000, num_after: 100_000 };
    expect((await w.as("max").post("/messages/flags/narrow", { ...star, ...around })).body).toMatchObject({
      processed_count: 10,
      found_oldest: true,
      found_newest: true,
    });
  });
});

describe("get-message", () => {
  test("returns one message with flags and its source", async () => {
    const { w, design } = await ten();
    const id = await send(w, design, { topic: "", content: "**bold**" });
    const { body } = await w.as("max").get(`/messages/${id}`);
    expect(body).toMatchObject({
      raw_content: "**bold**",
      message: { id, subject: "general chat", content: "<p><strong>bold</strong></p>", flags: [] },
    });
    const plain = { apply_markdown: false, allow_empty_topic_name: true };
    const { message } = (await w.as("ada").get(`/messages/${id}`, plain)).body;
    expect(message).toMatchObject({ subject: "", content: "**bold**", flags: ["read", "historical"] });
  });

  test("answers for an unreadable message as if it did not exist", async () => {
    const { w } = await ten();
    const secret = await send(w, await channel(w, "Secret", ["mel"], { invite_only: true }));
    const missing = await w.as("max").get("/messages/999");
    expect(missing).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
    expect((await w.as("max").get(`/messages/${secret}`)).body).toEqual(missing.body);
  });
});

describe("get-stream-topics", () => {
  test("lists topics once, newest first, in their latest spelling", async () => {
    const { w, design, ids } = await ten();
    const tea = await send(w, design, { topic: "tea" });
    const empty = await send(w, design, { topic: "" });
    const again = await send(w, design, { topic: "TEA" });
    const { body } = await w.as("max").get(`/users/me/${design}/topics`, { allow_empty_topic_name: true });
    expect(body.topics).toEqual([
      { name: "TEA", max_id: again },
      { name: "", max_id: empty },
      { name: "Lunch", max_id: ids[9] as number },
    ]);
    expect(tea).toBeLessThan(again);
    const older = (await w.as("ada").get(`/users/me/${design}/topics`)).body.topics;
    expect(older[1]).toEqual({ name: "general chat", max_id: empty });
  });

  test("requires access to the channel", async () => {
    const w = world();
    const secret = await channel(w, "Secret", ["mel"], { invite_only: true });
    const missing = await w.as("max").get("/users/me/999/topics");
    expect(missing).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
    expect((await w.as("max").get(`/users/me/${secret}/topics`)).body).toEqual(missing.body);
    expect(await w.as("ada").get(`/users/me/${secret}/topics`)).toMatchObject({ status: 400 });
  });

  test("is empty for an empty channel", async () => {
    const w = world();
    const id = await channel(w, "Empty", ["mel"]);
    expect((await w.as("mel").get(`/users/me/${id}/topics`)).body.topics).toEqual([]);
  });
});

describe("the cost of a page", () => {
  const many = 20_000;

  /** Twenty thousand messages; mel is in all channels, max in one with few messages. */
  async function large() {
    const w = world();
    const places = [0, 1, 2, 3].map((i) => channel(w, `channel ${i}`, ["mel", "ada"]));
    const busy = await Promise.all(places);
    const rare = await channel(w, "rare", ["mel", "max"]);
    await w.app.env.db.write(w.ctx("system"), (tx) => {
      const homes = busy.map((id) => channelConversation(tx, id));
      const pair = openDirectConversation(tx, [w.user("mel").id, w.user("ada").id]);
      for (let i = 0; i < many; i++) {
        const home = i % 1000 === 7 ? channelConversation(tx, rare) : i % 500 === 9 ? pair : homes[i % 4];
        insert(tx, home as number, {
          sender: w.user(i % 3 === 0 ? "mel" : "ada").id,
          topic: `topic ${i % 40}`,
          i,
        });
      }
    });
    return { w, busy, rare };
  }

  function insert(
    tx: Tx,
    home_id: number,
    { sender, topic, i }: { sender: number; topic: string; i: number },
  ) {
    insertMessage(tx, {
      conversation_id: home_id,
      home_id,
      seq: takeSeq(tx, home_id),
      sender_id: sender,
      client_id: openClient(tx, "test"),
      sent_at: tx.now,
      bits: i % 5000 === 11 ? 1 : 0,
      topic,
      topic_key: topic,
      content: "x",
      rendered: "<p>x</p>",
    });
  }

  interface Statement {
    sql: string;
    plan: string[];
    rows: number;
  }

  /** Runs `act`; returns its reads of messages, with query plans and row counts. */
  async function watched(w: World, act: () => Promise<unknown>): Promise<Statement[]> {
    const { db } = w.app.env;
    const seen: Statement[] = [];
    const all = db.all.bind(db);
    db.all = (sql, ...params) => {
      const rows = all(sql, ...params);
      const plan = all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...params).map((row) => row.detail);
      if (/\bmessages\b|message_flags/.test(sql)) seen.push({ sql, plan, rows: rows.length });
      return rows as never;
    };
    await act();
    db.all = all;
    return seen;
  }

  const isSlow = (detail: string) =>
    /USE TEMP B-TREE|^SCAN (messages|m|n|message_flags)\b/.test(detail) &&
    !detail.endsWith("INDEX messages_moved");

  test("depends on the page, not on the messages around it", async () => {
    const { w, busy, rare } = await large();
    const starred = (await w.as("mel").get("/messages", { anchor: "newest", num_before: 3 })).body.messages;
    const messages = starred.map((m: Json) => m.id);
    await updateFlags(w.ctx("mel"), { messages, op: "add", flag: "starred" });
    const inBusy = { operator: "channel", operand: busy[0] };
    const views: [CastName, Json[]][] = [
      ["mel", []],
      ["max", []],
      ["mel", [inBusy]],
      ["gus", []],
      ["max", [inBusy]],
      ["mel", [inBusy, ["topic", "topic 8"]]],
      ["max", [["topic", "topic 7"]]],
      ["mel", [{ operator: "channel", operand: rare }]],
      ["mel", [["is", "dm"]]],
      ["mel", [["dm", "ada@example.com"]]],
      ["mel", [["dm-including", "ada@example.com"]]],
      ["max", [["is", "dm"]]],
      ["max", [["sender", "max@example.com"]]],
      ["mel", [["sender", "ada@example.com"]]],
      ["mel", [["is", "starred"]]],
      ["mel", [["is", "mentioned"]]],
      ["max", [["is", "mentioned"]]],
      ["max", [["is", "unread"]]],
      ["max", [{ operator: "channels", operand: "public", negated: true }]],
      ["max", [["channels", "public"]]],
    ];
    for (const [who, narrow] of views) {
      for (const anchor of ["newest", many / 2]) {
        const asked = { anchor, num_before: 50, num_after: 50, narrow };
        const seen = await watched(w, () => w.as(who).get("/messages", asked));
        expect({ who, narrow, slow: seen.filter(({ plan }) => plan.some(isSlow)) }).toEqual({
          who,
          narrow,
          slow: [],
        });
        const rows = seen.reduce((sum, statement) => sum + statement.rows, 0);
        expect({ who, narrow, anchor, rows: Math.min(rows, 2000) }).toEqual({ who, narrow, anchor, rows });
      }
    }
  });

  test("of topics depends on the number of topics", async () => {
    const { w, busy } = await large();
    const path = `/users/me/${busy[0]}/topics`;
    const seen = await watched(w, async () => {
      expect((await w.as("mel").get(path)).body.topics).toHaveLength(10);
    });
    expect(seen.filter(({ plan }) => plan.some(isSlow))).toEqual([]);
    expect(seen.reduce((sum, { rows }) => sum + rows, 0)).toBe(10);
  });
});
