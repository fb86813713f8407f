// Runs one node, from start to stop, around the app that serves clients.
import type { App } from "@/app.ts";
import type { Core } from "@/core.ts";
import type { CommitLog } from "@/kernel/commit-log.ts";
import { type Log, silentLog } from "@/kernel/log.ts";
import type { Relay } from "@/kernel/relay.ts";
import type { Finding } from "@/operations/diagnosis/schema.ts";
import { sharedStore } from "@/operations/file-moves/host.ts";
import { joinAs } from "@/operations/nodes/host.ts";
import type { ClusterState } from "@/operations/nodes/schema.ts";
import { beginLog, leaveLog } from "./beginning.ts";
import { enterCluster } from "./entering.ts";
import { type Examined, examineNats as examineServers } from "./examination/nats.ts";
import { noteNode, secretsOf } from "./facts.ts";
import { Forwarding } from "./forwarding.ts";
import { type Joined, joinNow } from "./joining.ts";
import { clusterSeen, NodeMembership, stateOf } from "./membership.ts";
import { type JetStreamOptions, openJetStream } from "./nats/jetstream.ts";
import { checkMonitors, type Monitored, MonitorWatch } from "./nats/monitors.ts";
import { ClusterNode } from "./node.ts";
import { NodeQueues } from "./queues/keeper.ts";
import { type Replacement, replaceDatabase } from "./replacing.ts";
import type { SharedLog } from "./shared-log.ts";
import { Upkeep } from "./snapshots.ts";

export interface NodeOptions {
  readonly dataDir: string;
  readonly nats: Omit<JetStreamOptions, "node" | "leaseMs" | "isThere"> & Monitored;
  /** This node, and the URL at which the others reach it. */
  readonly me: { readonly node: string; readonly url: string };
  /** CA certificates (PEM) of the other nodes, unless a public authority signs theirs. */
  readonly ca?: string | undefined;
  /** How old its data may be for requests of clients. */
  readonly readsMs: number;
  readonly log: Log;
  /** Called when this node must stop serving and leading. */
  readonly end: (reason: Error) => void;
  /** Called whenever it has become the leader. */
  readonly onLead: () => void;
}

export interface StartedNode {
  /** Options for opening the app. */
  readonly app: { readonly commitLog: CommitLog; readonly relay: Relay; readonly operatorToken: string };
  readonly leads: boolean;
  /** Follows the log with the app's database from now on, and leads whenever nobody does. */
  follow(app: App): Promise<void>;
  /** Serves clients and other nodes. */
  receiving(fetch: App["fetch"]): App["fetch"];
  /** Lets another node lead, and leaves the cluster. The app can still read. */
  stop(): Promise<void>;
}

/** A dead leader counts as alive for two lease times. */
const leaseMs = 1_000;
const seenMs = 3_600_000;
const electingMs = 30_000;
const retryMs = 250;

/** Brings the data folder up to date and connects; after that, the app can be opened. */
export async function startNode(options: NodeOptions): Promise<StartedNode> {
  const { dataDir, me, readsMs, log, end, ca, onLead } = options;
  const openShared = () => openJetStream({ ...options.nats, node: me.node, leaseMs });
  await checkMonitors(options.nats, false);
  await whileElecting(() => enterCluster({ dataDir, me, log, openShared, end }));
  const shared = await openShared();
  const secrets = await whileElecting(() => secretsOf(shared.facts));
  let upkeep: Upkeep | null = null;
  let files = () => "";
  const identity = {
    cluster: options.nats.cluster,
    me,
    dataDir,
    makeSnapshot: async () => (await upkeep?.makeNow()) ?? null,
    files: () => files(),
  };
  const node: ClusterNode = new ClusterNode(shared, {
    me,
    log,
    end,
    onLead,
    readsMs,
    state: () => stateOf(node, identity),
  });
  const forwarding = new Forwarding(node, { secret: secrets.nodes, ca, log });
  let queues: NodeQueues | null = null;
  const watch = new MonitorWatch(options.nats, log);
  let seen: ReturnType<typeof setInterval> | undefined;
  return {
    app: { commitLog: node, relay: forwarding, operatorToken: secrets.operator },
    get leads() {
      return node.leads;
    },
    async follow(app) {
      if (!app.replica) throw new Error("A node follows the log");
      files = () => sharedStore(app.system);
      joinAs(app.system, new NodeMembership(node, shared, identity));
      await node.start(app.replica);
      queues = new NodeQueues(node, { terms: shared.terms, app, secret: secrets.nodes });
      upkeep = new Upkeep({ dataDir, shared, me, node, log });
      watch.start();
      await noteNode(shared.facts, me);
      seen = setInterval(() => void noteNode(shared.facts, me).catch(() => {}), seenMs);
    },
    receiving: (fetch) => forwarding.receiving(fetch),
    async stop() {
      clearInterval(seen);
      watch.stop();
      queues?.stop();
      await upkeep?.stop();
      await node.stop();
    },
  };
}

/** The doctor's checks of the nats-servers. */
export function examineNats(examined: Examined): Promise<Finding[]> {
  return examineServers(examined);
}

/** What the nodes of a cluster answer, for a node that does not run. Changes nothing; throws if there is no such cluster. */
export async function askNodes({ nats, me }: Pick<Offline, "nats" | "me">): Promise<ClusterState> {
  const shared = await openJetStream({ ...nats, node: me.node, leaseMs, isThere: true });
  try {
    return await clusterSeen(shared, { cluster: nats.cluster, asked: me.node });
  } finally {
    await shared.close();
  }
}

type Offline = Pick<NodeOptions, "dataDir" | "nats" | "me">;

/** Begins a cluster with the organization of a folder; throws if these nats-servers already hold one with this name. */
export async function beginCluster({ dataDir, nats, me }: Offline) {
  await checkMonitors(nats, true);
  return withLog({ dataDir, nats, me }, async (shared) => {
    const [{ last }, [snapshot]] = await Promise.all([shared.ends(), shared.snapshots.list()]);
    if (last > 0 || snapshot) {
      throw new Error(
        `These nats-servers hold the log of a cluster ${nats.cluster} already. A node joins it with an empty data folder and ` +
          "'confab serve'; another cluster needs another --cluster-name.",
      );
    }
    const { seq, bytes } = await beginLog({ dataDir, shared, me });
    return { cluster: nats.cluster, node: me.node, position: seq, bytes };
  });
}

/** Starts a new log for a cluster that lost its log, from the database of one of its nodes. */
export function recoverCluster({ dataDir, nats, me }: Offline) {
  return withLog({ dataDir, nats, me }, async (shared) => {
    const { seq, bytes } = await beginLog({ dataDir, shared, me });
    return { cluster: nats.cluster, node: me.node, position: seq, bytes };
  });
}

/** Replaces the database of a node's folder by the newest snapshot. */
export function joinCluster({ dataDir, nats, me }: Offline): Promise<Joined> {
  return withLog({ dataDir, nats, me }, (shared) => joinNow({ dataDir, shared, onProgress: () => {} }));
}

/** Ends a cluster: the folder of its last node becomes that of a standalone server. */
export function leaveCluster({ dataDir, nats, me }: Offline): Promise<{ position: number }> {
  return withLog({ dataDir, nats, me }, (shared) => leaveLog({ dataDir, shared, me }));
}

/** Lets `work` replace the database of a node's folder, and the log begin anew with it. All nodes must be stopped. */
export function replaceOrganization<R>(
  { dataDir, nats, me }: Offline,
  work: (replacement: Replacement) => Promise<R>,
): Promise<R> {
  const openShared = () => openJetStream({ ...nats, node: me.node, leaseMs });
  return withLog({ dataDir, nats, me }, (shared) =>
    replaceDatabase({ dataDir, me, shared, openShared }, work),
  );
}

/** Opens the folder of a node that does not run, for writes through the log: resolves once it leads. */
export async function openLeading<C extends Pick<Core, "replica" | "close">>(
  { nats, me }: Pick<Offline, "nats" | "me">,
  open: (commitLog: CommitLog) => C,
): Promise<C> {
  const leading = Promise.withResolvers<void>();
  const shared = await openJetStream({ ...nats, node: me.node, leaseMs });
  const node = new ClusterNode(shared, { me, log: silentLog, end: leading.reject, onLead: leading.resolve });
  const core = open(node);
  const close = async () => {
    await node.stop();
    await core.close();
  };
  const late = setTimeout(
    () => leading.reject(new Error("Another node leads. Stop all nodes first")),
    electingMs,
  );
  try {
    if (core.replica) await node.start(core.replica);
    await leading.promise;
  } catch (error) {
    await close();
    throw error;
  } finally {
    clearTimeout(late);
  }
  return { ...core, close };
}

/** Retries while NATS elects its own leaders and does not answer, as when all machines start at once. */
async function whileElecting<R>(work: () => Promise<R>): Promise<R> {
  const until = performance.now() + electingMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const passes = /timeout|no responders|no suitable|unavailable/i.test(String(error));
      if (!passes || performance.now() > until) throw error;
      await Bun.sleep(retryMs);
    }
  }
}

async function withLog<R>({ nats, me }: Offline, work: (shared: SharedLog) => Promise<R>): Promise<R> {
  await checkMonitors(nats, false);
  const shared = await openJetStream({ ...nats, node: me.node, leaseMs });
  try {
    return await whileElecting(() => work(shared));
  } finally {
    await shared.close();
  }
}
