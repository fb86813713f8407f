// Several nodes in one process: they share a list as their log, and use the real encoding for messages.
import { Database } from "bun:sqlite";
import { type App, type OpenOptions, openOn } from "@/app.ts";
import { decode, encode } from "@/cluster/wire.ts";
import { domains } from "@/domains.ts";
import { type CommitLog, type Entry, NotAppended } from "@/kernel/store/commit-log.ts";
import { type TestClock, testClock } from "./clock.ts";
import type { Json } from "./requests.ts";
import { until } from "./waiting.ts";
import { type CastName, type World, world } from "./world.ts";

export interface TestNode {
  readonly app: App;
  readonly clock: TestClock;
  /** Messages from other nodes do not arrive. */
  isCutOff: boolean;
  as(name: CastName): Record<"get" | "post" | "patch", (path: string, params?: Json) => Promise<Json>>;
  runJob(name: string): Promise<void>;
}

export interface TestNodes {
  readonly w: World;
  readonly nodes: TestNode[];
  /** The statements of all entries in the log. */
  readonly written: string[];
  lead(node: TestNode): void;
  /** Has the leader leave IDs for events outside the log, as its timer does; resolves once all nodes know of them. */
  keepRoom(): Promise<void>;
  /** Resolves once all nodes have applied the whole log. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

const before = { after: "", term: 1 };

/** The first node leads; each has the world's database and a separate clock. */
export function testNodes(
  count: number,
  {
    lateTurns = 0,
    ...options
  }: Pick<OpenOptions, "files" | "site"> & {
    /** After so many turns of the event loop, entries arrive at the other nodes. */
    lateTurns?: number;
  } = {},
): TestNodes {
  const w = world();
  const bytes = w.app.env.db.sqlite.serialize();
  const nodes: TestNode[] = [];
  const entries: Entry[] = [];
  const written: string[] = [];
  let leader: TestNode | null = null;
  let isOpen = true;
  const reached = (from: TestNode) => nodes.filter((one) => one === from || !(one.isCutOff || from.isCutOff));
  const make = (): TestNode => {
    const log: CommitLog = {
      get leads() {
        return leader === node;
      },
      async append(batch, { seq }) {
        if (leader !== node) throw new NotAppended("Another node leads");
        const entry = { ...batch, position: { seq: seq + 1, digest: `${seq + 1}` } };
        entries.push(entry);
        written.push(...batch.written.map(({ sql }) => sql));
        const arrive = (turns: number): unknown =>
          setImmediate(() => {
            if (turns > 0) arrive(turns - 1);
            else for (const one of nodes) if (isOpen && one !== node) one.app.replica?.apply(entry);
          });
        arrive(lateTurns);
        return entry.position;
      },
      read: async ({ seq }) => entries.slice(seq),
      async spread(seq) {
        const lags = () => reached(node).some(({ app }) => (app.replica?.position.seq ?? seq) < seq);
        while (isOpen && lags()) await new Promise((resolve) => setImmediate(resolve));
      },
      announce(emitted) {
        if (!isOpen) return;
        const data = encode(before, { written: [], emitted });
        for (const one of reached(node)) one.app.replica?.deliver(decode(data).emitted);
      },
      endNode: (error) => {
        throw error;
      },
    };
    const clock = testClock();
    const app = openOn(Database.deserialize(bytes), { ...options, hosting: true, clock, commitLog: log });
    const node: TestNode = {
      app,
      clock,
      isCutOff: false,
      as: (name) => {
        const { email, key } = w.user(name);
        const headers = { authorization: `Basic ${btoa(`${email}:${key}`)}` };
        const by =
          (method: string) =>
          async (path: string, params: Json = {}): Promise<Json> => {
            const query = new URLSearchParams(params).toString();
            const url = `https://chat.example.com/api/v1${path}${query && "?"}${query}`;
            return (await app.fetch(new Request(url, { method, headers }))).json();
          };
        return { get: by("GET"), post: by("POST"), patch: by("PATCH") };
      },
      async runJob(name) {
        const job = domains.flatMap(({ jobs = [] }) => jobs).find((one) => one.name === name);
        if (job?.onEachNode || leader === node) await job?.run(app.ctx(app.system.actor));
      },
    };
    return node;
  };
  const caughtUp = async () => {
    const isEach = () => nodes.every(({ app }) => app.replica?.position.seq === entries.length);
    await until(isEach, "each node has applied the whole log", 1);
  };
  while (nodes.length < count) nodes.push(make());
  leader = nodes[0] ?? null;
  for (const { app } of nodes) for (const { prepare } of domains) prepare?.(app.system);
  return {
    w,
    nodes,
    written,
    lead: (node) => {
      leader = node;
    },
    keepRoom: async () => {
      leader?.clock.advance(1);
      leader?.app.replica?.keepRoom();
      await until(() => entries.length > 0, "the leader has kept room", 1);
      await caughtUp();
    },
    caughtUp,
    close: async () => {
      isOpen = false;
      for (const { app } of nodes) await app.close();
    },
  };
}
