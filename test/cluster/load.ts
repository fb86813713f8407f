// Clients that send through any node, and what must be true of all nodes afterwards.
import { expect } from "bun:test";
import { type Cluster, type Node, until } from "./machines.ts";

const maxOutageMs = 12_000;
/** The ends of streams whose outages count. */
const outages: number[] = [];

export interface Account {
  email: string;
  key: string;
}

export interface Load {
  /** Message IDs by content, as the clients were told. */
  readonly acknowledged: Map<string, number>;
  /** The longest time without an acknowledgement so far. */
  readonly outage: number;
  stop(): Promise<void>;
}

let series = 0;

/** Clients that send one message after another; if a node does not answer, the next message goes to another one. */
export function load(cluster: Cluster, account: Account, senders = 4): Load {
  const acknowledged = new Map<string, number>();
  const name = ++series;
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
      } else at++;
      await Bun.sleep(10);
    }
  };
  const all = Promise.all(Array.from({ length: senders }, (_, sender) => run(sender)));
  return {
    acknowledged,
    get outage() {
      return Math.max(outage, (end ?? performance.now()) - last);
    },
    async stop() {
      isOver = true;
      end = performance.now();
      await all;
    },
  };
}

/** Checks that nothing acknowledged is lost, doubled or under another ID, and that all nodes hold the same. */
export async function expectWhole(cluster: Cluster, { acknowledged, outage }: Load): Promise<void> {
  await expectKept(cluster, acknowledged);
  expect(outage).toBeLessThan(maxOutageMs);
}

/** As `expectWhole`, without a limit on the outage. */
export async function expectKept(cluster: Cluster, acknowledged: Load["acknowledged"]): Promise<void> {
  await cluster.settled();
  const [first, ...others] = cluster.nodes as [Node, ...Node[]];
  const sqlite = first.database();
  const stored = sqlite
    .query<{ id: number; content: string }, []>(
      "SELECT id, content FROM messages WHERE content LIKE 'load %'",
    )
    .all();
  sqlite.close();
  const ids = Map.groupBy(stored, ({ content }) => content);
  const wrong = [...acknowledged].filter(
    ([content, id]) => ids.get(content)?.length !== 1 || ids.get(content)?.[0]?.id !== id,
  );
  expect(wrong).toEqual([]);
  expect([...ids].filter(([, rows]) => rows.length > 1).map(([content]) => content)).toEqual([]);
  // A job may write between two checks.
  const all = await until("all nodes are seen at one position", () => {
    const seen = [first, ...others].map((one) => one.tables());
    return new Set(seen.map(({ replication }) => replication)).size === 1 && seen;
  });
  const [tables, ...copies] = all;
  expect(Object.keys(tables ?? {}).length).toBeGreaterThan(50);
  for (const copy of copies) expect(copy).toEqual(tables as typeof copy);
}

/** Causes a fault while clients send, and expects that sending continues soon afterwards. */
export async function through(cluster: Cluster, account: Account, fault: () => Promise<void>): Promise<Load> {
  const sending = load(cluster, account);
  await until("messages are sent", () => sending.acknowledged.size > 20);
  await fault();
  const before = sending.acknowledged.size;
  await until("messages are sent again", () => sending.acknowledged.size > before + 20);
  await sending.stop();
  outages.push(sending.outage);
  return sending;
}

/** Prints the figures of all faults of a file. */
export function reportOutages(): void {
  if (outages.length === 0) return;
  const sorted = outages.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  console.log(
    `${outages.length} faults; outage p50 ${Math.round(middle)} ms, max ${Math.round(sorted.at(-1) ?? 0)} ms.`,
  );
}
