import { describe, expect, test } from "bun:test";
import { createUser, deactivateUser } from "@/foundation/accounts/actions.ts";
import { giveGrant } from "@/foundation/permissions/actions.ts";
import type {
  GrantName,
  GrantScope,
  GroupSettingValue,
  SystemGroupName,
} from "@/foundation/permissions/schema.ts";
import { systemGroupId } from "@/foundation/permissions/store.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { sendMessage } from "@/messaging/sending/actions.ts";
import { createBot } from "@/outside/bots/actions.ts";
import { createChannel } from "@/places/channel-administration/actions.ts";
import { unsubscribe } from "@/places/subscriptions/actions.ts";
import { site } from "../support/cast.ts";
import { dump } from "../support/kernel.ts";
import { basic, type Json, type Params, requestOf } from "../support/requests.ts";
import { type CastName, type TestQueue, type World, world } from "../support/world.ts";

const lunch = { type: "channel", to: "Design", topic: "Lunch", content: "hello" };

async function channel(w: World, name: string, who: readonly CastName[], more: Params = {}): Promise<number> {
  const subscribers = who.map((one) => w.user(one).id);
  return (await createChannel(w.ctx("mel"), { name, subscribers, ...more })).stream_id;
}

/** The channel design with mel, max and gus, and mel's private channel board. */
async function office() {
  const w = world();
  const design = await channel(w, "Design", ["mel", "max", "gus"]);
  const board = await channel(w, "board", ["mel"], { invite_only: true });
  const send = (params: Params = {}, who: CastName = "mel") =>
    w.as(who).post("/messages", { ...lunch, ...params });
  return { w, design, board, send };
}

const change = (w: World, body: (tx: Tx) => void) => w.app.env.db.write(w.ctx("system"), body);

function grant<S extends GrantScope>(
  w: World,
  permission: { scope: S; ownerId: number; name: GrantName<S> },
  who: SystemGroupName | CastName[],
): Promise<void> {
  return change(w, (tx) => {
    const value: GroupSettingValue = Array.isArray(who)
      ? { direct_members: who.map((one) => w.user(one).id), direct_subgroups: [] }
      : systemGroupId(tx, who);
    giveGrant(tx, permission, value);
  });
}

const grantInRealm = (w: World, name: GrantName<"realm">, who: SystemGroupName | CastName[]) =>
  grant(w, { scope: "realm", ownerId: 0, name }, who);

const grantInChannel = (
  w: World,
  id: number,
  name: GrantName<"channel">,
  who: SystemGroupName | CastName[],
) => grant(w, { scope: "channel", ownerId: id, name }, who);

const setTopicsPolicy = (w: World, id: number, policy: string) =>
  change(w, (tx) => void tx.run("UPDATE channels SET topics_policy = ? WHERE id = ?", policy, id));

/** Checks that the response is exactly this error, and that nothing is emitted or stored. */
async function refused(w: World, params: Params, error: Json, who: CastName = "mel"): Promise<void> {
  const { sqlite } = w.app.env.db;
  const before = dump(sqlite);
  const { status, body, events } = await w.as(who).post("/messages", { ...lunch, ...params });
  expect([status, body, events]).toEqual([400, { result: "error", ...error }, []]);
  expect(dump(sqlite)).toEqual(before);
}

const bad = (msg: unknown) => ({ code: "BAD_REQUEST", msg });

async function stored(w: World, id: number, who: CastName = "mel"): Promise<Json> {
  const { body } = await w.as(who).get(`/messages/${id}`, { apply_markdown: false });
  return body.message;
}

const pollMessages = async (queue: TestQueue) =>
  (await queue.poll()).filter(({ type }) => type === "message");

const byId = (w: World) => (a: CastName, b: CastName) => w.user(a).id - w.user(b).id;

/** Adds `count` people who are subscribed to a separate channel. */
async function crowd(w: World, count: number, name = "crowd") {
  const ids: number[] = [];
  for (let i = 0; i < count; i++) {
    const person = { email: `p${i}@example.com`, full_name: `Person ${i}` };
    ids.push((await createUser(w.ctx("ada"), person)).user.user_id);
  }
  const { stream_id } = await createChannel(w.ctx("ada"), { name, subscribers: ids });
  return { ids, stream_id };
}

describe("send-message", () => {
  describe("to a channel", () => {
    test("returns the ID and emits the message to exactly the subscribers", async () => {
      const { w, design, send } = await office();
      await send({ content: "hello" });
      const { body, events } = await send({ content: "**hello**" });

      expect(body).toEqual({ result: "success", msg: "", id: body.id });
      expect(events).toEqual([
        {
          audience: (["mel", "max", "gus"] as CastName[]).sort(byId(w)),
          event: {
            type: "message",
            message: {
              id: body.id,
              sender_id: w.user("mel").id,
              sender_email: "mel@example.com",
              sender_full_name: "Mel",
              sender_realm_str: "",
              client: "test",
              timestamp: w.clock.now(),
              avatar_url: expect.stringMatching(/^\/user_avatars\/.+\.png$/),
              type: "stream",
              stream_id: design,
              display_recipient: "Design",
              recipient_id: expect.any(Number),
              subject: "Lunch",
              topic_links: [],
              content: "<p><strong>hello</strong></p>",
              content_type: "text/html",
              is_me_message: false,
              reactions: [],
              submessages: [],
            },
          },
        },
      ]);
    });

    test("reaches the queues of subscribers and no others", async () => {
      const { w, send } = await office();
      const all = ["olive", "ada", "moss", "mel", "max", "gus", "bolt"] as const;
      const queues = await Promise.all(all.map((who) => w.queue(who, { event_types: ["message"] })));
      await send();
      const received = await Promise.all(queues.map(async (queue) => (await queue.poll()).length));
      expect(Object.fromEntries(all.map((who, i) => [who, received[i]]))).toEqual({
        olive: 0,
        ada: 0,
        moss: 0,
        mel: 1,
        max: 1,
        gus: 1,
        bolt: 0,
      });
    });

    test("does not reach users who left, and reaches those who joined", async () => {
      const { w, design, send } = await office();
      const queues = [await w.queue("max"), await w.queue("moss")] as const;
      await unsubscribe(w.ctx("max"), { channel_ids: [design] });
      await w.as("moss").post("/users/me/subscriptions", { subscriptions: [{ name: "Design" }] });
      const { events } = await send();
      expect(events[0]?.audience).toEqual((["mel", "gus", "moss"] as CastName[]).sort(byId(w)));
      expect(await Promise.all(queues.map(async (queue) => (await pollMessages(queue)).length))).toEqual([
        0, 1,
      ]);
    });

    test("does not reach deactivated users", async () => {
      const { w, send } = await office();
      await deactivateUser(w.ctx("ada"), w.user("max").id);
      const { events } = await send();
      expect(events[0]?.audience).toEqual((["mel", "gus"] as CastName[]).sort(byId(w)));
    });

    test("requires no subscription, and then does not reach its sender", async () => {
      const { w, send } = await office();
      const { status, events } = await send({}, "ada");
      expect([status, events[0]?.audience]).toEqual([
        200,
        (["mel", "max", "gus"] as CastName[]).sort(byId(w)),
      ]);
    });

    test("accepts the channel's name or ID in every form", async () => {
      const { design, send } = await office();
      const forms = ["Design", " dESIGN ", '"Design"', ["Design"], design, [design], `${design}`];
      for (const type of ["channel", "stream"]) {
        for (const to of forms) {
          const { body, events } = await send({ type, to });
          expect([to, body.msg]).toEqual([to, ""]);
          expect(events[0]?.event.message.stream_id).toBe(design);
        }
      }
    });

    test.each([
      ["digits", "42", '"42"'],
      ["a list", "[draft]", "[draft]"],
      ["addresses", "ask @ada, @mel", "ask @ada, @mel"],
      ["null", "null", "null"],
    ])("finds a channel whose name looks like %s", async (_, name, to) => {
      const { w, send } = await office();
      const id = await channel(w, name, ["mel"]);
      expect((await send({ to })).events[0]?.event.message.stream_id).toBe(id);
    });

    test("accepts the topic by its old name, and reports unsupported parameters", async () => {
      const { send } = await office();
      const { body, events } = await send({ topic: undefined, subject: "Lunch", forged: true });
      expect(body.ignored_parameters_unsupported).toEqual(["forged"]);
      expect(events[0]?.event.message.subject).toBe("Lunch");
    });

    test("refuses anonymous senders", async () => {
      const { w } = await office();
      expect(await w.anonymous.post("/messages", lunch)).toMatchObject({
        status: 401,
        body: { code: "UNAUTHORIZED" },
        events: [],
      });
    });

    test.each([
      ["no channel", { to: [] }],
      ["several channels", { to: ["Design", "board"] }],
    ])("refuses %s", async (_, params) => {
      const { w } = await office();
      await refused(w, params, bad("A channel message goes to exactly one channel."));
    });

    test.each([
      ["booleans", [true]],
      ["lists", [[1]]],
      ["fractions", [1.5]],
      ["objects", [{ id: 1 }]],
    ] as const)("refuses a list of %s", async (_, to) => {
      const { w } = await office();
      const error = bad("Recipients are IDs or names: numbers or strings.");
      await refused(w, { to }, error);
      await refused(w, { to, type: "direct" }, error);
    });

    test.each([["type"], ["to"], ["content"]])("refuses a missing %s", async (name) => {
      const { w } = await office();
      const error = { code: "REQUEST_VARIABLE_MISSING", msg: `Missing '${name}' argument`, var_name: name };
      await refused(w, { [name]: undefined }, error);
    });

    test("refuses an unknown type", async () => {
      const { w } = await office();
      await refused(
        w,
        { type: "group" },
        {
          code: "REQUEST_VARIABLE_INVALID",
          msg: "type must be one of: direct, channel, stream, private",
          var_name: "type",
        },
      );
    });
  });

  describe("to an inaccessible channel", () => {
    const unknownName = (stream: string) => ({
      code: "STREAM_DOES_NOT_EXIST",
      msg: `Channel '${stream}' does not exist`,
      stream,
    });
    const unknownId = (stream_id: number) => ({
      code: "STREAM_DOES_NOT_EXIST",
      msg: `Channel with ID '${stream_id}' does not exist`,
      stream_id,
    });
    const mayNot = (name: string) => bad(`You do not have permission to post in channel '${name}'.`);

    test("refuses an unknown channel, by name and by ID", async () => {
      const { w } = await office();
      await refused(w, { to: "nowhere" }, unknownName("nowhere"));
      await refused(w, { to: ["  Nowhere "] }, unknownName("Nowhere"));
      await refused(w, { to: "" }, unknownName(""));
      await refused(w, { to: 4711 }, unknownId(4711));
      await refused(w, { to: [-1] }, unknownId(-1));
      await refused(w, { to: 1e21 }, unknownId(1e21));
    });

    test("answers for an invisible private channel as if it did not exist", async () => {
      const { w, board } = await office();
      await refused(w, { to: "board" }, unknownName("board"), "max");
      await refused(w, { to: board }, unknownId(board), "max");
      await refused(w, { to: "board", topic: "", content: "@**all**" }, unknownName("board"), "max");
    });

    test("refuses an administrator who can only see a private channel", async () => {
      const { w, board } = await office();
      await refused(w, { to: board }, mayNot("board"), "ada");
      await refused(w, { to: "board" }, mayNot("board"), "ada");
    });

    test("allows users who may read a private channel without a subscription", async () => {
      const { w, board, send } = await office();
      await grantInChannel(w, board, "can_add_subscribers_group", ["max"]);
      const { status, events } = await send({ to: board }, "max");
      expect([status, events[0]?.audience]).toEqual([200, ["mel"]]);
    });

    test("refuses a guest in a public channel until subscribed", async () => {
      const { w, send } = await office();
      const id = await channel(w, "open", ["mel"]);
      await refused(w, { to: "open" }, unknownName("open"), "gus");
      await refused(w, { to: id }, unknownId(id), "gus");
      expect((await send({ to: "Design" }, "gus")).status).toBe(200);
    });

    test("refuses everyone in an archived channel", async () => {
      const { w, design } = await office();
      await change(w, (tx) => void tx.run("UPDATE channels SET is_archived = 1 WHERE id = ?", design));
      for (const who of ["mel", "olive", "bolt"] as const) await refused(w, {}, mayNot("Design"), who);
    });

    test("refuses everyone outside can_send_message_group, even administrators", async () => {
      const { w, design, send } = await office();
      await grantInChannel(w, design, "can_send_message_group", ["max"]);
      expect((await send({}, "max")).status).toBe(200);
      for (const who of ["mel", "olive", "gus", "bolt"] as const) await refused(w, {}, mayNot("Design"), who);

      await grantInChannel(w, design, "can_send_message_group", "role:members");
      expect((await send()).status).toBe(200);
      await refused(w, {}, mayNot("Design"), "gus");
    });

    test.each<[string, CastName, (w: World, id: number) => Promise<unknown>, (id: number) => Json]>([
      [
        "is archived",
        "max",
        (w, id) => change(w, (tx) => void tx.run("UPDATE channels SET is_archived = 1 WHERE id = ?", id)),
        () => mayNot("Design"),
      ],
      [
        "becomes private for someone outside",
        "olive",
        (w, id) => change(w, (tx) => void tx.run("UPDATE channels SET invite_only = 1 WHERE id = ?", id)),
        () => mayNot("Design"),
      ],
      [
        "loses a guest",
        "gus",
        (w, id) => unsubscribe(w.ctx("gus"), { channel_ids: [id] }),
        (id) => unknownId(id),
      ],
      [
        "is given to others",
        "max",
        (w, id) => grantInChannel(w, id, "can_send_message_group", ["mel"]),
        () => mayNot("Design"),
      ],
      [
        "has other topics",
        "max",
        (w, id) => setTopicsPolicy(w, id, "empty_topic_only"),
        () => bad("Only the general chat topic is allowed in this channel."),
      ],
    ])(
      "refuses at once, if the channel %s, who could send to the topic before",
      async (_, who, alter, error) => {
        const { w, design, send } = await office();
        for (let i = 0; i < 2; i++) expect((await send({ to: design }, who)).status).toBe(200);
        await alter(w, design);
        await refused(w, { to: design }, error(design), who);
      },
    );

    describe("by a bot", () => {
      test("may post with its owner's permission", async () => {
        const { w, design, send } = await office();
        await grantInChannel(w, design, "can_send_message_group", ["mel"]);
        expect((await send({}, "bolt")).status).toBe(200);
      });

      test("may post with its own permission, which its owner does not inherit", async () => {
        const { w, design, send } = await office();
        await grantInChannel(w, design, "can_send_message_group", ["bolt"]);
        expect((await send({}, "bolt")).status).toBe(200);
        await refused(w, {}, mayNot("Design"));
      });

      test("reaches only its owner's private channels", async () => {
        const { w, board, send } = await office();
        expect((await send({ to: board }, "bolt")).events[0]?.audience).toEqual(["mel"]);
        expect((await send({ to: "board" }, "bolt")).status).toBe(200);

        const bot = await createBot(w.ctx("max"), { full_name: "Other", short_name: "other" });
        const other = w.login(bot.user.email, bot.api_key);
        expect(await other.post("/messages", { ...lunch, to: board })).toMatchObject({
          status: 400,
          body: unknownId(board),
          events: [],
        });
      });

      test("is deactivated with its owner", async () => {
        const { w, board, send } = await office();
        await deactivateUser(w.ctx("ada"), w.user("mel").id);
        expect(await send({ to: board }, "bolt")).toMatchObject({
          status: 401,
          body: { code: "USER_DEACTIVATED" },
          events: [],
        });
      });
    });
  });

  describe("topics", () => {
    test.each([
      ["a topic", "Lunch", "Lunch"],
      ["spaces around it", "  Lunch ", "Lunch"],
      ["the empty one", "", ""],
      ["blanks alone", " \t ", ""],
      ["(no topic)", "(no topic)", ""],
      ["(no topic) among blanks", " (no topic) ", ""],
      ["the display name of the empty one", "general chat", ""],
      ["60 characters", "x".repeat(60), "x".repeat(60)],
      ["more than 60", "x".repeat(61), `${"x".repeat(57)}...`],
      ["60 beyond the first plane", "😀".repeat(60), "😀".repeat(60)],
      ["more of those", "😀".repeat(61), `${"😀".repeat(57)}...`],
    ])("takes %s", async (_, topic, subject) => {
      const { w, send } = await office();
      const queue = await w.queue("max");
      const old = await w.queue("max", { client_capabilities: {} });
      await send({ topic });
      expect((await pollMessages(queue))[0].message.subject).toBe(subject);
      expect((await pollMessages(old))[0].message.subject).toBe(subject === "" ? "general chat" : subject);
    });

    test("are the same ignoring case; each message keeps its own spelling", async () => {
      const { w, design, send } = await office();
      const subjects = [];
      for (const topic of ["Lunch", "LUNCH"])
        subjects.push((await send({ topic })).events[0]?.event.message.subject);
      expect(subjects).toEqual(["Lunch", "LUNCH"]);
      expect((await w.as("mel").get(`/users/me/${design}/topics`)).body.topics).toHaveLength(1);
    });

    test("contain links", async () => {
      const { send } = await office();
      const { events } = await send({ topic: "see https://example.com/a, please" });
      expect(events[0]?.event.message.topic_links).toEqual([
        { text: "https://example.com/a", url: "https://example.com/a" },
      ]);
    });

    test("are required", async () => {
      const { w } = await office();
      await refused(w, { topic: undefined }, bad("A channel message needs a topic."));
    });

    test.each([["a\u0007b"], ["a\nb"], ["a\0b"], ["a\u{e0080}b"]])("refuse %j", async (topic) => {
      const { w } = await office();
      await refused(w, { topic }, bad("Invalid character in topic!"));
    });

    const noEmpty = bad("Sending messages to the general chat is not allowed in this channel.");
    const onlyEmpty = bad("Only the general chat topic is allowed in this channel.");
    const empty = ["", "(no topic)", "general chat"];

    test("may not be empty if the organization says so, unless the channel overrides it", async () => {
      const { w, design, send } = await office();
      for (const topic of empty) expect((await send({ to: design, topic })).status).toBe(200);
      await change(w, (tx) => realmSettings.write(tx, "topics_policy", "disable_empty_topic"));
      for (const topic of empty) await refused(w, { topic }, noEmpty);
      for (const topic of empty) await refused(w, { to: design, topic }, noEmpty);
      expect((await send()).status).toBe(200);
      await setTopicsPolicy(w, design, "allow_empty_topic");
      expect((await send({ topic: "" })).status).toBe(200);
    });

    test("may not be empty if the channel says so", async () => {
      const { w, design, send } = await office();
      await setTopicsPolicy(w, design, "disable_empty_topic");
      for (const topic of empty) await refused(w, { topic }, noEmpty);
      expect((await send()).status).toBe(200);
    });

    test("must be empty if the channel says so", async () => {
      const { w, design, send } = await office();
      await setTopicsPolicy(w, design, "empty_topic_only");
      await refused(w, { topic: "Lunch" }, onlyEmpty);
      for (const topic of empty) expect((await send({ topic })).status).toBe(200);
    });
  });

  describe("content", () => {
    test.each([
      ["loses trailing blanks", "a  \n\t\n", "a"],
      ["keeps leading ones", "    a", "    a"],
      ["has line ends of one kind", "a\r\nb\r\n", "a\nb"],
    ])("%s", async (_, content, raw) => {
      const { w, send } = await office();
      expect((await stored(w, (await send({ content })).body.id)).content).toBe(raw);
    });

    test("is truncated at 10,000 characters, including the notice", async () => {
      const { w, send } = await office();
      const most = "𝒳".repeat(10_000);
      expect((await stored(w, (await send({ content: most })).body.id)).content).toBe(most);
      const { content } = await stored(w, (await send({ content: `${most}𝒳` })).body.id);
      expect(content).toEndWith("𝒳\n[message truncated]");
      expect([...content]).toHaveLength(10_000);
    });

    test("is measured after trimming", async () => {
      const { w, send } = await office();
      const { body } = await send({ content: `${"x".repeat(10_000)}\r\n  ` });
      expect((await stored(w, body.id)).content).toBe("x".repeat(10_000));
    });

    test("may be a /me message", async () => {
      const { send } = await office();
      expect((await send({ content: "/me waves" })).events[0]?.event.message.is_me_message).toBe(true);
    });

    test.each([
      ["is nothing", "", "Message must not be empty"],
      ["is blank", " \r\n\t", "Message must not be empty"],
      ["holds a null byte", "a\0b", "Message must not contain null bytes"],
    ])("is refused where it %s", async (_, content, msg) => {
      const { w } = await office();
      await refused(w, { content }, bad(msg));
      await refused(w, { content, type: "direct", to: [w.user("max").id] }, bad(msg));
    });

    test("is checked before the channel", async () => {
      const { w } = await office();
      await refused(w, { content: " ", to: "nowhere" }, bad("Message must not be empty"));
    });

    test("does not link to messages that its sender may not read", async () => {
      const { design, send } = await office();
      const id = (await send({ to: "board", topic: "plans" })).body.id;
      const linked = async (who: CastName) => {
        const { events } = await send({ to: design, content: "#**board>plans**" }, who);
        return events[0]?.event.message.content;
      };
      expect(await linked("mel")).toContain(`/with/${id}"`);
      expect(await linked("ada")).toEndWith('/topic/plans">#board &gt; plans</a></p>');
      expect(await linked("max")).toBe("<p>#**board&gt;plans**</p>");

      const toMessage = async (who: CastName) => {
        const { events } = await send({ to: design, content: `#**board>plans@${id}**` }, who);
        return events[0]?.event.message.content;
      };
      expect(await toMessage("mel")).toContain(`class="message-link" href="/#narrow/channel/`);
      expect(await toMessage("mel")).toContain(`-board/topic/plans/near/${id}"`);
      expect(await toMessage("max")).toBe(`<p>#**board&gt;plans@${id}**</p>`);
    });
  });

  describe("to people", () => {
    test("emits it to everyone in the conversation, including the sender", async () => {
      const { w, send } = await office();
      const { id, email } = w.user("max");
      const { body, events } = await send({ type: "direct", to: [id], topic: "ignored \u0007" });
      expect(body).toEqual({ result: "success", msg: "", id: body.id });
      expect(events).toMatchObject([
        {
          audience: ["mel", "max"],
          event: { message: { id: body.id, type: "private", subject: "", topic_links: [] } },
        },
      ]);
      const message = events[0]?.event.message;
      expect(message).not.toHaveProperty("stream_id");
      expect(message.display_recipient).toEqual([
        { id: w.user("mel").id, email: "mel@example.com", full_name: "Mel", is_mirror_dummy: false },
        { id, email, full_name: "Max", is_mirror_dummy: false },
      ]);
    });

    test("is one conversation from both ends", async () => {
      const { w, send } = await office();
      const there = await send({ type: "direct", to: [w.user("max").id] });
      const back = await send({ type: "private", to: "mel@example.com" }, "max");
      const group = await send({ type: "direct", to: [w.user("max").id, w.user("gus").id] });
      const [one, two, three] = [there, back, group].map(
        ({ events }) => events[0]?.event.message.recipient_id,
      );
      expect(one).toBe(two);
      expect(one).not.toBe(three);
    });

    const forms: [string, (w: World) => unknown, CastName[]][] = [
      ["nobody", () => [], ["mel"]],
      ["oneself", (w) => w.user("mel").id, ["mel"]],
      ["oneself by address", () => "mel@example.com", ["mel"]],
      ["a bare ID", (w) => w.user("max").id, ["mel", "max"]],
      ["a list of one ID", (w) => [w.user("max").id], ["mel", "max"]],
      ["a bare address", () => "max@example.com", ["mel", "max"]],
      ["an address as JSON", () => '"max@example.com"', ["mel", "max"]],
      ["an address in another case", () => [" MAX@Example.com "], ["mel", "max"]],
      ["addresses joined by commas", () => "max@example.com, gus@example.com", ["mel", "max", "gus"]],
      ["a comma too many", () => "max@example.com,", ["mel", "max"]],
      ["a list of addresses", () => ["max@example.com", "gus@example.com"], ["mel", "max", "gus"]],
      ["a list of IDs", (w) => [w.user("gus").id, w.user("max").id], ["mel", "max", "gus"]],
      ["the same twice", (w) => [w.user("max").id, w.user("max").id], ["mel", "max"]],
      ["oneself among others", (w) => [w.user("mel").id, w.user("max").id], ["mel", "max"]],
    ];
    test.each(forms)("takes %s", async (_, to, audience) => {
      const { w, send } = await office();
      for (const type of ["direct", "private"]) {
        const { body, events } = await send({ type, to: to(w), topic: undefined });
        expect([body.msg, events[0]?.audience]).toEqual(["", audience.toSorted(byId(w))]);
      }
    });

    const strangers: [string, (w: World) => unknown, string][] = [
      ["an unknown ID", () => [4711], "Invalid user ID 4711"],
      ["an unknown ID among known ones", (w) => [w.user("max").id, -1], "Invalid user ID -1"],
      ["an unknown address", () => "nobody@example.com", "Invalid email 'nobody@example.com'"],
      ["no address at all", () => "", "Invalid email ''"],
      ["a comma alone", () => ",", "Invalid email ','"],
      [
        "someone deactivated",
        (w) => [w.user("dex").id],
        "'dex@example.com' is no longer using this organization.",
      ],
      [
        "someone deactivated in a group",
        () => "max@example.com,dex@example.com",
        "'dex@example.com' is no longer using this organization.",
      ],
      [
        "IDs and addresses together",
        (w) => [w.user("max").id, "gus@example.com"],
        "Recipient lists may contain emails or user IDs, but not both.",
      ],
    ];
    test.each(strangers)("refuses %s", async (_, to, msg) => {
      const { w } = await office();
      await refused(w, { type: "direct", to: to(w) }, bad(msg));
    });

    describe("with limited permission", () => {
      const direct = (w: World, ...who: CastName[]) => ({
        type: "direct",
        to: who.map((one) => w.user(one).id),
      });
      const unauthorized = bad("This conversation does not include any users who can authorize it.");
      const mayNotBegin = bad("You do not have permission to initiate direct message conversations.");

      test("requires a participant who may authorize it", async () => {
        const { w, send } = await office();
        await grantInRealm(w, "direct_message_permission_group", ["max"]);
        await refused(w, direct(w, "gus"), unauthorized);
        expect((await send(direct(w, "gus", "max"))).status).toBe(200);
        expect((await send(direct(w, "gus"), "max")).status).toBe(200);
      });

      test("requires no permission with bots and oneself", async () => {
        const { w, send } = await office();
        for (const name of ["direct_message_permission_group", "direct_message_initiator_group"] as const)
          await grantInRealm(w, name, "role:nobody");
        for (const params of [direct(w), direct(w, "mel"), direct(w, "bolt")])
          expect((await send(params)).status).toBe(200);
        expect((await send(direct(w, "max", "gus"), "bolt")).status).toBe(200);
        await refused(w, direct(w, "max", "bolt"), unauthorized);
      });

      test("may only be started by users with permission", async () => {
        const { w, send } = await office();
        await grantInRealm(w, "direct_message_initiator_group", ["max"]);
        await refused(w, direct(w, "max"), mayNotBegin);
        expect((await send(direct(w, "mel"), "max")).status).toBe(200);
        expect((await send(direct(w, "max"))).status).toBe(200);
        await refused(w, direct(w, "max", "gus"), mayNotBegin);
      });
    });
  });

  describe("forms of the event", () => {
    const picture = expect.stringMatching(/^\/user_avatars\//);
    test.each([
      ["rendered", { apply_markdown: true }, "<p><em>hi</em></p>", "text/html"],
      ["raw", { apply_markdown: false }, "*hi*", "text/x-markdown"],
    ])("%s", async (_, options, content, content_type) => {
      const { w, send } = await office();
      const queue = await w.queue("max", options);
      await send({ content: "*hi*" });
      expect(await pollMessages(queue)).toMatchObject([{ message: { content, content_type }, flags: [] }]);
    });

    test.each([
      ["with pictures", false, picture],
      ["for who draws them", true, null],
    ])("%s", async (_, client_gravatar, avatar_url) => {
      const { w, send } = await office();
      const queue = await w.queue("max", { client_gravatar });
      await send();
      await send({ type: "direct", to: "max@example.com" });
      expect((await pollMessages(queue)).map(({ message }) => message.avatar_url)).toEqual([
        avatar_url,
        avatar_url,
      ]);
    });

    test("never name the topic of a direct message", async () => {
      const { w, send } = await office();
      const old = await w.queue("max", { client_capabilities: {} });
      await send({ type: "direct", to: "max@example.com" });
      expect((await pollMessages(old))[0].message.subject).toBe("");
    });

    test("are the same as those of get-messages", async () => {
      const { w, send } = await office();
      const queue = await w.queue("max");
      const { body } = await send({ content: "@**Max** and @**all**" });
      const [event] = await pollMessages(queue);
      const read = (await w.as("max").get(`/messages/${body.id}`, { allow_empty_topic_name: true })).body;
      const { flags, ...message } = read.message;
      expect(event.message).toEqual(message);
      expect(event.flags.toSorted()).toEqual(flags.toSorted());
    });
  });

  describe("the echo", () => {
    const echoOf = ({ local_id, local_message_id }: Json) => [local_id, local_message_id];
    const none = [undefined, undefined];

    test("comes only to the queue that requested it", async () => {
      const { w, send } = await office();
      const [asked, mine, other] = [await w.queue("mel"), await w.queue("mel"), await w.queue("max")];
      await send({ queue_id: asked.id, local_id: "12.01" });
      expect((await pollMessages(asked)).map(echoOf)).toEqual([["12.01", "12.01"]]);
      expect((await pollMessages(mine)).map(echoOf)).toEqual([none]);
      expect((await pollMessages(other)).map(echoOf)).toEqual([none]);
    });

    test("works with direct messages too", async () => {
      const { w, send } = await office();
      const asked = await w.queue("mel");
      await send({ type: "direct", to: "max@example.com", queue_id: asked.id, local_id: "a" });
      expect((await pollMessages(asked)).map(echoOf)).toEqual([["a", "a"]]);
    });

    test("comes only to that queue if the sender is not subscribed", async () => {
      const { w, send } = await office();
      const [asked, mine] = [await w.queue("ada"), await w.queue("ada")];
      await send({ queue_id: asked.id, local_id: "a", content: "@**all**" }, "ada");
      const events = await pollMessages(asked);
      expect(events.map(echoOf)).toEqual([["a", "a"]]);
      expect(events[0].flags).toEqual([]);
      expect(await pollMessages(mine)).toEqual([]);
    });

    test("never comes to another user's queue", async () => {
      const { w, send } = await office();
      const [theirs, mine, outside] = [await w.queue("max"), await w.queue("mel"), await w.queue("moss")];
      expect((await send({ queue_id: theirs.id, local_id: "a" })).status).toBe(200);
      expect((await send({ queue_id: outside.id, local_id: "b" })).status).toBe(200);
      expect((await pollMessages(theirs)).map(echoOf)).toEqual([none, none]);
      expect((await pollMessages(mine)).map(echoOf)).toEqual([none, none]);
      expect(await pollMessages(outside)).toEqual([]);
    });

    test("is ignored if the queue has ended", async () => {
      const { w, send } = await office();
      const queue = await w.queue("mel");
      expect((await send({ queue_id: "no such queue", local_id: "a" })).status).toBe(200);
      expect((await pollMessages(queue)).map(echoOf)).toEqual([none]);
    });

    test("requires a local ID, which has no effect without a queue", async () => {
      const { w, send } = await office();
      const queue = await w.queue("mel");
      await refused(
        w,
        { queue_id: queue.id },
        { code: "REQUEST_VARIABLE_MISSING", msg: "Missing 'local_id' argument", var_name: "local_id" },
      );
      const { body } = await send({ local_id: "a" });
      expect(body).toMatchObject({ result: "success", msg: "", id: body.id });
      expect(body).not.toHaveProperty("ignored_parameters_unsupported");
      expect((await pollMessages(queue)).map(echoOf)).toEqual([none]);
    });
  });

  describe("all public channels", () => {
    const everywhere = { all_public_streams: true, event_types: ["message"] };

    test("are received once, subscribed or not, without private ones and direct messages", async () => {
      const { w, send } = await office();
      const [outside, inside] = [await w.queue("moss", everywhere), await w.queue("max", everywhere)];
      const id = (await send()).body.id;
      await send({ to: "board" });
      await send({ type: "direct", to: "gus@example.com" });
      for (const queue of [outside, inside])
        expect((await pollMessages(queue)).map(({ message }) => message.id)).toEqual([id]);
    });

    test("are received once if the queue also expects an echo", async () => {
      const { w, send } = await office();
      const queue = await w.queue("moss", everywhere);
      await send({ queue_id: queue.id, local_id: "a" }, "moss");
      expect(await pollMessages(queue)).toMatchObject([{ local_id: "a", local_message_id: "a" }]);
    });

    test("are not subscriptions: wildcards only mention subscribers", async () => {
      const { w, send } = await office();
      const [outside, inside] = [await w.queue("moss", everywhere), await w.queue("max", everywhere)];
      await send({ content: "@**all** @**Moss**" });
      expect((await pollMessages(outside))[0].flags).toEqual([]);
      expect((await pollMessages(inside))[0].flags).toEqual([
        "stream_wildcard_mentioned",
        "wildcard_mentioned",
      ]);
    });
  });

  describe("read by its sender", () => {
    const sendBy = (w: World, agent: string | null, params: Params) => {
      const { email, key } = w.user("mel");
      const headers: Record<string, string> = { authorization: basic(email, key) };
      if (agent !== null) headers["user-agent"] = agent;
      return w.app.fetch(requestOf(`${site}/api/v1/messages`, "POST", { params, headers }));
    };

    test.each([
      ["as told", "test/1.0", true, true],
      ["not, as told", "website/1.0", false, false],
      ["not by an API client", "test/1.0", undefined, false],
      ["not without a client's name", null, undefined, false],
      ["not by a library", "ZulipPython/0.9", undefined, false],
      ["by the web app", "website", undefined, true],
      ["by a desktop app", "Confab Desktop App/2.0 (Linux)", undefined, true],
      ["by a phone", "ZulipFlutter/30.0.250", undefined, true],
      ["by an older phone", "ZulipMobile/27.0", undefined, true],
      ["by a terminal", "ZulipTerminal/0.7.0", undefined, true],
    ])("%s", async (_, agent, read_by_sender, isRead) => {
      const { w } = await office();
      const queues = [await w.queue("mel"), await w.queue("max")];
      for (const place of [lunch, { type: "direct", to: "max@example.com", content: "hi" }]) {
        const response = await sendBy(w, agent, { ...place, read_by_sender });
        const { id } = (await response.json()) as Json;
        const flags = await Promise.all(queues.map(async (queue) => (await pollMessages(queue))[0].flags));
        expect(flags).toEqual([isRead ? ["read"] : [], []]);
        expect((await stored(w, id)).flags).toEqual(isRead ? ["read"] : []);
      }
    });

    test("refuses values that are not boolean", async () => {
      const { w } = await office();
      await refused(
        w,
        { read_by_sender: 1 },
        {
          code: "REQUEST_VARIABLE_INVALID",
          msg: "read_by_sender is not a boolean",
          var_name: "read_by_sender",
        },
      );
    });
  });

  describe("mentions", () => {
    const everyone = ["mel", "max", "gus"] as const;

    /** The flags in each subscriber's event; reading the message must return the same. */
    async function flagsReceived(
      w: World,
      content: string,
      more: Params = {},
    ): Promise<Record<string, string[]>> {
      const queues = await Promise.all(everyone.map((who) => w.queue(who)));
      const { body } = await w.as("mel").post("/messages", { ...lunch, content, ...more });
      const received: Record<string, string[]> = {};
      for (const [i, who] of everyone.entries()) {
        const [event] = await pollMessages(queues[i] as TestQueue);
        if (!event) continue;
        const flags = event.flags.toSorted();
        expect((await stored(w, body.id, who)).flags.toSorted()).toEqual(flags);
        if (flags.length > 0) received[who] = flags;
      }
      return received;
    }

    const max = (w: World) => w.user("max").id;
    const cases: [string, (w: World) => string, Record<string, string[]>][] = [
      ["by name", () => "@**Max**", { max: ["mentioned"] }],
      ["by name in another case", () => "@**MAX**", { max: ["mentioned"] }],
      ["by name and ID", (w) => `@**Max|${max(w)}**`, { max: ["mentioned"] }],
      ["by ID", (w) => `@**|${max(w)}**`, { max: ["mentioned"] }],
      ["several people", () => "@**Max** @**Gus**", { max: ["mentioned"], gus: ["mentioned"] }],
      ["the sender", () => "@**Mel**", { mel: ["mentioned"] }],
      ["nobody by a name and another's ID", (w) => `@**Gus|${max(w)}**`, {}],
      ["nobody silently", () => "@_**Max**", {}],
      ["nobody in a quote", () => "> @**Max**", {}],
      ["nobody in code", () => "`@**Max**`", {}],
      ["nobody who is unknown", () => "@**Nobody**", {}],
      ["nobody who is not subscribed", () => "@**Moss**", {}],
      ["nobody who is deactivated", () => "@**Dex**", {}],
      ["no system group", () => "@*role:members*", {}],
    ];
    test.each(cases)("tell %s", async (_, content, flags) => {
      const { w } = await office();
      expect(await flagsReceived(w, content(w))).toEqual(flags);
    });

    test("are set together with the sender's read flag", async () => {
      const { w } = await office();
      const flags = await flagsReceived(w, "@**Mel**", { read_by_sender: true });
      expect(flags).toEqual({ mel: ["mentioned", "read"] });
    });

    test("reach only the participants of a direct message", async () => {
      const { w } = await office();
      const params = { type: "direct", to: "max@example.com" };
      expect(await flagsReceived(w, "@**Max** @**Gus**", params)).toEqual({ max: ["mentioned"] });
    });

    describe("of a group", () => {
      const groupOf = (w: World, ...who: CastName[]) =>
        w.app.env.db.write(w.ctx("system"), (tx) => {
          const { lastInsertRowid: id } = tx.run(
            "INSERT INTO user_groups (kind, name, name_key) VALUES ('named', 'Painters', 'painters')",
          );
          for (const one of who)
            tx.run("INSERT INTO group_members (group_id, user_id) VALUES (?, ?)", id, w.user(one).id);
          return id;
        });

      test("notify its members who are subscribed", async () => {
        const { w } = await office();
        await groupOf(w, "max", "moss", "dex");
        expect(await flagsReceived(w, "@*Painters*")).toEqual({ max: ["mentioned"] });
        expect(await flagsReceived(w, "@_*Painters*")).toEqual({});
      });

      test("require permission, except silent ones", async () => {
        const { w, send } = await office();
        const ownerId = await groupOf(w, "max");
        await grant(w, { scope: "group", ownerId, name: "can_mention_group" }, "role:nobody");
        const msg = "You are not allowed to mention one of the user groups in this message.";
        await refused(w, { content: "@*painters*" }, bad(msg));
        await refused(w, { content: "@*painters*", type: "direct", to: "max@example.com" }, bad(msg));
        expect((await send({ content: "@_*painters*" })).status).toBe(200);
        expect((await send({ content: "`@*painters*`" })).status).toBe(200);
      });
    });

    describe("of a whole channel", () => {
      const wildcard = ["stream_wildcard_mentioned", "wildcard_mentioned"];
      const notAllowed = {
        code: "STREAM_WILDCARD_MENTION_NOT_ALLOWED",
        msg: "You do not have permission to use channel wildcard mentions here.",
      };

      test.each([["all"], ["everyone"], ["channel"], ["stream"]])(
        "tell everyone subscribed: %s",
        async (name) => {
          const { w } = await office();
          expect(await flagsReceived(w, `@**${name}**`)).toEqual({
            mel: wildcard,
            max: wildcard,
            gus: wildcard,
          });
          expect(await flagsReceived(w, `@_**${name}**`)).toEqual({});
        },
      );

      test("are allowed to all up to 15 subscribers", async () => {
        const { w, send } = await office();
        const { stream_id } = await crowd(w, 15);
        expect((await send({ to: stream_id, content: "@**all**" })).status).toBe(200);
      });

      test("require permission beyond that", async () => {
        const { w, send } = await office();
        const { stream_id } = await crowd(w, 16);
        for (const who of ["mel", "moss", "bolt"] as const)
          await refused(w, { to: stream_id, content: "@**all**" }, notAllowed, who);
        expect((await send({ to: stream_id, content: "@_**all**" })).status).toBe(200);
        expect((await send({ to: stream_id, content: "@**all**" }, "ada")).status).toBe(200);

        await grantInRealm(w, "can_mention_many_users_group", ["mel"]);
        expect((await send({ to: stream_id, content: "@**all**" })).status).toBe(200);
        await refused(w, { to: stream_id, content: "@**all**" }, notAllowed, "ada");
      });

      test("require none in direct messages", async () => {
        const { w, send } = await office();
        const { ids } = await crowd(w, 16);
        expect((await send({ type: "direct", to: ids, content: "@**all**" })).status).toBe(200);
      });
    });

    describe("of a topic", () => {
      const wildcard = ["topic_wildcard_mentioned", "wildcard_mentioned"];
      const notAllowed = {
        code: "TOPIC_WILDCARD_MENTION_NOT_ALLOWED",
        msg: "You do not have permission to use topic wildcard mentions here.",
      };

      test("notify subscribers who posted there", async () => {
        const { w, send } = await office();
        await send({ topic: "LUNCH" }, "max");
        await send({ topic: "Other" }, "gus");
        await send({}, "moss");
        expect(await flagsReceived(w, "@**topic**")).toEqual({ mel: wildcard, max: wildcard });
        expect(await flagsReceived(w, "@_**topic**")).toEqual({});
      });

      test("together with the channel name every flag once", async () => {
        const { w } = await office();
        const both = ["stream_wildcard_mentioned", ...wildcard];
        const all = ["stream_wildcard_mentioned", "wildcard_mentioned"];
        expect(await flagsReceived(w, "@**topic** @**all**")).toEqual({ mel: both, max: all, gus: all });
      });

      test("require permission beyond 15 participants, including the sender", async () => {
        const { w, send } = await office();
        const { ids, stream_id } = await crowd(w, 15);
        const first = { type: "channel", to: [stream_id], topic: "Lunch", content: "hello" } as const;
        for (const id of ids) await sendMessage(w.app.ctx({ kind: "user", id, client: "test" }), first);
        const params = { to: stream_id, content: "@**topic**" };
        await refused(w, params, notAllowed);
        expect((await send({ ...params, content: "@_**topic**" })).status).toBe(200);
        await refused(w, params, notAllowed);
        expect((await send(params, "ada")).status).toBe(200);
        expect((await send({ ...params, topic: "Other" })).status).toBe(200);

        await grantInRealm(w, "can_mention_many_users_group", ["mel"]);
        expect((await send(params)).status).toBe(200);
      });
    });
  });
});

describe("render-message", () => {
  const rendered = async (w: World, content: string, who: CastName = "mel") =>
    (await w.as(who).post("/messages/render", { content })).body.rendered;

  test("makes links within this organization relative", async () => {
    const w = world();
    const content = `[here](${w.app.env.site}/#narrow/dm/1)`;
    const { body } = await w.as("mel").post("/messages/render", { content });
    expect(body.rendered).toBe('<p><a href="#narrow/dm/1">here</a></p>');
  });

  test("only shows what a message would look like", async () => {
    const { w, send } = await office();
    const content = "@**Max** see #**Design** :smile:\n\n* `one`";
    const { sqlite } = w.app.env.db;
    const before = dump(sqlite);
    const { body, events } = await w.as("mel").post("/messages/render", { content });
    expect([events, dump(sqlite)]).toEqual([[], before]);

    expect(body).toEqual({ result: "success", msg: "", rendered: expect.stringContaining("user-mention") });
    expect((await send({ content })).events[0]?.event.message.content).toBe(body.rendered);
  });

  test("shows only what the actor may see", async () => {
    const { w } = await office();
    expect(await rendered(w, "#**board**", "mel")).toContain("data-stream-id");
    expect(await rendered(w, "#**board**", "max")).not.toContain("data-stream-id");
  });

  test("uses the organization's default code language, as messages do", async () => {
    const { w, send } = await office();
    await change(w, (tx) => realmSettings.write(tx, "default_code_block_language", "python"));
    const content = "```\nimport os\n```";
    expect(await rendered(w, content)).toStartWith('<div class="codehilite" data-code-language="Python">');
    expect((await send({ content })).events[0]?.event.message.content).toBe(await rendered(w, content));
  });

  test.each([[""], [" \r\n "]])("shows nothing for %j", async (content) => {
    expect(await rendered(world(), content)).toBe("");
  });

  test("shows a long message truncated", async () => {
    expect(await rendered(world(), "x".repeat(10_001))).toEndWith("x<br>\n[message truncated]</p>");
  });

  test("mentions nobody, so requires no permission", async () => {
    const { w } = await office();
    await crowd(w, 16);
    expect(await rendered(w, "@**all**")).toContain("channel-wildcard-mention");
  });

  test("refuses missing content, and requires a login", async () => {
    const { as, anonymous } = world();
    expect(await as("mel").post("/messages/render", {})).toMatchObject({
      status: 400,
      body: { code: "REQUEST_VARIABLE_MISSING", msg: "Missing 'content' argument", var_name: "content" },
      events: [],
    });
    expect((await anonymous.post("/messages/render", { content: "a" })).status).toBe(401);
  });
});
