// The settings of a cluster node, for `serve` and the `cluster` commands.
import { readFileSync } from "node:fs";
import type { NodeOptions } from "@/cluster/host.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { type ClusterState, clusterState } from "@/operations/nodes/schema.ts";
import { type ArgValues, read } from "../args.ts";
import { failUsage } from "../misuse.ts";
import { openFolder } from "../organization.ts";
import { tokenIn } from "../own-node.ts";
import type { Server } from "../server.ts";
import { serverSettings, settingsOfFile } from "../settings.ts";

type Settings = ArgValues<typeof serverSettings>;

/** How a node connects; null for a standalone server. Throws if a setting that it needs is missing. */
export function clusterOf(settings: Settings): Pick<NodeOptions, "nats" | "me" | "ca"> | null {
  const { cluster, node, node_url, node_ca, nats_monitors: monitors, nats_unchecked } = settings;
  if (cluster === undefined) {
    if (node !== undefined || node_url !== undefined)
      failUsage("--node and --node-url go with --cluster, which names the nats-servers");
    return null;
  }
  if (node === undefined) return failUsage("--cluster needs --node, the name of this node");
  if (node_url === undefined)
    return failUsage("--cluster needs --node-url, where the other nodes reach this one");
  if (monitors === undefined && !nats_unchecked) {
    return failUsage(
      "--cluster needs --nats-monitors, so that the nats-servers can be checked; or --nats-unchecked, if you have seen to it " +
        "that each has 'sync_interval: always'",
    );
  }
  const { cluster_name, cluster_replicas: replicas, nats_credentials, nats_ca } = settings;
  return {
    me: { node, url: node_url },
    ca: textOf(node_ca),
    nats: {
      servers: cluster,
      cluster: cluster_name,
      replicas,
      monitors: monitors ?? null,
      credentials: textOf(nats_credentials),
      ca: textOf(nats_ca),
    },
  };
}

/** The same by the settings that 'confab serve' would read for a data folder. */
export function clusterIn(dataDir: string): ReturnType<typeof clusterOf> {
  const result = read(serverSettings, {}, settingsOfFile(dataDir));
  return "problem" in result ? fail("BAD_REQUEST", `${result.problem}.`) : clusterOf(result.values);
}

function textOf(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    return fail("BAD_REQUEST", `${path} cannot be read: ${(error as Error).message}.`);
  }
}

/** The settings of a node, without those of serving. */
export const ofNode = settingsNamed(
  "cluster",
  "node",
  "node_url",
  "cluster_name",
  "cluster_replicas",
  "nats_monitors",
  "nats_unchecked",
  "nats_credentials",
  "nats_ca",
);

function settingsNamed<N extends keyof typeof serverSettings>(...names: N[]) {
  return Object.fromEntries(names.map((name) => [name, serverSettings[name]])) as Pick<
    typeof serverSettings,
    N
  >;
}

/** How the node connects that a command is for. */
export function nodeOf(given: ArgValues<typeof ofNode>) {
  return (
    clusterOf(given as ArgValues<typeof serverSettings>) ??
    failUsage("name the nats-servers with --cluster, or 'cluster' in confab.toml")
  );
}

/** What NATS or a folder is not fit for is said to the operator. */
export async function translateErrors<R>(work: Promise<R>): Promise<R> {
  try {
    return await work;
  } catch (error) {
    return fail("BAD_REQUEST", (error as Error).message);
  }
}

/** NATS may elect its own leaders for ten seconds. */
const nodesMs = 20_000;

/** What all nodes answer to a node's server. */
export function nodesAt(server: Server): Promise<ClusterState> {
  return server.get("/metrics/nodes", clusterState, { patienceMs: nodesMs });
}

/** What is known of all nodes next to the folder of one that does not run. */
export async function readNodesOfFolder(dataDir: string): Promise<ClusterState> {
  const how = clusterIn(dataDir) ?? failUsage("name the nats-servers with 'cluster' in confab.toml");
  const [{ listNodesFromFolder }, { operatorHeader }] = await Promise.all([
    import("@/cluster/host.ts"),
    import("@/foundation/auth/host.ts"),
  ]);
  return translateErrors(
    listNodesFromFolder({ dataDir, ...how, authorization: operatorHeader(tokenIn(dataDir), null) }),
  );
}

/** Throws unless other nodes will find the files. */
export async function shareFilesIn(dataDir: string): Promise<void> {
  const { shareFiles } = await import("@/operations/file-moves/host.ts");
  const core = await openFolder(dataDir);
  try {
    await shareFiles(core.system, core.log);
  } finally {
    await core.close();
  }
}
