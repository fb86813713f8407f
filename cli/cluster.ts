// The cluster of the server's settings.
import { readFileSync } from "node:fs";
import type { NodeOptions } from "@/cluster/host.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import type { ArgValues } from "./args.ts";
import { failUsage } from "./misuse.ts";
import type { serverSettings } from "./settings.ts";

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

function textOf(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    return fail("BAD_REQUEST", `${path} cannot be read: ${(error as Error).message}.`);
  }
}
