// The checks of `confab doctor` on a cluster: its nats-servers, and its nodes if this one runs.
import type { Finding } from "@/operations/diagnosis/schema.ts";
import { isLocked } from "../lock.ts";
import { isNodeFolder, serverOfNode } from "../own-node.ts";
import { clusterIn, nodesAt, readNodesOfFolder } from "./cluster-settings.ts";

const check = "Nodes";

/** Empty for a single server, and for settings that cannot be used, which have a finding of their own. */
export async function examineCluster(dataDir: string): Promise<Finding[]> {
  const how = settingsOf(dataDir);
  if (!how) return isNodeFolder(dataDir) ? [forgotten] : [];
  const { examineNats, examineReach } = await import("@/cluster/host.ts");
  const nodes = await ofNodes(dataDir);
  // If NATS does not answer, the findings above say so.
  const reached = isNodeFolder(dataDir) ? await examineReach(how).catch(() => []) : [];
  return [...(await examineNats(how.nats)), ...nodes, ...reached];
}

function settingsOf(dataDir: string) {
  try {
    return clusterIn(dataDir);
  } catch {
    return null;
  }
}

const forgotten: Finding = {
  check,
  verdict: "problem",
  finding: "This folder belongs to a cluster's node, and the settings name no cluster.",
  remedy:
    "Set cluster, node and node_url in confab.toml again; to make it a single server's, 'confab cluster leave'.",
};

async function ofNodes(dataDir: string): Promise<Finding[]> {
  if (!isNodeFolder(dataDir)) {
    const finding = "This folder belongs to no node yet.";
    const remedy =
      "Begin the cluster with 'confab cluster init', or join it with 'confab serve' and an empty folder.";
    return [{ check, verdict: "note", finding, remedy }];
  }
  const { examineNodes } = await import("@/operations/diagnosis/queries.ts");
  const isRunning = isLocked(dataDir);
  try {
    if (!isRunning) return [stopped, ...examineNodes(await readNodesOfFolder(dataDir))];
    const server = await serverOfNode({ dataDir, as: null });
    return examineNodes(await nodesAt(server));
  } catch (error) {
    const what = isRunning ? "This node's server gave" : "This node does not run, and the others gave";
    const finding = `${what} no answer: ${(error as Error).message}`;
    return [{ check, verdict: "problem", finding, remedy: "Look at its log: NATS may not answer." }];
  }
}

const stopped: Finding = {
  check,
  verdict: "note",
  finding: "This node does not run. What follows is what the others answer, and what its folder holds.",
  remedy: "Start it with 'confab serve'.",
};
