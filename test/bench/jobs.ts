// The jobs of the load generator. Each returns figures; failed requests are counted, not thrown.
import { Database } from "bun:sqlite";
import { cpuMs } from "./figures.ts";
import { type Connection, connect } from "./http.ts";
import { expectSuccess, type Listeners } from "./listeners.ts";
import { patience, within } from "./patience.ts";
import { type Account, get, messageText, post, send } from "./requests.ts";

export type World = { port: number; pid: number; listeners: Listeners };
export type Cost = { count: number; cpuMs: number | null; wallMs: number };

let tokens = 0;
/** Messages sent by bursts so far, so that no two have the same text. */
let sent = 0;
let expected: Promise<number> = Promise.resolve(0);

export interface Burst {
  /** Each connection is another person's, as far as there are enough. */
  accounts: Account[];
  channel: number;
  connections: number;
  /** How long to send without a pause; not regarded if there is a `count`. */
  ms: number;
  count?: number;
  /** Each message has an `Idempotency-Key` that grows with time. */
  hasKeys?: boolean;
  /** A database whose search index must have caught up before the cost is counted. */
  indexOf?: string | undefined;
}

/**
 * The cost of the messages that `connections` senders complete, including delivery to all listeners and indexing; `wallMs` is
 * without the time until the index has caught up.
 */
export async function burst(world: World, job: Burst): Promise<Cost> {
  const connections = await openConnections(world.port, job.connections);
  const first = sent;
  const token = newToken();
  const cost = meter(world.pid);
  const end = performance.now() + job.ms;
  let count = 0;
  const sender = async (connection: Connection, nth: number) => {
    const account = pick(job.accounts, nth);
    while (job.count === undefined ? performance.now() < end : count < job.count) {
      const text = messageText(first + count++);
      const headers: Record<string, string> = job.hasKeys ? { "Idempotency-Key": Bun.randomUUIDv7() } : {};
      expectSuccess(await connection.request(send(account, job.channel, text, headers)));
    }
  };
  await Promise.all(connections.map(sender));
  sent = first + count;
  const seen = world.listeners.everyoneSees(token);
  expectSuccess(await pick(connections, 0).request(send(pick(job.accounts, 0), job.channel, token)));
  await within(patience, seen, "the listeners to get the last message");
  const { wallMs } = cost(count + 1);
  for (const connection of connections) connection.close();
  if (job.indexOf !== undefined) await indexed(job.indexOf);
  return { ...cost(count + 1), wallMs };
}

/** Waits until a database's search index holds all messages. Asks in this process, which costs the server nothing. */
async function indexed(path: string): Promise<void> {
  const database = new Database(path, { readonly: true });
  try {
    const behind = database.query("SELECT 1 FROM messages_to_index LIMIT 1");
    const end = performance.now() + patience;
    while (behind.get() !== null) {
      if (performance.now() > end) throw new Error(`The search index of ${path} did not catch up.`);
      await Bun.sleep(20);
    }
  } finally {
    database.close();
  }
}

/** Milliseconds from writing a send to reading the event at a waiting long poll, at a steady rate. */
export async function latency(
  world: World,
  job: { accounts: Account[]; channel: number; perSecond: number; ms: number },
): Promise<number[]> {
  const connections = await openConnections(world.port, 8);
  const total = Math.round((job.perSecond * job.ms) / 1000);
  const sentAt: number[] = [];
  const taken: number[] = [];
  const run = newToken();
  const mark = new RegExp(`${run}m(\\d+)e`, "g");
  const arrived = new Promise<void>((resolve) => {
    world.listeners.onAnswer((body, at) => {
      const seen = new Set([...body.toString("latin1").matchAll(mark)].map((match) => Number(match[1])));
      for (const i of seen) taken[i] = at - (sentAt[i] ?? at);
      if (Object.keys(taken).length === total) resolve();
    });
  });
  const begin = performance.now();
  // A connection carries one request at a time. If the machine is slow, the next request waits for it, and this wait counts.
  const free = connections.map(() => Promise.resolve());
  for (let i = 0; i < total; i++) {
    await Bun.sleep(Math.max(0, begin + (i * 1000) / job.perSecond - performance.now()));
    const request = send(pick(job.accounts, i), job.channel, `${run}m${i}e`);
    sentAt[i] = performance.now();
    free[i % free.length] = pick(free, i).then(async () => {
      expectSuccess(await pick(connections, i).request(request));
    });
  }
  await Promise.all(free);
  await within(patience, arrived, "the listener to get every message");
  for (const connection of connections) connection.close();
  return taken;
}

/** Milliseconds from writing a send to its acknowledgement, at a steady rate. Includes the wait for a free connection. */
export async function acknowledge(
  world: World,
  job: { accounts: Account[]; channel: number; perSecond: number; ms: number },
): Promise<number[]> {
  const connections = await openConnections(world.port, 8);
  const total = Math.round((job.perSecond * job.ms) / 1000);
  const taken: number[] = [];
  const begin = performance.now();
  const free = connections.map(() => Promise.resolve());
  for (let i = 0; i < total; i++) {
    const due = begin + (i * 1000) / job.perSecond;
    await Bun.sleep(Math.max(0, due - performance.now()));
    const request = send(pick(job.accounts, i), job.channel, messageText(sent++));
    const asked = performance.now();
    free[i % free.length] = pick(free, i).then(async () => {
      const { at } = expectSuccess(await pick(connections, i).request(request));
      taken.push(at - asked);
    });
  }
  await Promise.all(free);
  for (const connection of connections) connection.close();
  return taken;
}

/** Makes all listeners wait for a message; returns their number. `seen` resolves when the last of them has it. */
export async function expectEveryone(world: World, job: { token: string }): Promise<number> {
  expected = world.listeners.everyoneSees(job.token);
  return world.listeners.count();
}

/** Milliseconds since 1970, so that processes can be compared. */
export async function seen(_: World, __: object): Promise<number> {
  return (
    performance.timeOrigin + (await within(3 * patience, expected, "every waiting client to get the message"))
  );
}

/** Sends one message at a time and waits until every listener has it and is waiting again. */
export async function fanout(
  world: World,
  job: { account: Account; channel: number; messages: number },
): Promise<Cost & { lastMs: number[] }> {
  const connection = await connect(world.port);
  const lastMs: number[] = [];
  const cost = meter(world.pid);
  for (let i = 0; i < job.messages; i++) {
    const token = newToken();
    const seen = world.listeners.everyoneSees(token);
    const begin = performance.now();
    const request = send(job.account, job.channel, `${token} ${messageText(i)}`.slice(0, 120));
    expectSuccess(await connection.request(request));
    lastMs.push((await within(patience, seen, "every waiting client to get the message")) - begin);
    await Bun.sleep(250); // the polls that follow belong to the cost of this message
  }
  const result = { ...cost(job.messages * world.listeners.count()), lastMs };
  connection.close();
  return result;
}

export type Repetition = {
  account: Account;
  paths: string[];
  /** Posts this form instead of getting. */
  form?: Record<string, string>;
  headers?: Record<string, string>;
  /** Sends the first answer's ETag with the requests that follow. */
  revalidate?: boolean;
  ms: number;
  /** How many clients ask at the same time; 1 if left out. */
  clients?: number;
};

/** Repeats these requests one after another for `ms`, each at least once. `bytes` is the size of the last body. */
export async function repeat(
  world: World,
  job: Repetition,
): Promise<Cost & { eachMs: number[]; bytes: number }> {
  const connections = await openConnections(world.port, job.clients ?? 1);
  const eachMs: number[] = [];
  let headers = job.headers;
  if (job.revalidate) {
    const { head } = expectSuccess(await pick(connections, 0).request(requestOf(job, 0, headers)));
    const tag = /\r\netag: *(\S+)/i.exec(head)?.[1];
    if (tag) headers = { ...headers, "If-None-Match": tag };
  }
  let bytes = 0;
  let begun = 0;
  const requests = job.paths.map((_, i) => requestOf(job, i, headers));
  const cost = meter(world.pid);
  const end = performance.now() + job.ms;
  const client = async (connection: Connection) => {
    do {
      const begin = performance.now();
      const { at, body } = expectSuccess(await connection.request(pick(requests, begun++)));
      eachMs.push(at - begin);
      bytes = body.length;
    } while (performance.now() < end);
  };
  await Promise.all(connections.map(client));
  const result = { ...cost(eachMs.length), eachMs, bytes };
  for (const connection of connections) connection.close();
  return result;
}

function requestOf(
  { account, paths, form }: Repetition,
  i: number,
  headers?: Record<string, string>,
): string {
  return form ? post(pick(paths, i), account, form, headers) : get(pick(paths, i), account, headers);
}

/** The duration of a request, repeated while other requests run on other connections. */
export async function beside(
  world: World,
  job: { account: Account; path: string; others: string[]; ms: number },
): Promise<number[]> {
  const begin = performance.now();
  const isOver = () => performance.now() - begin > job.ms;
  const connections = await openConnections(world.port, job.others.length);
  const others = connections.map(async (connection, i) => {
    const request = get(pick(job.others, i), job.account);
    while (!isOver()) expectSuccess(await connection.request(request));
    connection.close();
  });
  const connection = await connect(world.port);
  const eachMs: number[] = [];
  while (!isOver()) {
    const sentAt = performance.now();
    const { at } = expectSuccess(await connection.request(get(job.path, job.account)));
    eachMs.push(at - sentAt);
    await Bun.sleep(5);
  }
  await Promise.all(others);
  connection.close();
  return eachMs;
}

/** Opens an event queue for each account, and never polls it. */
export async function enroll(world: World, job: { accounts: Account[] }): Promise<number> {
  const connections = await openConnections(world.port, 8);
  let count = 0;
  const enroller = async (connection: Connection) => {
    while (count < job.accounts.length) {
      const account = pick(job.accounts, count++);
      expectSuccess(await connection.request(post("/register", account, { fetch_event_types: "[]" })));
    }
  };
  await Promise.all(connections.map(enroller));
  for (const connection of connections) connection.close();
  return count;
}

/** One request; its answer. */
export async function ask(world: World, job: { account: Account; path: string }): Promise<unknown> {
  const connection = await connect(world.port);
  const { body } = expectSuccess(await connection.request(get(job.path, job.account)));
  connection.close();
  return JSON.parse(body.toString());
}

export async function listen(
  world: World,
  job: { accounts: Account[]; types?: readonly string[] },
): Promise<number> {
  await world.listeners.open(job.accounts, job.types);
  return world.listeners.count();
}

function meter(pid: number): (count: number) => Cost {
  const cpu = cpuMs(pid);
  const wall = performance.now();
  return (count) => {
    const cpuNow = cpuMs(pid);
    return {
      count,
      cpuMs: cpu === null || cpuNow === null ? null : cpuNow - cpu,
      wallMs: performance.now() - wall,
    };
  };
}

function openConnections(port: number, count: number): Promise<Connection[]> {
  return Promise.all(Array.from({ length: count }, () => connect(port)));
}

function newToken(): string {
  tokens += 1;
  return `zq${process.pid}x${tokens}zq`;
}

function pick<T>(list: T[], i: number): T {
  const item = list[i % list.length];
  if (item === undefined) throw new Error("Nothing to pick from.");
  return item;
}
