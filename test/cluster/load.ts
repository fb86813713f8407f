// Clients that send and listen through any node, and checks of all nodes afterwards.
import { expect } from "bun:test";
import { notSaved } from "@/kernel/lib/errors.ts";
import { type Listener, listen } from "./listener.ts";
import { type Cluster, type Node, until } from "./machines.ts";
import { note } from "./noted.ts";
import { eachTime, kindOf } from "./results.ts";

export interface Account {
  email: string;
  key: string;
}

export interface Load {
  /** Message IDs by content, as the clients were told. */
  readonly acknowledged: Map<string, number>;
  /** What clients were told is not saved. */
  readonly refused: ReadonlySet<string>;
  readonly listeners: readonly Listener[];
  /** The longest time without an acknowledgement so far, in milliseconds. */
  readonly outage: number;
  /** Stops sending. */
  end(): Promise<void>;
  /** Ends, and waits until all listeners have all events. */
  stop(): Promise<void>;
}

let series = 0;
/** What ends each load that still sends. */
const loads = new Set<() => Promise<void>>();

/**
 * Clients that send one message after another; if a node does not answer, the next message goes to another one. Also a listening
 * client for each node.
 */
export async function load(
  cluster: Cluster,
  account: Account,
  { senders = 4, hasListeners = true } = {},
): Promise<Load> {
  const acknowledged = new Map<string, number>();
  const refused = new Set<string>();
  const name = ++series;
  const listening = hasListeners ? cluster.nodes.map((_, at) => listen(cluster, account, at)) : [];
  const listeners = await Promise.all(listening);
  let isOver = false;
  let last = performance.now();
  let outage = 0;
  let end: number | null = null;
  const run = async (sender: number) => {
    let at = sender;
    for (let n = 0; !isOver; n++) {
      const content = `load ${name} of ${sender}, message ${n}`;
      const node = cluster.nodes[at % cluster.nodes.length] as Node;
      const params = { type: "stream", to: "general", topic: `load ${sender}`, content };
      const answer = await node.call(account, "POST", "messages", params, 4_000).catch(() => null);
      if (answer?.result === "success") {
        acknowledged.set(content, answer.id);
        outage = Math.max(outage, performance.now() - last);
        last = performance.now();
      } else {
        if (answer?.msg === notSaved) refused.add(content);
        at++;
      }
      await Bun.sleep(10);
    }
  };
  const all = Promise.all(Array.from({ length: senders }, (_, sender) => run(sender)));
  const finish = async () => {
    isOver = true;
    end ??= performance.now();
    await all;
    loads.delete(finish);
  };
  loads.add(finish);
  return {
    acknowledged,
    refused,
    listeners,
    get outage() {
      return Math.max(outage, (end ?? performance.now()) - last);
    },
    end: finish,
    async stop() {
      await finish();
      const newest = Math.max(0, ...acknowledged.values());
      await Promise.all(listeners.map((one) => one.stop(newest)));
    },
  };
}

/**
 * Checks that nothing acknowledged is lost, doubled or under another ID, that nothing refused is there, that all nodes hold the
 * same, and that clients got each message once, in order.
 */
export async function expectWhole(cluster: Cluster, load: Load): Promise<void> {
  const { acknowledged, refused, listeners } = load;
  const stored = await expectKept(cluster, acknowledged, refused);
  for (const { received } of listeners) {
    for (const ids of received.filter(({ length }) => length > 0)) {
      const from = stored.indexOf(ids[0] as number);
      expect(ids).toEqual(stored.slice(from, from + ids.length));
    }
  }
}

/** As `expectWhole`, without checking what clients got. Returns the IDs of all messages of loads. */
export async function expectKept(
  cluster: Cluster,
  acknowledged: Load["acknowledged"],
  refused: Load["refused"] = new Set(),
): Promise<number[]> {
  await cluster.settled();
  const [first, ...others] = cluster.nodes as [Node, ...Node[]];
  const sqlite = first.database();
  const stored = sqlite
    .query<{ id: number; content: string }, []>(
      "SELECT id, content FROM messages WHERE content LIKE 'load %' ORDER BY id",
    )
    .all();
  sqlite.close();
  const ids = Map.groupBy(stored, ({ content }) => content);
  const wrong = [...acknowledged].filter(
    ([content, id]) => ids.get(content)?.length !== 1 || ids.get(content)?.[0]?.id !== id,
  );
  expect(wrong).toEqual([]);
  expect([...refused].filter((content) => ids.has(content))).toEqual([]);
  expect([...ids].filter(([, rows]) => rows.length > 1).map(([content]) => content)).toEqual([]);
  // A job may write between two checks.
  const all = await until("all nodes are seen at one position", () => {
    const seen = [first, ...others].map((one) => one.tables());
    return new Set(seen.map(({ replication }) => replication)).size === 1 && seen;
  });
  const [tables, ...copies] = all;
  expect(Object.keys(tables ?? {}).length).toBeGreaterThan(50);
  for (const copy of copies) expect(copy).toEqual(tables as typeof copy);
  return stored.map(({ id }) => id);
}

/**
 * Causes a fault while clients send, expects that sending continues, and ends the fault. Reports how long no client got
 * an answer.
 */
export async function through(
  cluster: Cluster,
  account: Account,
  title: string,
  fault: () => Promise<unknown>,
): Promise<Load> {
  const sending = await load(cluster, account);
  try {
    await until("messages are sent", () => sending.acknowledged.size > 20);
    await fault();
    const before = sending.acknowledged.size;
    await until("messages are sent again", () => sending.acknowledged.size > before + 20);
  } finally {
    await sending.end();
  }
  await cluster.heal();
  await sending.stop();
  noteOutage(title, sending);
  // Clients go on with their queues at other nodes.
  expect(sending.listeners.map(({ received }) => received.length)).toEqual(sending.listeners.map(() => 1));
  return sending;
}

function noteOutage(title: string, { outage, acknowledged, listeners }: Load): void {
  const anew = listeners.reduce((sum, { received }) => sum + received.length - 1, 0);
  const ms = Math.round(outage);
  console.log(`${title}: no answer for ${ms} ms; ${acknowledged.size} acknowledged, ${anew} registered anew`);
  note({ outage: kindOf(title), ms, acknowledged: acknowledged.size, anew });
}

/** As `eachTime`, each time on a healthy cluster to which nobody sends. */
export function repeated(title: string, cluster: () => Cluster, run: (n: number) => Promise<void>): void {
  eachTime(title, async (n) => {
    await cluster().heal();
    try {
      await run(n);
    } catch (error) {
      console.error(await cluster().findings());
      throw error;
    } finally {
      await Promise.all([...loads].map((end) => end()));
    }
  });
}
