// A server that is a node of a cluster.
import type { App } from "@/app.ts";
import type { StartedNode } from "@/cluster/host.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import type { Log } from "@/kernel/lib/log.ts";
import { clusterOf } from "../cluster.ts";
import { failUsage } from "../misuse.ts";
import { complain } from "../output.ts";
import { forgetToken } from "../own-node.ts";

import type { ServeSettings } from "./serve-args.ts";

const noOrganization =
  "The cluster has no organization yet. Run 'confab cluster init' where its data folder is, or create one with 'confab init' first.";

interface Starting {
  log: Log;
  onLead: () => void;
  /** Whether Confab runs the nats-servers. */
  isOwn: boolean;
  /** How clients reach this server at the machine's address. */
  scheme: string;
  port: number;
}

/** Brings the data folder up to date with the other nodes; null for a standalone server. */
export async function nodeFor(
  dataDir: string,
  settings: ServeSettings,
  { log, onLead, isOwn, scheme, port }: Starting,
): Promise<StartedNode | null> {
  const cluster = clusterOf(settings);
  if (!cluster) {
    forgetToken(dataDir);
    return null;
  }
  if (settings.dev) failUsage("--dev is for a single server, without --cluster");
  // Machines that have joined reach each other at a port and with certificates of their own.
  if (settings.domain !== undefined && !isOwn)
    failUsage(
      "--domain goes without --cluster: nodes reach each other by names of their own, which need certificates, too; give each node its own with --tls-cert and --tls-key, or put a proxy with a certificate in front of them",
    );
  const { startNode } = await import("@/cluster/host.ts");
  const end = (reason: Error) => {
    log.error("cluster_ends", { node: cluster.me.node, error: reason.message });
    log.flush();
    complain(reason.message);
    process.exit(1);
  };
  const readsMs = settings.reads_without_log * 1_000;
  const { origin, hostname } = new URL(cluster.me.url);
  // Machines that have joined reach each other at another port than people.
  const site = isOwn ? new URL(`${scheme}://${hostname}:${port}`).origin : origin;
  return startNode({ ...cluster, dataDir, site, readsMs, log, end, onLead }).catch((error) =>
    fail("BAD_REQUEST", (error as Error).message),
  );
}

/** From now on, the node takes part; throws if it cannot, such as where another one has its name. */
export async function follow(node: StartedNode, app: App): Promise<void> {
  await checkFit(app);
  await node.follow(app).catch((error) => fail("BAD_REQUEST", (error as Error).message));
}

/** Throws unless the organization can be served by several nodes. */
async function checkFit({ system }: App): Promise<void> {
  const [{ hasOrganization }, { checkShared }] = await Promise.all([
    import("@/foundation/realm-administration/queries.ts"),
    import("@/operations/file-moves/host.ts"),
  ]);
  if (!hasOrganization(system)) fail("BAD_REQUEST", noOrganization);
  checkShared(system);
}
