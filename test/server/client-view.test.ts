// Random histories of actions: a client's state, updated by events, must equal a fresh state from the server.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Json, Params } from "../support/requests.ts";
import { type CastName, everyCapability, type TestQueue, type World, world } from "../support/world.ts";

const clients = ["ada", "mel", "max", "gus"] as const;
const names = ["open", "vault", "club"] as const;
const contents = ["hi", "@**Max** look", "@**all** look", "@**topic** look", "@*team* look"];

/** Every action as a request. */
const acts: Record<
  string,
  (scene: Scene, step: Step) => [method: "post" | "patch" | "delete", string, Params]
> = {
  send: ({ channel }, { content, topic }) => [
    "post",
    "/messages",
    { type: "channel", to: channel, topic, content },
  ],
  write: ({ person }, { content }) => ["post", "/messages", { type: "direct", to: [person], content }],
  edit: ({ message }, { content }) => ["patch", `/messages/${message}`, { content }],
  move: ({ message }, { topic, mode }) => ["patch", `/messages/${message}`, { topic, propagate_mode: mode }],
  send_off: ({ message, channel }, { mode }) => [
    "patch",
    `/messages/${message}`,
    { stream_id: channel, propagate_mode: mode },
  ],
  remove: ({ message }) => ["delete", `/messages/${message}`, {}],
  react: ({ message }) => ["post", `/messages/${message}/reactions`, { emoji_name: "tada" }],
  unreact: ({ message }) => ["delete", `/messages/${message}/reactions`, { emoji_name: "tada" }],
  flag: ({ message }, { op, flag }) => ["post", "/messages/flags", { messages: [message], op, flag }],
  read_all: () => ["post", "/mark_all_as_read", {}],
  join: ({ name }) => ["post", "/users/me/subscriptions", { subscriptions: [{ name }] }],
  bring: ({ name, person }) => [
    "post",
    "/users/me/subscriptions",
    { subscriptions: [{ name }], principals: [person] },
  ],
  leave: ({ name }) => ["delete", "/users/me/subscriptions", { subscriptions: [name] }],
  take_out: ({ name, person }) => [
    "delete",
    "/users/me/subscriptions",
    { subscriptions: [name], principals: [person] },
  ],
  follow: ({ channel }, { topic, policy }) => [
    "post",
    "/user_topics",
    { stream_id: channel, topic, visibility_policy: policy },
  ],
  mute: ({ person }) => ["post", `/users/me/muted_users/${person}`, {}],
  hide: ({ channel }, { isYes }) => ["patch", `/streams/${channel}`, { is_private: isYes }],
  archive: ({ channel }, { isYes }) => ["patch", `/streams/${channel}`, { is_archived: isYes }],
  open_to: ({ channel, team }) => ["patch", `/streams/${channel}`, { can_subscribe_group: { new: team } }],
  gather: ({ team, person }, { isYes }) => [
    "post",
    `/user_groups/${team}/members`,
    isYes ? { add: [person] } : { delete: [person] },
  ],
};

const step = fc.record({
  act: fc.constantFrom(...Object.keys(acts), "send", "send", "move"),
  who: fc.constantFrom(...clients),
  other: fc.constantFrom("olive", "moss", ...clients),
  channel: fc.nat(2),
  message: fc.nat(2),
  topic: fc.constantFrom("a", "A", "b", ""),
  content: fc.constantFrom(...contents),
  mode: fc.constantFrom("change_one", "change_later", "change_all"),
  op: fc.constantFrom("add", "remove"),
  flag: fc.constantFrom("read", "starred"),
  policy: fc.nat(3),
  isYes: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** The meaning of a step's numbers. */
interface Scene {
  message: number;
  channel: number;
  name: string;
  person: number;
  team: number;
}

interface View {
  self: number;
  messages: Map<number, Json>;
  channels: Map<number, Json>;
  subscriptions: Set<number>;
  topics: Map<string, number>;
}

const topicOf = (channel: number, topic: string) => `${channel} ${topic.toLowerCase()}`;

function viewOf({ user_id, streams, subscriptions }: Json): View {
  return {
    self: user_id,
    messages: new Map(),
    channels: new Map(streams.map((one: Json) => [one.stream_id, one])),
    subscriptions: new Set(subscriptions.map((one: Json) => one.stream_id)),
    topics: new Map(),
  };
}

/** Users who leave a channel may miss events about its messages. */
function forget({ subscriptions, messages }: View, channel: number): void {
  subscriptions.delete(channel);
  for (const [id, { stream_id }] of messages) if (stream_id === channel) messages.delete(id);
}

function recount({ channels }: View, id: number, count: (before: number) => number): void {
  const known = channels.get(id);
  if (known) known.subscriber_count = count(known.subscriber_count);
}

const readers: Record<string, (view: View, event: Json) => void> = {
  message: ({ messages }, { message, flags }) => messages.set(message.id, { ...message, flags }),
  update_message: ({ messages, subscriptions }, event) => {
    const channel = event.new_stream_id;
    // docs/decisions/read-state.md: messages in channels without a subscription count as read.
    const isElsewhere = channel !== undefined && !subscriptions.has(channel);
    for (const id of event.message_ids) {
      const known = messages.get(id);
      if (!known) continue;
      known.subject = event.subject ?? known.subject;
      known.stream_id = channel ?? known.stream_id;
      if (isElsewhere && !known.flags.includes("read")) known.flags = [...known.flags, "read"];
    }
    const target = messages.get(event.message_id);
    if (target)
      Object.assign(target, {
        flags: event.flags,
        content: event.rendered_content ?? target.content,
      });
  },
  delete_message: ({ messages }, { message_ids }) => {
    for (const id of message_ids) messages.delete(id);
  },
  reaction: ({ messages }, { op, message_id, user_id }) => {
    const known = messages.get(message_id);
    if (!known) return;
    if (op === "add") known.reactions.push({ user_id });
    else known.reactions = known.reactions.filter((one: Json) => one.user_id !== user_id);
  },
  update_message_flags: ({ messages }, { op, flag, all, messages: ids }) => {
    for (const id of all ? messages.keys() : ids) {
      const known = messages.get(id);
      if (known)
        known.flags = [...known.flags.filter((one: string) => one !== flag), ...(op === "add" ? [flag] : [])];
    }
  },
  stream: (view, event) => {
    const { op, streams, stream_ids, stream_id, property, value } = event;
    const known = view.channels.get(stream_id);
    if (op === "create") for (const one of streams) view.channels.set(one.stream_id, one);
    if (op === "delete") for (const id of stream_ids) if (view.channels.delete(id)) forget(view, id);
    if (!known) return;
    known[property] = value;
    for (const more of Object.keys(known)) if (more in event) known[more] = event[more];
  },
  subscription: (view, { op, subscriptions = [], stream_ids = [], user_ids = [] }) => {
    const sign = op === "add" || op === "peer_add" ? 1 : -1;
    for (const { stream_id, subscriber_count } of subscriptions) {
      if (op === "remove") forget(view, stream_id);
      else view.subscriptions.add(stream_id);
      recount(view, stream_id, (before) => subscriber_count ?? before + sign);
    }
    // A user's own subscriptions change by the events above.
    const others = user_ids.filter((id: number) => id !== view.self).length;
    for (const id of stream_ids) recount(view, id, (before) => before + sign * others);
  },
  user_topic: ({ topics }, { stream_id, topic_name, visibility_policy }) =>
    topics.set(topicOf(stream_id, topic_name), visibility_policy),
};

async function scene(): Promise<World & { channels: number[]; team: number }> {
  const w = world();
  const id = (name: CastName) => w.user(name).id;
  const channels: number[] = [];
  for (const [i, name] of names.entries()) {
    const kind = i === 0 ? {} : { invite_only: true, history_public_to_subscribers: i === 2 };
    const subscribers = [id("ada"), id("mel"), id(i === 1 ? "max" : "gus")];
    channels.push((await w.as("ada").post("/channels/create", { name, subscribers, ...kind })).body.id);
  }
  const team = { name: "team", description: "", members: [id("max")] };
  return {
    ...w,
    channels,
    team: (await w.as("olive").post("/user_groups/create", team)).body.group_id,
  };
}

async function play(w: Awaited<ReturnType<typeof scene>>, steps: readonly Step[]): Promise<void> {
  const sent: number[] = [];
  for (const one of steps) {
    const at = {
      message: sent.at(-1 - one.message) ?? 1,
      channel: w.channels[one.channel] as number,
      name: names[one.channel] as string,
      person: w.user(one.other).id,
      team: w.team,
    };
    const [method, path, params] = acts[one.act]?.(at, one) ?? [];
    if (!method || !path) continue;
    const { body } = await w.as(one.who)[method](path, params);
    if (typeof body.id === "number" && path === "/messages") sent.push(body.id);
  }
}

const shownMessage = ({ content, subject, stream_id, flags, reactions }: Json) => ({
  ...{ content, subject, stream_id },
  flags: [...flags].sort(),
  reactions: reactions.map((one: Json) => one.user_id).sort(),
});

/** A channel, without the fields that events do not update. */
const shownChannel = ({ first_message_id, is_announcement_only, ...channel }: Json) => channel;

const byId = (things: Map<number, Json>, show: (thing: Json) => Json) =>
  [...things].sort(([one], [other]) => one - other).map(([id, thing]) => [id, show(thing)]);
const ascending = (ids: Iterable<number>) => [...ids].sort((a, b) => a - b);

/** The fresh state, in the form that a view has. */
async function askAgain({ as }: World, name: CastName, view: View) {
  const types = [
    "stream",
    "subscription",
    "user_topic",
    "message",
    "update_message_flags",
    "starred_messages",
  ];
  const register = {
    fetch_event_types: types,
    client_capabilities: everyCapability,
  };
  const { body: state } = await as(name).post("/register", register);
  const asked = {
    message_ids: [...view.messages.keys()],
    allow_empty_topic_name: true,
  };
  const { body } = await as(name).get("/messages", asked);
  return {
    state,
    messages: new Map<number, Json>(body.messages.map((one: Json) => [one.id, one])),
  };
}

async function expectAgreement(w: World, name: CastName, queue: TestQueue): Promise<void> {
  const view = viewOf(queue.state);
  for (const event of await queue.poll()) readers[event.type]?.(view, event);
  const { state, messages } = await askAgain(w, name, view);

  const fresh = viewOf(state);
  expect(byId(view.channels, shownChannel)).toEqual(byId(fresh.channels, shownChannel));
  expect(ascending(view.subscriptions)).toEqual(ascending(fresh.subscriptions));
  for (const { stream_id, topic_name, visibility_policy } of state.user_topics)
    expect(view.topics.get(topicOf(stream_id, topic_name))).toBe(visibility_policy);

  // Losing messages of a channel without a subscription causes no event.
  for (const [id, { stream_id }] of view.messages) {
    const isIn = stream_id === undefined || view.subscriptions.has(stream_id);
    if (!isIn && !messages.has(id)) view.messages.delete(id);
  }
  expect(byId(view.messages, shownMessage)).toEqual(byId(messages, shownMessage));

  const { streams, pms, huddles } = state.unread_msgs;
  const unread = new Set([...streams, ...pms, ...huddles].flatMap((one: Json) => one.unread_message_ids));
  for (const [id, { flags }] of view.messages) {
    expect([id, !flags.includes("read")]).toEqual([id, unread.has(id)]);
    expect([id, flags.includes("starred")]).toEqual([id, state.starred_messages.includes(id)]);
  }
}

describe("a client", () => {
  test("knows from its events what a fresh state would contain", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 90 }), async (steps) => {
        const w = await scene();
        const queues = await Promise.all(clients.map(async (name) => [name, await w.queue(name)] as const));
        await play(w, steps);
        for (const [name, queue] of queues) await expectAgreement(w, name, queue);
      }),
      // Without `endOnFailure`, finding the shortest failure would take longer than the test may.
      { numRuns: 10, endOnFailure: true },
    );
  }, 300_000);
});
