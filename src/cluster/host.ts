// Runs one node, from start to stop, around the app that serves clients.
import { join } from "node:path";
import type { App } from "@/app.ts";
import type { Core } from "@/core.ts";
import type { FileStore } from "@/foundation/file-stores/schema.ts";
import { announceNodes } from "@/foundation/sessions/host.ts";
import type { Forwarder } from "@/kernel/http/forwarding.ts";
import { type Log, silentLog } from "@/kernel/lib/log.ts";
import { listText } from "@/kernel/lib/wording.ts";
import type { CommitLog } from "@/kernel/store/commit-log.ts";
import { databaseFile } from "@/operations/data-folder/schema.ts";
import type { Finding } from "@/operations/diagnosis/schema.ts";
import { addressOfStore } from "@/operations/file-moves/host.ts";
import { joinAs, nodeStarted } from "@/operations/nodes/host.ts";
import type { ClusterState } from "@/operations/nodes/schema.ts";
import { beginLog, leaveLog } from "./beginning.ts";
import { clusterAt, DirectTalk } from "./direct-talk.ts";
import { enterCluster } from "./entering.ts";
import { checkMonitors, checkWhole, type Monitored, MonitorWatch } from "./examination/monitors.ts";
import { type Examined, examineNats as examineServers } from "./examination/nats.ts";
import { examineUrls } from "./examination/urls.ts";
import { noteNode, secretsOf } from "./facts.ts";
import { Forwarding } from "./forwarding.ts";
import { type Joined, joinNow } from "./joining.ts";
import { forgetNodes, readNodes } from "./known-nodes.ts";
import { certificateEndOf } from "./machines/seat.ts";
import { joiningState, NodeMembership, stateOf } from "./membership.ts";
import { natsStore, removeFiles } from "./nats/file-store.ts";
import { type JetStreamOptions, openJetStream } from "./nats/jetstream.ts";
import { lookAt } from "./nats/look.ts";
import { ClusterNode } from "./node.ts";
import { NodeQueues } from "./queues/keeper.ts";
import { answeringTries, Reaching } from "./reaching.ts";
import { type Replacement, replaceDatabase } from "./replacing.ts";
import { clusterSeen } from "./seeing.ts";
import type { SharedLog } from "./shared-log.ts";
import { Upkeep } from "./snapshots.ts";
import { holdingOf } from "./store.ts";

export interface NodeOptions {
  readonly dataDir: string;
  readonly nats: Omit<JetStreamOptions, "node" | "leaseMs" | "isThere"> & Monitored;
  /** This node, and the URL at which the others reach it. */
  readonly me: { readonly node: string; readonly url: string };
  /** The origin at which people reach this node, unless they use a name or a proxy that leads to all. */
  readonly site: string;
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
  readonly app: {
    readonly commitLog: CommitLog;
    readonly forwarder: Forwarder;
    readonly operatorToken: string;
  };
  readonly leads: boolean;
  /** Follows the log with the app's database from now on, and leads whenever nobody does. */
  follow(app: App): Promise<void>;
  /** Serves clients and other nodes. */
  receiving(fetch: App["fetch"]): App["fetch"];
  /** Call it once this node can be reached: it says so in the log if its address leads nowhere. */
  listening(): Promise<void>;
  /** Lets another node lead, and leaves the cluster. The app can still read. */
  stop(): Promise<void>;
}

/** A dead leader counts as alive for two lease times. */
const leaseMs = 1_000;
const seenMs = 60_000;
const partingMs = 1_000;
const electingMs = 30_000;
const retryMs = 250;

/** Brings the data folder up to date and connects; after that, the app can be opened. */
export async function startNode(options: NodeOptions): Promise<StartedNode> {
  const { dataDir, me, site, readsMs, log, end, ca, onLead } = options;
  const described = { ...me, site };
  const openShared = () => openJetStream({ ...options.nats, node: me.node, leaseMs });
  await checkMonitors(options.nats, false);
  let files = () => "";
  const waiting = (one: ClusterNode) => stateOf(one, { me: described, dataDir, files, isWaiting: true });
  const joining = (how: Parameters<typeof joiningState>[1]) =>
    joiningState({ me: described, dataDir, files }, how);
  const entering = { dataDir, me, log, openShared, end, state: waiting, joiningState: joining };
  await whileElecting(() => enterCluster(entering));
  const shared = await openShared();
  const secrets = await whileElecting(() => secretsOf(shared.facts));
  let upkeep: Upkeep | null = null;
  const identity = {
    cluster: options.nats.cluster,
    me: described,
    dataDir,
    makeSnapshot: async () => (await upkeep?.makeNow()) ?? null,
    files: () => files(),
  };
  const state = () => stateOf(node, identity);
  const direct = new DirectTalk({ secret: secrets.nodes, ca, state });
  const node: ClusterNode = new ClusterNode(shared, {
    me,
    log,
    end,
    onLead,
    readsMs,
    state,
    trial: (of) => reaching.trial(of),
  });
  const tried = { me: { ...me, id: node.id }, secret: secrets.nodes };
  const reaching = new Reaching({ ...tried, talk: shared.talk, ca, log, node });
  const forwarding = new Forwarding(node, { secret: secrets.nodes, ca, log });
  let queues: NodeQueues | null = null;
  const watch = new MonitorWatch(options.nats, log);
  let seen: ReturnType<typeof setInterval> | undefined;
  let membership: NodeMembership | undefined;
  /** Notes who is there, for others and for the time when NATS does not answer. */
  const note = async () => {
    await noteNode(shared.facts, described).catch(() => {});
    await membership?.state().catch(() => {});
  };
  return {
    app: { commitLog: node, forwarder: forwarding, operatorToken: secrets.operator },
    get leads() {
      return node.leads;
    },
    async follow(app) {
      if (!app.replica) throw new Error("A node follows the log");
      await reaching.refuseOther();
      files = () => addressOfStore(app.system);
      const measured = { nats: () => watch.figures, certificateEndsAt: certificateEndOf(dataDir) };
      membership = new NodeMembership(node, shared, { ...identity, ...measured, direct });
      joinAs(app.system, membership);
      announceNodes(app.system, () => membership?.sites ?? []);
      await node.start(app.replica);
      queues = new NodeQueues(node, { terms: shared.terms, app, secret: secrets.nodes });
      upkeep = new Upkeep({ dataDir, shared, me, node, log });
      watch.start();
      await noteNode(shared.facts, described);
      seen = setInterval(() => void note(), seenMs);
      void note();
      nodeStarted.send(app.system, {});
    },
    receiving: (fetch) => answeringTries(direct.receiving(forwarding.receiving(fetch)), tried),
    listening: () => reaching.start(),
    async stop() {
      await reaching.stop();
      clearInterval(seen);
      // One that did not start, as where another has its name, leaves no trace.
      if (seen) await Promise.race([noteNode(shared.facts, described).catch(() => {}), Bun.sleep(partingMs)]);
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

/** The doctor's check whether the nodes reach each other. */
export async function examineReach({ nats, me }: Pick<Offline, "nats" | "me">): Promise<Finding[]> {
  const shared = await openJetStream({ ...nats, node: me.node, leaseMs, isThere: true });
  try {
    return await examineUrls(shared.talk);
  } finally {
    await shared.close();
  }
}

interface FolderOptions extends Offline, Pick<NodeOptions, "ca"> {
  /** The header by which other nodes know the operator; null if this folder has none. */
  readonly authorization: string | null;
}

/**
 * The state of the cluster as the folder of a node that does not run can learn it: from NATS, or else from the other nodes that the
 * folder remembers, and from what it holds itself. Changes nothing.
 */
export async function listNodesFromFolder({
  dataDir,
  nats,
  me,
  ca,
  authorization,
}: FolderOptions): Promise<ClusterState> {
  const { cluster } = nats;
  const remembered = readNodes({ dataDir, cluster });
  const position = holdingOf(join(dataDir, databaseFile))?.position?.seq ?? null;
  const look = await lookAt({ ...nats, node: me.node });
  const view = { cluster, asked: me.node, own: () => null, position, remembered, stateAt: async () => null };
  const seen = await clusterSeen(look ?? nothing, look ? view : { ...view, patienceMs: 0 }).finally(() =>
    look?.close(),
  );
  const others = seen.nodes.filter(({ node, state }) => node !== me.node && !state);
  const isAnswered = seen.log === "there" || authorization === null || others.length === 0;
  const asked = isAnswered ? [] : others.map(({ url }) => clusterAt(url, authorization, ca));
  const answers = (await Promise.all(asked)).filter((one) => one !== null);
  // One that reaches NATS knows more than this machine and those that do not.
  const chosen = answers.find(({ log }) => log === "there") ?? answers[0] ?? seen;
  const known = new Map([...seen.nodes, ...chosen.nodes].map((one) => [one.node, one]));
  const own = known.get(me.node) ?? { ...me, last_seen: 0, state: null, lag: null };
  known.set(me.node, { ...own, position });
  const nodes = [...known.values()].sort((a, b) => (a.node < b.node ? -1 : 1));
  return { ...chosen, asked: me.node, nodes };
}

/** Where no nats-server can be reached. */
const nothing: Parameters<typeof clusterSeen>[0] = {
  ends: () => Promise.reject(new Error("No nats-server answers")),
  talk: { states: async () => [] },
  facts: { list: async () => new Map() },
};

type Offline = Pick<NodeOptions, "dataDir" | "nats" | "me">;

/** Begins a cluster with the organization of a folder; throws if these nats-servers already hold one with this name. */
export async function beginCluster({ dataDir, nats, me }: Offline, share: () => Promise<void>) {
  await checkMonitors(nats, true);
  await checkWhole(nats);
  return withLog({ dataDir, nats, me }, async (shared) => {
    const [{ last }, [snapshot]] = await Promise.all([shared.ends(), shared.snapshots.list()]);
    if (last > 0 || snapshot) {
      throw new Error(
        `These nats-servers hold the log of a cluster ${nats.cluster} already. A node joins it with an empty data folder and ` +
          "'confab serve'; another cluster needs another --cluster-name.",
      );
    }
    await share();
    const { seq, bytes } = await beginLog({ dataDir, shared, me });
    return { cluster: nats.cluster, node: me.node, position: seq, bytes };
  });
}

/** The same on nats-servers of ours, which are new, and may not place a stream yet. If killed midway, call it again. */
export async function beginOwnCluster(
  { dataDir, nats, me }: Offline,
  share: () => Promise<void>,
): Promise<void> {
  if (!hasBegun(dataDir)) await whileElecting(share);
  await withLog({ dataDir, nats, me }, async (shared) => {
    const at = holdingOf(join(dataDir, databaseFile))?.position?.seq ?? null;
    const [snapshot] = await shared.snapshots.list();
    if (at === null || snapshot?.seq !== at) await beginLog({ dataDir, shared, me });
  });
}

/** Starts a new log for a cluster that lost its log, from the database of one of its nodes. */
export async function recoverCluster({ dataDir, nats, me }: Offline) {
  await checkMonitors(nats, false);
  await checkWhole(nats);
  return withLog({ dataDir, nats, me }, async (shared) => {
    const others = (await shared.talk.states())
      .map(({ node, position }) => `${node} at entry ${position}`)
      .sort();
    if (others.length > 0) {
      const own = holdingOf(join(dataDir, databaseFile))?.position?.seq ?? 0;
      throw new Error(
        `Other nodes run: ${listText(others)}. This folder is at entry ${own}. Stop all nodes first, and recover with the one at the ` +
          "highest position",
      );
    }
    const { seq, bytes } = await beginLog({ dataDir, shared, me });
    return { cluster: nats.cluster, node: me.node, position: seq, bytes };
  });
}

/** The nodes that hold more than the database of a node's folder, as far as it remembers. */
export function nodesAhead(
  dataDir: string,
  cluster: string,
): { node: string; position: number; last_seen: number }[] {
  const own = holdingOf(join(dataDir, databaseFile))?.position?.seq ?? 0;
  return readNodes({ dataDir, cluster }).flatMap(({ position, ...one }) =>
    position !== null && position > own ? [{ ...one, position }] : [],
  );
}

/** Replaces the database of a node's folder by the newest snapshot. */
export function joinCluster({ dataDir, nats, me }: Offline): Promise<Joined> {
  return withLog({ dataDir, nats, me }, (shared) => joinNow({ dataDir, shared, onProgress: () => {} }));
}

/** Whether the log of a cluster that begins here has begun with the organization of the folder. */
function hasBegun(dataDir: string): boolean {
  return Boolean(holdingOf(join(dataDir, databaseFile))?.position);
}

/** The nats-servers as a store for files. */
export function openFiles(
  { nats, me }: Pick<Offline, "nats" | "me">,
  { patienceMs }: { patienceMs?: number | undefined } = {},
): FileStore {
  return natsStore({ ...nats, node: me.node, patienceMs });
}

/** Ends a cluster: the folder of its last node, which has the files, becomes that of a standalone server. */
export async function leaveCluster({ dataDir, nats, me }: Offline): Promise<{ position: number }> {
  const left = await withLog({ dataDir, nats, me }, (shared) => leaveLog({ dataDir, shared, me }));
  await removeFiles({ ...nats, node: me.node });
  forgetNodes(dataDir);
  return left;
}

/** Lets `work` replace the database of a node's folder, and the log start over with it. All nodes must be stopped. */
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
