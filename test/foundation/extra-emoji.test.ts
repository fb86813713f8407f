// The server's own emoji: `:confab:`, which existing clients offer as `:zulip:`.
import { describe, expect, test } from "bun:test";
import { rasterOf } from "@/foundation/files/raster.ts";
import { site } from "../support/cast.ts";
import { file, png } from "../support/pictures.ts";
import { basic, type Json, type Method, type Params, requestOf } from "../support/requests.ts";
import { type World, world } from "../support/world.ts";

const confab = { emoji_name: "confab", emoji_code: "confab", reaction_type: "service_extra_emoji" };
const asOlder = { ...confab, reaction_type: "zulip_extra_emoji" };
const pictureOf = (name: string) => `/static/generated/emoji/images/emoji/unicode/${name}.png`;

async function messageWorld() {
  const w = world();
  const to = { type: "direct", to: [w.user("max").id], content: "?" };
  const { body } = await w.as("mel").post("/messages", to);
  return { ...w, message: `/messages/${body.id}`, path: `/messages/${body.id}/reactions` };
}

const rendered = async (w: World, content: string): Promise<string> =>
  (await w.as("max").post("/messages/render", { content })).body.rendered;

describe("get-extra-emoji-picture", () => {
  test.each(["confab", "zulip"])("is a small picture without a login under the name %s", async (name) => {
    const answer = await world().anonymous.request(pictureOf(name));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("image/png");
    expect(await rasterOf(new Bun.Image(await answer.arrayBuffer()))).toMatchObject({
      width: 64,
      height: 64,
    });
  });

  test("answers 404 for other names", async () => {
    expect((await world().anonymous.request(pictureOf("smile"))).status).toBe(404);
  });
});

describe("the server's own emoji", () => {
  test.each(["confab", "zulip"])("is a picture in messages as :%s:", async (name) => {
    expect(await rendered(world(), `a :${name}: b`)).toBe(
      `<p>a <img alt=":${name}:" class="emoji" src="${pictureOf(name)}" title="${name}"> b</p>`,
    );
  });

  test.each([
    ["by name", { emoji_name: "confab" }],
    ["by the family's name", { emoji_name: "zulip" }],
    ["by name and code", { emoji_name: "confab", emoji_code: "confab" }],
    ["in full", confab],
    ["in full, in the family's words", { ...asOlder, emoji_name: "zulip", emoji_code: "zulip" }],
    ["in full, half in the family's words", { ...confab, emoji_name: "zulip" }],
  ])("is taken as a reaction %s, and taken back", async (_, given) => {
    const w = await messageWorld();
    const added = await w.as("max").post(w.path, given);
    expect(added).toMatchObject({ status: 200, events: [{ event: { op: "add", ...confab } }] });
    expect((await w.as("mel").get(w.message)).body.message.reactions).toMatchObject([confab]);
    const removed = await w.as("max").delete(w.path, given);
    expect(removed).toMatchObject({ status: 200, events: [{ event: { op: "remove", ...confab } }] });
  });

  test.each([
    ["under the name of another", { ...confab, emoji_name: "tada" }],
    ["with the code of another", { ...confab, emoji_code: "1f389" }],
    ["as one of Unicode's", { ...confab, reaction_type: "unicode_emoji" }],
    ["as one of the organization's", { ...confab, reaction_type: "realm_emoji" }],
  ])("is refused %s", async (_, given) => {
    const w = await messageWorld();
    expect(await w.as("max").post(w.path, given)).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST" },
      events: [],
    });
  });

  test("is overridden by a custom emoji of its name, which only administrators can add", async () => {
    const w = await messageWorld();
    const dot = () => file(png(8, 8), "dot.png");
    expect(await w.as("mel").upload("/realm/emoji/zulip", dot())).toMatchObject({ status: 400, events: [] });
    expect((await w.as("ada").upload("/realm/emoji/zulip", dot())).status).toBe(200);
    expect(await rendered(w, ":zulip: :confab:")).toMatch(/user_avatars.*unicode\/confab/);
    const custom = { emoji_code: "1", reaction_type: "realm_emoji" };
    expect((await w.as("max").post(w.path, { emoji_name: "zulip" })).events).toMatchObject([
      { event: custom },
    ]);
    expect((await w.as("max").post(w.path, confab)).events).toMatchObject([{ event: confab }]);
  });
});

/** Mel's requests by a client of this User-Agent. */
function clientOf(w: World, agent: string) {
  const { email, key } = w.user("mel");
  const headers = { authorization: basic(email, key), "user-agent": agent };
  return async (method: Method, path: string, params: Params = {}): Promise<Json> =>
    (await w.app.fetch(requestOf(`${site}/api/v1${path}`, method, { params, headers }))).json();
}

/** A queue of that client for emoji events; polls it. */
async function queueOf(ask: ReturnType<typeof clientOf>) {
  const { queue_id } = await ask("POST", "/register", { event_types: ["reaction", "user_status"] });
  const poll = { queue_id, last_event_id: -1, dont_block: true };
  return async (): Promise<Json[]> => (await ask("GET", "/events", poll)).events;
}

/** Everything that a client gets about the extra emoji on a message and in a status, in responses and events. */
async function readBy(agent: string): Promise<Json[]> {
  const w = await messageWorld();
  const ask = clientOf(w, agent);
  const poll = await queueOf(ask);
  const max = w.user("max").id;
  await w.as("max").post(w.path, { emoji_name: "tada" });
  await w.as("max").post(w.path, confab);
  await w.as("max").post("/users/me/status", { emoji_name: "confab" });

  const page = await ask("GET", "/messages", { anchor: "newest", num_before: 1, num_after: 0 });
  const { message } = await ask("GET", w.message);
  const { status } = await ask("GET", `/users/${max}/status`);
  const { user_status } = await ask("POST", "/register", { fetch_event_types: ["user_status"] });
  const events = await poll();
  expect([...events, ...message.reactions].filter(({ emoji_name }) => emoji_name === "tada")).toMatchObject([
    { reaction_type: "unicode_emoji" },
    { reaction_type: "unicode_emoji" },
  ]);
  return [...events, ...page.messages[0].reactions, ...message.reactions, status, user_status[max]].filter(
    ({ emoji_name }) => emoji_name === "confab",
  );
}

describe("the type of an extra emoji", () => {
  test.each([
    ["ZulipFlutter/30.0.250+250 (Android 14)", "zulip_extra_emoji"],
    ["ZulipMobile/27.230 (iOS 17)", "zulip_extra_emoji"],
    ["ZulipPython/0.9.1", "service_extra_emoji"],
    ["Mozilla/5.0", "service_extra_emoji"],
  ])("is sent to %s as %s", async (agent, reaction_type) => {
    expect(await readBy(agent)).toMatchObject(Array(6).fill({ ...confab, reaction_type }));
  });

  test("has the form that each client asked for", async () => {
    const w = await messageWorld();
    const polls = await Promise.all(
      ["ZulipFlutter/1", "Mozilla/5.0", "ZulipFlutter/2"].map((agent) => queueOf(clientOf(w, agent))),
    );
    await w.as("max").post(w.path, confab);
    const [phone, page, tablet] = await Promise.all(polls.map((poll) => poll()));
    expect(phone).toMatchObject([asOlder]);
    expect(page).toMatchObject([confab]);
    expect(tablet as Json[]).toEqual(phone as Json[]);
  });
});
