// zulip-terminal 0.7.0 ends where two fields are missing that no other client reads: it alone gets them.
import { describe, expect, test } from "bun:test";
import { basic, type Json, type Method, type Params, requestOf } from "../support/requests.ts";
import { type CastName, type World, world } from "../support/world.ts";

const site = "https://chat.example.com";
const terminal = "ZulipTerminal/0.7.0 (Linux; 6.1)";
const others = ["ZulipPython/0.9.1", "Mozilla/5.0", "NotZulipTerminal/0.7.0", "zulipterminal/0.7.0"];

/** Requests by a client of this User-Agent. */
function clientOf(w: World, name: CastName, agent: string) {
  const { email, key } = w.user(name);
  const headers = { authorization: basic(email, key), "user-agent": agent };
  return async (method: Method, path: string, params: Params = {}): Promise<Json> =>
    (await w.app.fetch(requestOf(`${site}/api/v1${path}`, method, { params, headers }))).json();
}

async function scene() {
  const w = world({ site });
  const people = (["mel", "max", "gus"] as const).map((name) => w.user(name).id);
  await w.as("ada").post("/channels/create", { name: "tea", subscribers: people });
  const message = { type: "channel", to: "tea", topic: "cups", content: "milk?" };
  const { id } = (await w.as("max").post("/messages", message)).body;
  await w.as("max").post(`/messages/${id}/reactions`, { emoji_name: "tada" });
  const page = { anchor: "newest", num_before: 1, num_after: 0 };
  const reactionsFor = async (name: CastName, agent: string): Promise<Json[]> => {
    const ask = clientOf(w, name, agent);
    const { messages } = await ask("GET", "/messages", page);
    const { message: single } = await ask("GET", `/messages/${id}`);
    expect(single.reactions).toEqual(messages[0].reactions);
    return single.reactions;
  };
  return { w, reactionsFor };
}

describe("a reaction names its user", () => {
  test("to zulip-terminal, by the name of that time, and to nobody else", async () => {
    const { w, reactionsFor } = await scene();
    const { id: user_id, email } = w.user("max");
    for (const agent of others) expect((await reactionsFor("mel", agent))[0]).not.toHaveProperty("user");
    expect(await reactionsFor("mel", terminal)).toMatchObject([
      { user: { user_id, email, full_name: "Max" } },
    ]);
    await w.as("ada").patch(`/users/${user_id}`, { full_name: "Maximilian" });
    expect(await reactionsFor("mel", terminal)).toMatchObject([{ user: { full_name: "Maximilian" } }]);
    for (const agent of others) expect((await reactionsFor("mel", agent))[0]).not.toHaveProperty("user");
  });

  test("unless the reader may not know them", async () => {
    const { w, reactionsFor } = await scene();
    const { body } = await w.as("ada").get("/user_groups");
    const members = body.user_groups.find(({ name }: Json) => name === "role:members").id;
    await w.as("olive").patch("/realm", { can_access_all_users_group: { new: members } });
    expect(await reactionsFor("gus", terminal)).toMatchObject([{ user: { full_name: "Max" } }]);
    await w.as("max").delete("/users/me/subscriptions", { subscriptions: ["tea"] });
    const [{ user }] = (await reactionsFor("gus", terminal)) as [Json];
    expect(user.full_name).toBe("Unknown user");
    expect(user.email).not.toBe(w.user("max").email);
  });
});

describe("a subscription has an empty address for mail", () => {
  test("for zulip-terminal, at registration and when it is added, and for nobody else", async () => {
    const { w } = await scene();
    const listen = async (agent: string) => {
      const ask = clientOf(w, "mel", agent);
      const state = await ask("POST", "/register", { event_types: ["subscription"] });
      const poll = { queue_id: state.queue_id, last_event_id: -1, dont_block: true };
      return { state, pollEvents: async (): Promise<Json[]> => (await ask("GET", "/events", poll)).events };
    };
    const [old, ...rest] = await Promise.all([terminal, ...others].map(listen));
    await w.as("ada").post("/channels/create", { name: "pots", subscribers: [w.user("mel").id] });
    const added = async (one = old) =>
      (await one?.pollEvents())?.find(({ op }) => op === "add")?.subscriptions[0] as Json;
    expect(old?.state.subscriptions[0]).toMatchObject({ name: "tea", email_address: "" });
    expect(await added()).toMatchObject({ name: "pots", email_address: "" });
    for (const one of rest) {
      expect(one.state.subscriptions[0]).not.toHaveProperty("email_address");
      expect(await added(one)).not.toHaveProperty("email_address");
    }
  });
});
