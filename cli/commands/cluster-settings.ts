// The settings of a cluster node, for `serve` and the `cluster` commands.
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { type ClusterState, clusterState } from "@/operations/nodes/schema.ts";
import { type ArgValues, read } from "../args.ts";
import { clusterOf } from "../cluster.ts";
import { failUsage } from "../misuse.ts";
import { tokenIn } from "../own-node.ts";
import { failRefused, type Server } from "../server.ts";
import { serverSettings, settingsOfFile } from "../settings.ts";

/** How a node connects by the settings that 'confab serve' would read for a data folder. */
export function clusterIn(dataDir: string): ReturnType<typeof clusterOf> {
  const result = read(serverSettings, {}, settingsOfFile(dataDir));
  return "problem" in result ? fail("BAD_REQUEST", `${result.problem}.`) : clusterOf(result.values);
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

/** Lets the node of a server take part again. */
export async function undrain(server: Server): Promise<void> {
  const answer = await server.send("/metrics/nodes/undrain", { init: { method: "POST" } });
  if (!answer.ok) failRefused(server, answer);
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
