// Runs one node of a cluster: `bun test/cluster/node.ts '{"data": …}'`. Prints a line once it serves.
import { open } from "@/app.ts";
import { enterCluster } from "@/cluster/entering.ts";
import { checkMonitors } from "@/cluster/examination/monitors.ts";
import { Forwarding } from "@/cluster/forwarding.ts";
import { openJetStream } from "@/cluster/nats/jetstream.ts";
import { ClusterNode } from "@/cluster/node.ts";
import { NodeQueues } from "@/cluster/queues/keeper.ts";
import { Past, type PastLimits } from "@/cluster/queues/past.ts";
import { answeringTries, Reaching } from "@/cluster/reaching.ts";
import type { Tried } from "@/cluster/shared-log.ts";
import { type SnapshotRules, Upkeep } from "@/cluster/snapshots.ts";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import { createLog } from "@/kernel/lib/log.ts";
import { migrations } from "@/migrations/all.ts";
import { serve } from "@/server.ts";
import { laterMigrations } from "./later.ts";

export interface NodeSettings {
  data: string;
  node: string;
  port: number;
  /** Where the other nodes reach it, if not at its port. */
  url?: string;
  servers: string[];
  monitors: string[];
  leaseMs: number;
  rules?: Partial<SnapshotRules>;
  /** How much of the log it retains for clients of other nodes. */
  past?: Partial<PastLimits>;
  /** Networks whose pages and pictures may be previewed besides those of the public Internet. */
  previewNetworks?: string;
  /** How wrong its clock is. */
  skewMs?: number;
  /** How many versions it is ahead; each has one more table. */
  later?: number;
}

const settings = JSON.parse(process.argv[2] ?? "") as NodeSettings;
const { data, node: name, port, servers, monitors, leaseMs, rules, previewNetworks, skewMs } = settings;
if (skewMs) {
  const right = Date.now;
  Date.now = () => right() + skewMs;
}
(migrations as string[]).push(...laterMigrations(settings.later ?? 0));
const url = settings.url ?? `http://127.0.0.1:${port}`;
const log = createLog();
const end = (reason: Error) => {
  log.error("cluster_ends", { node: name, error: reason.message });
  log.flush();
  process.exit(3);
};

const me = { node: name, url };
const openShared = () => openJetStream({ servers, cluster: "test", node: name, replicas: 3, leaseMs });
await checkMonitors({ monitors, replicas: 3 }, false).catch(end);
await enterCluster({ dataDir: data, me, log, openShared, end }).catch(end);
const shared = await openShared();
const secret = "of the test";
const trial = (of: Tried) => reaching.trial(of);
const node: ClusterNode = new ClusterNode(shared, {
  me,
  log,
  end,
  past: new Past(settings.past),
  trial,
  // As `confab serve` does.
  onLead: () =>
    previewNetworks && void setServerOptions(app.system, { preview_networks: previewNetworks }).catch(end),
});
const tried = { me: { ...me, id: node.id }, secret };
const reaching = new Reaching({ ...tried, talk: shared.talk, log, node });
const forwarding = new Forwarding(node, { secret });
const how = { hosting: true, site: "http://127.0.0.1", log, commitLog: node, forwarder: forwarding };
const app = open(data, how);
if (!app.replica) throw new Error("A node follows the log");
await node.start(app.replica).catch(end);
const queues = new NodeQueues(node, { terms: shared.terms, app, secret });
const upkeep = new Upkeep({ dataDir: data, shared, me, node, log, rules });
const serveRequest = answeringTries(forwarding.receiving(app.fetch), tried);
const status = () =>
  Response.json({ leads: node.leads, leader: node.leader?.node ?? null, position: node.position });
const fetch = (request: Request, env?: unknown) =>
  request.url.endsWith("/test-status") ? status() : serveRequest(request, env);
const serving = await serve({ ...app, fetch }, { host: "127.0.0.1", port, log, hasJobs: () => node.leads });
await reaching.start();

console.log(`${name} serves`);
process.on("SIGTERM", async () => {
  await reaching.stop();
  await upkeep.stop();
  queues.stop();
  await node.stop();
  await serving.stop();
  process.exit(0);
});
