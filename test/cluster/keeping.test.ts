// How a node keeps the terms of its event queues, with a store that answers as each test wants.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { type App, openOn } from "@/app.ts";
import { NodeQueues } from "@/cluster/queues/keeper.ts";
import { Past } from "@/cluster/queues/past.ts";
import { createUser } from "@/foundation/accounts/actions.ts";
import { createRealm } from "@/foundation/realm-administration/actions.ts";
import { queueLimits } from "@/kernel/events/event-queue.ts";
import type { MemoryQueues } from "@/kernel/events/queues.ts";
import { openDatabase } from "@/kernel/store/database-file.ts";
import type { QueueTerms } from "@/outside/events/schema.ts";
import type { Json } from "../support/requests.ts";
import { until } from "../support/waiting.ts";

const node = {
  past: new Past(),
  isCurrent: true,
  unknownMs: 0,
  leadsSurely: true,
  checkLog: async () => true,
  reachBack: async () => {},
};
const secret = "known to the nodes alone";
let app: App;
let queues: NodeQueues;
let key = "";
/** What the store has, and how many have asked it. */
const stored = new Map<string, string>();
let puts = 0;
let gets = 0;
let answering: () => Promise<unknown> = async () => {};
const terms = {
  async get(digest: string) {
    gets++;
    return stored.get(digest) ?? null;
  },
  async put(digest: string, text: string) {
    puts++;
    await answering();
    stored.set(digest, text);
  },
};

beforeEach(async () => {
  stored.clear();
  [puts, gets] = [0, 0];
  answering = async () => {};
  app = openOn(openDatabase(":memory:"));
  const owner = { owner_email: "olive@example.com", owner_name: "Olive", avatar_salt: "salt" };
  key = (await createRealm(app.system, { name: "Several", ...owner })).api_key;
  queues = new NodeQueues(node, { terms, app, secret });
});
afterEach(async () => {
  queues.stop();
  await app.close();
});

async function call(method: string, path: string, params: Record<string, string>, who = ["olive", key]) {
  const [name, ownKey] = who;
  const headers = { authorization: `Basic ${btoa(`${name}@example.com:${ownKey}`)}` };
  const form = new URLSearchParams(params);
  const url = `http://127.0.0.1/api/v1/${path}`;
  const asked =
    method === "GET"
      ? new Request(`${url}?${form}`, { headers })
      : new Request(url, { method, headers, body: form });
  return (await (await app.fetch(asked)).json()) as Json;
}
const register = (more: Record<string, string> = {}) =>
  call("POST", "register", { fetch_event_types: "[]", ...more });
const poll = (queue_id: string) =>
  call("GET", "events", { queue_id, last_event_id: "-1", dont_block: "true" });
const gone = { result: "error", code: "BAD_EVENT_QUEUE_ID" };

test("the same terms are stored once, before the first registration is answered", async () => {
  const store = Promise.withResolvers<void>();
  answering = () => store.promise;
  let answered = 0;
  const both = [register(), register()].map((one) => one.finally(() => answered++));
  await until(() => puts > 0, "the terms are on their way", 1);
  for (let turns = 0; turns < 20; turns++) await Bun.sleep(1);
  expect([puts, answered]).toEqual([1, 0]);
  store.resolve();
  const [first, second] = await Promise.all(both);
  expect(first).toMatchObject({ result: "success" });
  expect(second?.queue_id).not.toBe(first?.queue_id);

  for (let n = 0; n < 3; n++) await register();
  expect(puts).toBe(1);
  await register({ event_types: '["message"]' });
  await register({ narrow: '[["is","dm"]]' });
  expect([puts, stored.size, gets]).toEqual([3, 3, 0]);
});

test("a registration is answered though nothing can be stored, and the next one tries again", async () => {
  answering = () => Promise.reject(new Error("no leader"));
  expect(await register()).toMatchObject({ result: "success" });
  answering = () => new Promise(() => {});
  expect(await register()).toMatchObject({ result: "success" });
  expect(puts).toBe(2);
});

test("another node learns from the ID how the queue was opened, for its user alone", async () => {
  const { queue_id } = await register({ event_types: '["message"]', all_public_streams: "true" });
  const elsewhere = openOn(openDatabase(":memory:"));
  const other = new NodeQueues(node, { terms, app: elsewhere, secret });
  const found = await other.find(queue_id, 1);
  expect(found).toMatchObject({ start: 0, given: { event_types: ["message"], all_public_streams: true } });
  expect(gets).toBe(1);
  const stranger = new NodeQueues(node, { terms, app: elsewhere, secret: "of another cluster" });
  const [start = "", rest = ""] = queue_id.split("-");
  for (const [keeper, id, user] of [
    [other, queue_id, 2],
    [stranger, queue_id, 1],
    [other, `1-${rest}`, 1],
    [other, `${start}-${rest.replace(/./, (digit: string) => (digit === "0" ? "1" : "0"))}`, 1],
    [other, `${start}-${rest.slice(0, -1)}`, 1],
    [other, `${queue_id}0`, 1],
    [other, "1-x", 1],
  ] as const) {
    expect(await keeper.find(id, user)).toBeNull();
  }
  expect(gets).toBe(1);
  stored.clear();
  const later = new NodeQueues(node, { terms, app: elsewhere, secret });
  expect(await later.find(queue_id, 1)).toBeNull();
  for (const one of [other, stranger, later]) one.stop();
  await elsewhere.close();
});

test("a queue that has ended at a node stays ended there", async () => {
  const { queue_id } = await register();
  expect(await poll(queue_id)).toMatchObject({ result: "success" });
  // As an entry of the log does.
  (app.env.queues as MemoryQueues).end(queue_id);
  expect(await poll(queue_id)).toMatchObject(gone);
  expect(await call("DELETE", "events", { queue_id })).toMatchObject(gone);

  const held = await register();
  const elsewhere = openOn(openDatabase(":memory:"));
  const other = new NodeQueues(node, { terms, app: elsewhere, secret });
  expect(await other.find(held.queue_id, 1)).not.toBeNull();
  (elsewhere.env.queues as MemoryQueues).end(held.queue_id);
  expect(await other.find(held.queue_id, 1)).toBeNull();
  other.stop();
  await elsewhere.close();

  const oldest = await register();
  for (let n = 0; n < queueLimits.perUser; n++) await register();
  expect(await poll(oldest.queue_id)).toMatchObject(gone);
  expect(puts).toBe(1);
}, 300_000);

test("a queue of somebody else is unknown, no matter who holds it", async () => {
  const { user, api_key } = await createUser(app.ctx(app.system.actor), {
    email: "mel@example.com",
    full_name: "Mel",
  });
  expect(user.user_id).toBeGreaterThan(1);
  const { queue_id } = await register();
  const asked = { queue_id, last_event_id: "-1", dont_block: "true" };
  expect(await call("GET", "events", asked, ["mel", api_key])).toMatchObject(gone);
  expect(await call("DELETE", "events", { queue_id }, ["mel", api_key])).toMatchObject(gone);
  expect(await poll(queue_id)).toMatchObject({ result: "success" });
});

test("a person can have only so much stored, and registers without it", async () => {
  const narrow = (n: number) =>
    JSON.stringify(Array.from({ length: 20 }, (_, i) => ["topic", `${n} ${i} ${"x".repeat(400)}`]));
  for (let n = 0; n < 150; n++)
    expect(await register({ narrow: narrow(n) })).toMatchObject({ result: "success" });
  expect(stored.size).toBeWithin(100, 130);
  const { api_key } = await createUser(app.ctx(app.system.actor), {
    email: "mel@example.com",
    full_name: "Mel",
  });
  const before = stored.size;
  const form = { fetch_event_types: "[]", narrow: narrow(999) };
  expect(await call("POST", "register", form, ["mel", api_key])).toMatchObject({ result: "success" });
  expect(stored.size).toBe(before + 1);
});

test("a node forgets terms that no open queue has, where there are many", async () => {
  const { queue_id } = await register();
  const given: QueueTerms["given"] = {
    apply_markdown: true,
    include_subscribers: "false",
    all_public_streams: false,
    slim_presence: true,
    presence_history_limit_days: 14,
    client_capabilities: {},
    narrow: [],
  };
  const ids: string[] = [];
  for (let n = 0; n < 250; n++) {
    const named = queues.name({ client: `client ${n}`, given }, 1);
    await named.kept;
    ids.push(named.idOf(0));
  }
  const asksFor = async (id = "") => {
    const before = gets;
    expect(await queues.find(id, 1)).not.toBeNull();
    return gets - before;
  };
  expect(await asksFor(queue_id)).toBe(0);
  expect(await asksFor(ids.at(-1))).toBe(0);
  expect(await asksFor(ids[0])).toBe(1);
  expect(await asksFor(ids[0])).toBe(0);
});
