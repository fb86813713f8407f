// The processes of a cluster: nats-servers and nodes, each with its own ports and folder.

import type { Database } from "bun:sqlite";
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { openDatabaseOf } from "../support/database.ts";
import { json, newFolder, newOrganization, serve } from "../support/executable.ts";
import { zipped } from "../support/imports/archives.ts";
import { slackExport } from "../support/imports/slack.ts";
import { freePorts } from "../support/ports.ts";
import { basic, encode, type Json, type Method, type Params } from "../support/requests.ts";
import { s3Toml, startS3 } from "../support/s3.ts";
import { Network } from "./network.ts";
import type { NodeSettings } from "./node.ts";
import { note } from "./noted.ts";

const root = join(import.meta.dir, "..", "..");

/** The path of a nats-server. Prints a warning and returns null if none is installed. */
export function natsBinary(untried: string): string | null {
  const found = Bun.spawnSync(["node", join(root, ".ci", "nats.mjs")]);
  if (found.success) return found.stdout.toString().trim();
  console.error(`LEFT OUT: ${untried}. There is no nats-server: ${found.stderr.toString().trim()}.`);
  return null;
}

const patienceMs = 60_000;
/** CONFAB_CLUSTER_NODE names a compiled node.ts to use instead. */
const compiled = process.env.CONFAB_CLUSTER_NODE;
const program = compiled ? [compiled] : [process.execPath, join(import.meta.dir, "node.ts")];

export interface Status {
  leads: boolean;
  leader: string | null;
  position: number;
}

export async function until<T>(
  what: string,
  find: () => Promise<T | null | false> | T | null | false,
  ms = patienceMs,
): Promise<T> {
  const end = performance.now() + ms;
  for (let fault: unknown = null; ; ) {
    const found = await Promise.resolve()
      .then(find)
      .catch((error: unknown) => {
        fault = error;
        return null;
      });
    if (found) return found;
    if (performance.now() > end)
      throw new Error(`Waited ${ms / 1000} s in vain until ${what}`, fault ? { cause: fault } : {});
    await Bun.sleep(50);
  }
}

/** A process that can be killed, frozen and started again. */
export abstract class Machine {
  protected child: Bun.Subprocess<"ignore", "pipe", number> | null = null;

  constructor(
    readonly name: string,
    readonly folder: string,
  ) {
    mkdirSync(folder, { recursive: true });
  }

  abstract readonly command: string[];
  /** Besides that of this process. */
  environment: Record<string, string> = {};

  get logFile(): string {
    return join(this.folder, `${this.name}.log`);
  }

  get log(): string {
    return existsSync(this.logFile) ? readFileSync(this.logFile, "utf8") : "";
  }

  start(): void {
    const errors = openSync(this.logFile, "a");
    const env = { ...process.env, ...this.environment };
    this.child = Bun.spawn(this.command, { cwd: root, stdin: "ignore", stdout: "pipe", stderr: errors, env });
    closeSync(errors);
  }

  get isRunning(): boolean {
    return this.child !== null && this.child.exitCode === null && this.child.signalCode === null;
  }

  get process(): Bun.Subprocess | null {
    return this.child;
  }

  send(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  /** Resolves with the exit status; null if a signal ended the process. */
  async ended(): Promise<number | null> {
    await this.child?.exited;
    return this.child?.exitCode ?? null;
  }

  async kill(): Promise<void> {
    this.send("SIGKILL");
    await this.ended();
  }

  async stop(): Promise<void> {
    this.send("SIGCONT");
    this.send("SIGTERM");
    await this.ended();
  }
}

export class NatsServer extends Machine {
  /** Its monitoring address. */
  readonly monitor: string;

  constructor(
    name: string,
    folder: string,
    private readonly binary: string,
    readonly port: number,
    monitorPort: number,
    routePort: number,
    routes: readonly number[],
    {
      sync = "sync_interval: always",
      advertised = "",
      more = [] as readonly string[],
      monitorScheme = "http" as "http" | "https",
    } = {},
  ) {
    super(name, folder);
    // The certificates of tests are for this name.
    this.monitor =
      monitorScheme === "http" ? `http://127.0.0.1:${monitorPort}` : `https://localhost:${monitorPort}`;
    const lines = [
      `server_name: ${name}`,
      `listen: "127.0.0.1:${port}"`,
      `${monitorScheme}: "127.0.0.1:${monitorPort}"`,
      "max_payload: 8MB",
      `jetstream { store_dir: ${JSON.stringify(this.store)}, ${sync} }`,
    ];
    if (routes.length > 0) {
      const others = routes.map((one) => `"nats://127.0.0.1:${one}"`).join(", ");
      lines.push(
        `cluster { name: c, no_advertise: true, ${advertised} listen: "127.0.0.1:${routePort}", routes: [${others}] }`,
      );
    }
    writeFileSync(join(folder, `${name}.conf`), `${[...lines, ...more].join("\n")}\n`);
  }

  /** Has it started with this configuration instead of its own. */
  configure(text: string, environment: Record<string, string>): void {
    writeFileSync(join(this.folder, `${this.name}.conf`), text);
    this.environment = environment;
  }

  get store(): string {
    return join(this.folder, "store");
  }

  get url(): string {
    return `127.0.0.1:${this.port}`;
  }

  keepStore(): void {
    rmSync(this.kept, { recursive: true, force: true });
    cpSync(this.store, this.kept, { recursive: true });
  }

  /** Swaps its store and the kept one: an older store, as from a restored backup or a faulty disk, and back again. */
  exchangeStores(): void {
    renameSync(this.store, `${this.kept}-now`);
    renameSync(this.kept, this.store);
    renameSync(`${this.kept}-now`, this.kept);
  }

  private get kept(): string {
    return `${this.store}-kept`;
  }

  get command(): string[] {
    return [this.binary, "-c", join(this.folder, `${this.name}.conf`)];
  }
}

interface Meta {
  leader?: string;
  cluster_size?: number;
  /** The others, as the leader knows them; newer versions say something at the others, too. */
  replicas?: { current?: boolean; offline?: boolean }[];
}

async function metaOf(server: NatsServer): Promise<Meta> {
  const answer = await fetch(`${server.monitor}/jsz?meta=1`, { tls: { rejectUnauthorized: false } });
  return ((await answer.json()) as { meta_cluster?: Meta }).meta_cluster ?? {};
}

/**
 * Whether all nats-servers are in one cluster, by what each says, and by what its leader says of the others: the size alone may be
 * that of the configuration, while the leader knows nothing of a third and places no stream.
 */
async function areOneCluster(servers: readonly NatsServer[]): Promise<boolean> {
  const all = await Promise.all(servers.map(metaOf));
  const isComplete = all.every(({ leader, cluster_size }) => leader && cluster_size === servers.length);
  const leading = all.find(({ leader }, at) => leader === servers[at]?.name);
  const followers = (leading?.replicas ?? []).filter((one) => one.current && !one.offline);
  return isComplete && followers.length === servers.length - 1;
}

/**
 * Starts nats-servers and, if they are new, waits until all of them form one cluster. When several start at the same moment,
 * sometimes two form a cluster without the third, which never joins: then starts all of them again.
 */
export async function startServers(servers: readonly NatsServer[]): Promise<void> {
  const areNew = servers.every(({ store }) => !existsSync(store));
  for (let tries = 1; ; tries++) {
    for (const one of servers) if (!one.isRunning) one.start();
    if (!areNew) return;
    const isWhole = await until(
      "the nats-servers are one cluster",
      () => areOneCluster(servers),
      15_000,
    ).catch(() => false);
    if (isWhole) return;
    if (tries === 5) throw new Error("The nats-servers did not become one cluster.");
    for (const one of servers) {
      await one.kill();
      rmSync(one.store, { recursive: true, force: true });
    }
  }
}

/**
 * Waits until each nats-server holds what the others hold. Seldom, one answers no entries after its start until it is started again,
 * so this does what the log of the nodes and the guide advise, and notes it.
 */
export async function levelServers(servers: readonly NatsServer[]): Promise<void> {
  const isWell = async ({ monitor }: NatsServer) => (await fetch(`${monitor}/healthz`)).ok;
  const all = async () => (await Promise.all(servers.map(isWell))).every(Boolean);
  const what = "each nats-server holds what the others hold";
  const isDone = await until(what, all, patienceMs / 2).catch(() => false);
  if (isDone) return;
  for (const one of servers) {
    if (await isWell(one)) continue;
    console.log(`${one.name} stayed behind the other nats-servers, and is started again`);
    note({ restarted: one.name });
    await one.kill();
    one.start();
  }
  await until(what, all);
}

export class Node extends Machine {
  constructor(
    readonly settings: NodeSettings,
    folder: string,
  ) {
    super(settings.node, folder);
  }

  get command(): string[] {
    return [...program, JSON.stringify(this.settings)];
  }

  get url(): string {
    return `http://127.0.0.1:${this.settings.port}`;
  }

  /** Resolves once it serves; for a process that was started elsewhere. */
  async serves(): Promise<void> {
    await until(`${this.name} serves`, () => this.status());
  }

  /** Resolves once it serves; for a process that was started here. */
  async ready(): Promise<void> {
    const reader = this.child?.stdout.getReader();
    const { value } = (await reader?.read()) ?? {};
    if (!value) throw new Error(`${this.name} ended before it served:\n${this.log.slice(-2_000)}`);
  }

  async status(): Promise<Status> {
    const response = await fetch(`${this.url}/test-status`, { signal: AbortSignal.timeout(2_000) });
    return (await response.json()) as Status;
  }

  async ask(
    who: { email: string; key: string },
    method: Method,
    path: string,
    params: Params = {},
    { headers = {} as Record<string, string>, ms = 15_000 } = {},
  ): Promise<Response> {
    const text = encode(params);
    const isRead = method === "GET";
    return fetch(`${this.url}/api/v1/${path}${isRead && text ? `?${text}` : ""}`, {
      method,
      headers: {
        authorization: basic(who.email, who.key),
        "content-type": "application/x-www-form-urlencoded",
        ...headers,
      },
      ...(isRead ? {} : { body: text }),
      signal: AbortSignal.timeout(ms),
    });
  }

  async call(
    who: { email: string; key: string },
    method: Method,
    path: string,
    params: Params = {},
    ms?: number,
  ): Promise<Json> {
    return (await this.ask(who, method, path, params, { ...(ms && { ms }) })).json();
  }

  /** Digests of the rows of every table in its database. */
  tables(): Record<string, string> {
    const sqlite = this.database();
    // In one transaction: a job may write between two tables.
    const digests = sqlite.transaction(() => {
      const named = sqlite
        .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        .all();
      return named.map(({ name }) => {
        const rows = sqlite.query(`SELECT * FROM "${name}"`).values();
        return [name, `${rows.length} ${Bun.hash(JSON.stringify(rows, bytesAsText))}`] as const;
      });
    })();
    sqlite.close();
    return Object.fromEntries(digests);
  }

  database(): Database {
    return openDatabaseOf(this.settings.data);
  }
}

function bytesAsText(_: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
}

/** How a log began: with a standalone server's database, with a node's where the log was lost, or with an import next to a node. */
export const beginnings = ["init", "recover", "import"] as const;
export type Beginning = (typeof beginnings)[number];

/** Of the nodes, and in the names of streams. */
const clusterName = "test";

export class Cluster {
  readonly servers: NatsServer[] = [];
  readonly nodes: Node[] = [];

  /** For a cluster that was planned with one. */
  network: Network | null = null;

  /** Three nodes and three nats-servers that do not run yet; with `cuts`, all their connections can be cut. */
  static async plan(
    folder: string,
    binary: string,
    { cuts = false, ...more }: Partial<NodeSettings> & { cuts?: boolean } = {},
  ): Promise<Cluster> {
    const cluster = new Cluster();
    const ports = await freePorts(12);
    const [clients, routes, https] = [ports.slice(0, 3), ports.slice(3, 6), ports.slice(6, 9)];
    const watched = ports.slice(9);
    const network = cuts ? await Network.between({ clients, routes, nodes: https }) : null;
    cluster.network = network;
    for (const [at, port] of clients.entries()) {
      const where = join(folder, `nats-${at + 1}`);
      cluster.servers.push(
        new NatsServer(
          `n${at + 1}`,
          where,
          binary,
          port,
          watched[at] as number,
          routes[at] as number,
          network?.routesOf(at) ?? routes,
          // Otherwise the other servers would announce an address that bypasses the proxies.
          network ? { advertised: 'advertise: "127.0.0.1:1",' } : {},
        ),
      );
    }
    const servers = cluster.servers.map(({ url }) => url);
    const monitors = cluster.servers.map(({ monitor }) => monitor);
    for (const [at, port] of https.entries()) {
      const name = `node-${at + 1}`;
      const where = join(folder, name);
      const settings = {
        data: join(where, "data"),
        node: name,
        port,
        servers: network?.serversOf(at) ?? servers,
        monitors,
        leaseMs: 1_000,
        ...(network ? { url: network.urlOf(at) } : {}),
        ...more,
      };
      cluster.nodes.push(new Node(settings, where));
    }
    return cluster;
  }

  /** Starts the nats-servers and creates the cluster by the documented commands; returns the owner's key. */
  async create(beginning: Beginning): Promise<string> {
    await startServers(this.servers);
    const [first] = this.nodes as [Node, ...Node[]];
    const { data, node, port } = first.settings;
    const at = ["--data", data];
    const s3 = await startS3();
    try {
      mkdirSync(data);
      const settings = {
        cluster: this.servers.map(({ url }) => `nats://${url}`),
        cluster_name: clusterName,
        nats_monitors: first.settings.monitors,
        node,
        node_url: first.url,
      };
      const lines = Object.entries(settings).map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`);
      writeFileSync(join(data, "confab.toml"), lines.join("") + s3Toml(s3, newFolder()));
      const { owner } = await newOrganization(data);
      await json(["cluster", "init", ...at]);
      if (beginning === "init") return owner.api_key;
      if (beginning === "recover") {
        await json(["cluster", "recover", "--from", node, "--yes", ...at]);
        return owner.api_key;
      }
      const archive = await zipped(join(newFolder(), "export.zip"), slackExport());
      await json(["import", "slack", archive, "--org", "Crew", ...at]);
      const server = await serve(data, ["--port", String(port)]);
      // Nobody leads in its first moments.
      const rotating = ["user", "api-key", owner.email, "--rotate", "--yes", ...at];
      const { api_key } = await until("the owner has a key", () => json<{ api_key: string }>(rotating));
      await server.end("SIGTERM");
      return api_key;
    } finally {
      await s3.stop();
    }
  }

  /** Starts all, the first node before the others. */
  async begin(): Promise<void> {
    await startServers(this.servers);
    const [first, ...others] = this.nodes as [Node, ...Node[]];
    first.start();
    await first.ready();
    for (const one of others) one.start();
    await Promise.all(others.map((one) => one.ready()));
  }

  static async start(
    folder: string,
    binary: string,
    { beginning, ...more }: Partial<NodeSettings> & { beginning: Beginning; cuts?: boolean },
  ): Promise<{ cluster: Cluster; key: string }> {
    const cluster = await Cluster.plan(folder, binary, more);
    try {
      const key = await cluster.create(beginning);
      await cluster.begin();
      return { cluster, key };
    } catch (error) {
      await cluster.end();
      throw error;
    }
  }

  async leader(): Promise<Node> {
    return until("one node leads", async () => {
      for (const one of this.nodes) {
        if (!one.isRunning) continue;
        const status = await one.status().catch(() => null);
        if (status?.leads) return one;
      }
      return null;
    });
  }

  async follower(): Promise<Node> {
    const leader = await this.leader();
    return this.nodes.find((one) => one !== leader && one.isRunning) as Node;
  }

  /** Waits until all nodes hold the same, including the full-text index. */
  async settled(nodes: readonly Node[] = this.nodes): Promise<void> {
    let last = "";
    let since = performance.now();
    await until("all nodes are at one position, which stays", async () => {
      const positions = await Promise.all(nodes.map(async (one) => (await one.status()).position));
      const now = positions.join();
      if (now !== last) since = performance.now();
      last = now;
      return new Set(positions).size === 1 && performance.now() - since > 1_500;
    });
  }

  /** Ends all faults of processes and connections, and waits until nothing is left of them. */
  async heal(): Promise<void> {
    this.network?.mend();
    for (const one of [...this.servers, ...this.nodes]) one.send("SIGCONT");
    for (const one of this.servers) if (!one.isRunning) one.start();
    await levelServers(this.servers);
    for (const one of this.nodes) {
      if (one.isRunning) continue;
      one.start();
      await one.ready();
    }
    await this.agreed();
  }

  /** Waits until all nodes know who leads. */
  protected async agreed(): Promise<void> {
    await until("all nodes know who leads", async () => {
      // A node that was frozen may believe for a moment that it still leads.
      const leader = await this.leader();
      const all = await Promise.all(this.nodes.map((one) => one.status()));
      return all.every((one) => one.leader === leader.name);
    });
  }

  /** The name of the nats-server that leads a stream. */
  async serverOfLog(stream: string): Promise<string> {
    return until("a nats-server leads the log", async () => {
      const answer = await fetch(`${this.servers[0]?.monitor}/jsz?streams=1`);
      const { account_details: accounts } = (await answer.json()) as {
        account_details?: { stream_detail?: { name: string; cluster?: { leader?: string } }[] }[];
      };
      const all = (accounts ?? []).flatMap(({ stream_detail: streams }) => streams ?? []);
      return all.find(({ name }) => name === stream)?.cluster?.leader ?? null;
    });
  }

  /** The names of the nodes that are connected to a nats-server. */
  async nodesAt(server: number): Promise<string[]> {
    const answer = await fetch(`${this.servers[server]?.monitor}/connz`);
    const { connections } = (await answer.json()) as { connections: { name?: string }[] };
    return connections.flatMap(({ name = "" }) => /^confab-(node-\d)$/.exec(name)?.[1] ?? []);
  }

  /** The node that leads, and the nats-server on its machine. */
  async box(): Promise<{ at: number; node: Node; server: NatsServer }> {
    const node = await this.leader();
    const at = this.nodes.indexOf(node);
    return { at, node, server: this.servers[at] as NatsServer };
  }

  /** Resolves once a node other than this one leads. */
  async hasOtherLeader(than: Node): Promise<void> {
    const others = this.nodes.filter((one) => one !== than);
    await until("another leads", async () => {
      const all = await Promise.all(others.map((one) => one.status().catch(() => null)));
      return all.some((one) => one?.leads);
    });
  }

  /** Information for finding out why a test failed. */
  async findings(): Promise<string> {
    const ofNodes = this.nodes.map(async (one) => {
      const status = one.isRunning ? await one.status().catch(String) : "does not run";
      return `${one.name}: ${JSON.stringify(status)}\n${one.log.slice(-3_000)}`;
    });
    const ofServers = this.servers.map(async (one) => {
      const read = (path: string) => fetch(`${one.monitor}/${path}`, { signal: AbortSignal.timeout(2_000) });
      const paths = ["healthz", "jsz?streams=1&raft=1&meta=1"];
      const texts = paths.map((path) => read(path).then((answer) => answer.text(), String));
      const jetstream = (await Promise.all(texts)).map((text) => text.replaceAll(/\s+/g, " ")).join("\n");
      return `${one.name}: ${one.isRunning ? jetstream : "does not run"}\n${one.log.slice(-3_000)}`;
    });
    return (await Promise.all([...ofNodes, ...ofServers])).join("\n\n");
  }

  async end(): Promise<void> {
    this.network?.close();
    const all = [...this.nodes, ...this.servers];
    for (const one of all) one.send("SIGKILL");
    await Promise.all(all.map((one) => one.ended()));
  }
}
