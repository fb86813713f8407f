// The nodes of a cluster in one process, with the real protocol, over a shared log in memory that each test can make fail.
import { Database } from "bun:sqlite";
import { type App, openOn } from "@/app.ts";
import { noteNode } from "@/cluster/facts.ts";
import { Forwarding } from "@/cluster/forwarding.ts";
import { NodeMembership } from "@/cluster/membership.ts";
import { ClusterNode } from "@/cluster/node.ts";
import { NodeQueues } from "@/cluster/queues/keeper.ts";
import { Past, type PastLimits } from "@/cluster/queues/past.ts";
import {
  type Fact,
  Fenced,
  type LeaseRecord,
  type SharedLog,
  type Talk,
  Unanswered,
} from "@/cluster/shared-log.ts";
import { LogEnd } from "@/cluster/watching/log-end.ts";
import { createRealm } from "@/foundation/realm-administration/actions.ts";
import { makeLoginLink } from "@/foundation/sessions/actions-links.ts";
import { announceNodes } from "@/foundation/sessions/host.ts";
import { silentLog } from "@/kernel/lib/log.ts";
import { NotAppended } from "@/kernel/store/commit-log.ts";
import { joinAs } from "@/operations/nodes/host.ts";
import type { NodeState } from "@/operations/nodes/schema.ts";
import { type PlainServer, serveFetch } from "./plain-server.ts";
import { basic, encode, type Json, type Method, type Params } from "./requests.ts";
import { until } from "./waiting.ts";
import type { Reached } from "./web-session.ts";

type Listener = Parameters<Talk["listen"]>[0];

/** Longer than a busy machine lets the nodes wait, so that none takes the lead unless a test lets it. */
const leaseMs = 1_000;

/** What all nodes share. */
class MemoryStore {
  readonly entries: Uint8Array[] = [];
  readonly ids: string[] = [];
  /** The oldest entry that was not removed. */
  first = 1;
  private readonly facts = new Map<string, Fact>();
  private readonly terms = new Map<string, Fact>();
  private readonly listeners = new Set<{ listener: Listener; line: Line }>();
  private readonly reports = new Set<{ state: () => NodeState | null; line: Line }>();
  lease: LeaseRecord | null = null;
  /** Only this node may take the lease; null if any may. */
  next: string | null = null;
  private revision = 0;
  /** It takes no entry. */
  isFull = false;

  free(): void {
    this.lease = { revision: ++this.revision, leader: null };
  }

  /** The connection of one node. */
  open(line: Line): SharedLog {
    const asked = async <T>(work: () => T): Promise<T> => {
      if (line.isCut) throw new Unanswered("timeout");
      return work();
    };
    const others = () => [...this.listeners].filter((one) => one.line !== line && !one.line.isCut);
    const receivers = () => (line.isCut ? [] : [...this.listeners].filter((one) => !one.line.isCut));
    const factsIn = (map: Map<string, Fact>): SharedLog["facts"] => {
      const put = (key: string, value: string) => void map.set(key, { value, at: Date.now() });
      return {
        get: (key) => asked(() => map.get(key)?.value ?? null),
        setIfAbsent: (key, value) =>
          asked(() => {
            if (!map.has(key)) put(key, value);
            return map.get(key)?.value as string;
          }),
        put: (key, value) => asked(() => put(key, value)),
        remove: (key) => asked(() => void map.delete(key)),
        list: (prefix) => asked(() => new Map([...map].filter(([key]) => key.startsWith(prefix)))),
      };
    };
    return {
      maxBytes: 8_000_000,
      append: (data, id, after) =>
        asked(() => {
          if (this.isFull) throw new NotAppended("maximum bytes exceeded");
          if (this.ids[after] === id) return;
          if (this.entries.length !== after) throw new Fenced(`The log ends at ${this.entries.length}`);
          this.entries.push(data);
          this.ids.push(id);
        }),
      ends: () => asked(() => ({ first: this.first, last: this.entries.length, bytes: 0 })),
      findTime: (seq) => asked(() => (seq <= this.entries.length ? 1_000 * seq : null)),
      forgetBefore: () => asked(() => {}),
      beginAt: () => asked(() => {}),
      remove: () => asked(() => {}),
      read: (from, to) => asked(() => (from < this.first ? [] : this.entries.slice(from - 1, to))),
      lease: {
        ms: leaseMs,
        read: async () => {
          await line.leaseAnswers;
          return asked(() => this.lease);
        },
        hold: async (leader, revision) => {
          await line.leaseAnswers;
          return asked(() => {
            if ((this.lease?.revision ?? 0) !== revision || leader.node !== (this.next ?? leader.node))
              return null;
            this.lease = { leader, revision: ++this.revision };
            return this.revision;
          });
        },
        giveBack: async (revision) => {
          await line.leaseAnswers;
          return asked(() => {
            if (this.lease?.revision === revision) this.free();
          });
        },
        hasLeft: async () => false,
      },
      snapshotLease: {
        ms: leaseMs,
        read: async () => null,
        hold: async () => null,
        giveBack: async () => {},
        hasLeft: async () => false,
      },
      snapshots: { list: async () => [], put: async () => {}, async *get() {} },
      facts: factsIn(this.facts),
      terms: factsIn(this.terms),
      talk: {
        announce: (seq, data) => {
          if (line.isCut) return;
          for (const one of others()) if (!one.line.isDeaf) one.listener.onEntry(seq, data);
        },
        broadcast: (data) => {
          for (const { listener } of receivers()) listener.onEvents(data);
        },
        positions: async () => receivers().map(({ listener }) => listener.peer().position),
        peers: async () => receivers().map(({ listener }) => listener.peer()),
        haveTried: () => {},
        states: async () =>
          line.isCut ? [] : [...this.reports].flatMap((one) => (one.line.isCut ? [] : (one.state() ?? []))),
        report: (state) => void this.reports.add({ state, line }),
        listen: (listener) => void this.listeners.add({ listener, line }),
      },
      close: async () => {
        for (const one of this.listeners) if (one.line === line) this.listeners.delete(one);
        for (const one of this.reports) if (one.line === line) this.reports.delete(one);
      },
    };
  }
}

/** A node's connection to the store. */
class Line {
  /** Nothing that it sends arrives, and nothing reaches it. */
  isCut = false;
  /** It hears of no entry. */
  isDeaf = false;
  private heldBack: PromiseWithResolvers<void> | null = null;

  /** Resolves once questions about the lease are answered. */
  get leaseAnswers(): Promise<void> | undefined {
    return this.heldBack?.promise;
  }

  /** Answers no question about the lease from now on. */
  holdLeaseAnswers(): void {
    this.heldBack = Promise.withResolvers();
  }

  answer(): void {
    this.heldBack?.resolve();
    this.heldBack = null;
  }
}

export class MemoryNode {
  readonly line = new Line();
  /** The time of what this node knows of the log's end, in milliseconds, if a test has stopped that clock. */
  private time: number | null = null;
  /** How much of the log it retains for clients of other nodes, from its next start on. */
  past: Partial<PastLimits> = {};
  node!: ClusterNode;
  app!: App;
  private queues!: NodeQueues;
  private server!: PlainServer;
  private answer: App["fetch"] = () => new Response(null, { status: 503 });

  constructor(
    private readonly store: MemoryStore,
    readonly name: string,
    private bytes: Uint8Array | null,
    private readonly options: { readsMs: number; patienceMs: number; host?: string | undefined },
  ) {}

  get url(): string {
    return `http://${this.options.host ?? "127.0.0.1"}:${this.server.port}`;
  }

  /** For a browser at its address. */
  get reached(): Reached {
    return { env: { site: this.url }, fetch: (request) => fetch(request) };
  }

  /** The path of a link that signs somebody in; only the leader makes one. */
  async loginLink(email: string): Promise<string> {
    const { app } = this;
    const user = app.env.db.get<{ id: number }>("SELECT id FROM users WHERE delivery_email = ?", email);
    const actor = { kind: "user", id: user?.id ?? 0, client: "test" } as const;
    return (await makeLoginLink(app.ctx(actor), user?.id ?? 0)).path;
  }

  async start(port = 0): Promise<void> {
    const shared = this.store.open(this.line);
    await this.pickUp(port);
    const me = { node: this.name, url: this.url };
    const logEnd = new LogEnd(() => this.time ?? Math.floor(performance.now()));
    this.node = new ClusterNode(shared, {
      me,
      log: silentLog,
      logEnd,
      readsMs: this.options.readsMs,
      past: new Past(this.past),
      end: (error) => {
        throw error;
      },
    });
    const secret = "known to the nodes alone";
    const forwarding = new Forwarding(this.node, { secret, patienceMs: this.options.patienceMs });
    const sqlite = this.bytes ? Database.deserialize(this.bytes) : new Database(":memory:");
    const site = { site: "http://127.0.0.1", followsHost: this.options.host !== undefined };
    const how = { hosting: true, ...site, commitLog: this.node, forwarder: forwarding };
    this.app = openOn(sqlite, how);
    if (!this.app.replica) throw new Error("A node follows the log");
    const identity = {
      cluster: "test",
      me: { ...me, site: this.url },
      // It takes no files.
      dataDir: "/dev/null",
      makeSnapshot: async () => null,
      files: () => "",
      direct: { stateAt: async () => null },
      nats: () => [],
      certificateEndsAt: null,
    };
    const membership = new NodeMembership(this.node, shared, identity);
    joinAs(this.app.system, membership);
    announceNodes(this.app.system, () => membership.sites);
    await this.node.start(this.app.replica);
    await noteNode(shared.facts, identity.me);
    this.queues = new NodeQueues(this.node, { terms: shared.terms, app: this.app, secret });
    this.answer = forwarding.receiving(this.app.fetch);
  }

  async stop(): Promise<void> {
    this.queues.stop();
    await this.node.stop();
    this.bytes = this.app.env.db.sqlite.serialize();
    await this.app.close();
    await this.server.stop();
    this.answer = () => new Response(null, { status: 503 });
  }

  /** Clients reach it no more. */
  hangUp(): Promise<void> {
    return this.server.stop();
  }

  /** Clients reach it, by default where they did. */
  async pickUp(port = this.server.port): Promise<void> {
    this.server = await serveFetch((request) => this.answer(request), port, this.options.host);
  }

  /** Stops the clock at a time when this node has not known the log's end for so long. */
  waitFor(ms: number): void {
    this.time ??= Math.floor(performance.now());
    this.time += ms - this.node.unknownMs;
  }

  /** Cuts it off, as it would be after so long. */
  async cutOff(ms: number): Promise<void> {
    this.line.isCut = true;
    // What was asked before has been answered then.
    await this.node.checkLog();
    this.waitFor(ms);
  }

  /** As a new process with the same database. */
  async restart(): Promise<void> {
    const { port } = this.server;
    await this.stop();
    await this.start(port);
  }

  ask(
    who: { email: string; key: string } | null,
    method: Method,
    path: string,
    params: Params = {},
    headers: Record<string, string> = {},
  ) {
    const text = encode(params);
    const isRead = method === "GET";
    const at = path.startsWith("/") ? path : `/api/v1/${path}`;
    return fetch(`${this.url}${at}${isRead && text ? `?${text}` : ""}`, {
      method,
      headers: {
        ...(who && { authorization: basic(who.email, who.key) }),
        "content-type": "application/x-www-form-urlencoded",
        ...headers,
      },
      ...(isRead ? {} : { body: text }),
    });
  }

  async call(...asked: Parameters<MemoryNode["ask"]>): Promise<Json> {
    return (await (await this.ask(...asked)).json()) as Json;
  }
}

export interface MemoryCluster {
  readonly store: MemoryStore;
  /** The first one leads. */
  readonly nodes: MemoryNode[];
  readonly olive: { email: string; key: string };
  /** The lease ends as if it had not been renewed; resolves once this node leads. */
  leadBy(node: MemoryNode): Promise<void>;
  /** Resolves once all nodes that are not cut off have the whole log. */
  caughtUp(): Promise<void>;
  send(node: MemoryNode, content: string): Promise<Json>;
  close(): Promise<void>;
}

interface Options {
  readsMs?: number;
  patienceMs?: number;
  /** Loopback addresses of their own, so that a browser has cookies of each, and people use these addresses. */
  hosts?: readonly string[];
}

export async function memoryCluster(
  count: number,
  { readsMs = 60_000, patienceMs = 60_000, hosts = [] }: Options = {},
): Promise<MemoryCluster> {
  const store = new MemoryStore();
  const names = ["a", "b", "c"].slice(0, count);
  const nodes = names.map(
    (name, at) => new MemoryNode(store, name, null, { readsMs, patienceMs, host: hosts[at] }),
  );
  const [first] = nodes as [MemoryNode];
  await first.start();
  await until(() => first.node.leads, "the first node leads");
  for (const one of nodes.slice(1)) await one.start();
  const owner = { owner_email: "olive@example.com", owner_name: "Olive", avatar_salt: "salt" };
  const { api_key: key } = await createRealm(first.app.system, { name: "Several", ...owner });
  const olive = { email: "olive@example.com", key };
  const cluster: MemoryCluster = {
    store,
    nodes,
    olive,
    async leadBy(node) {
      await until(() => {
        store.next = node.name;
        if (store.lease?.leader?.node !== node.name) store.free();
        return node.node.leads;
      }, `${node.name} leads`);
      store.next = null;
    },
    async caughtUp() {
      const isThere = () =>
        nodes.every(({ line, node }) => line.isCut || node.position === store.entries.length);
      await until(isThere, "all nodes have the whole log");
    },
    send: (node, content) =>
      node.call(olive, "POST", "messages", { type: "stream", to: "general", topic: "t", content }),
    async close() {
      for (const one of nodes) {
        one.line.isCut = false;
        one.line.answer();
        await one.stop();
      }
    },
  };
  const made = await first.call(olive, "POST", "users/me/subscriptions", {
    subscriptions: [{ name: "general" }],
  });
  if (made.result !== "success") throw new Error(JSON.stringify(made));
  await cluster.caughtUp();
  return cluster;
}
