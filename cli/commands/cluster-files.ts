// The files of an organization when its cluster begins, moves them or ends.
import type { Core } from "@/core.ts";
import { failUsage } from "../misuse.ts";
import { openFolder } from "../organization.ts";
import { progressLine } from "../progress.ts";
import { storesIn } from "../stores.ts";
import { clusterIn, translateErrors } from "./cluster-settings.ts";

/** Sees to it that other nodes will find the files; throws if it cannot. */
export async function shareFilesIn(dataDir: string): Promise<void> {
  const { shareFiles } = await import("@/operations/file-moves/host.ts");
  const { report, end } = progressLine();
  const core = await openFolder(dataDir);
  try {
    await shareFiles(core.system, { dataDir, log: core.log, report }).finally(end);
  } finally {
    await core.close();
  }
}

/** Opens the folder of a node for writes through the log, while all nodes are stopped. */
export async function openLeadingIn(dataDir: string): Promise<Core> {
  const how = clusterIn(dataDir) ?? failUsage("name the nats-servers with 'cluster' in confab.toml");
  const [{ openLeading }, { openCore }] = await Promise.all([
    import("@/cluster/host.ts"),
    import("@/core.ts"),
  ]);
  const stores = storesIn(dataDir);
  return translateErrors(
    openLeading(how, (commitLog) => openCore(dataDir, { stores, commitLog, hosting: true })),
  );
}

/** Moves what is in the nats-servers to the folder: without the cluster, it is not found there. */
export async function takeFiles(dataDir: string): Promise<void> {
  const { isInNodes, moveFiles } = await import("@/operations/file-moves/host.ts");
  const folder = await openFolder(dataDir, { onlyReads: true });
  const isThere = isInNodes(folder.system);
  await folder.close();
  if (!isThere) return;
  const { report, end } = progressLine();
  const core = await openLeadingIn(dataDir);
  try {
    await moveFiles(core.system, { dataDir, to: "disk", isServed: false, report }).finally(end);
  } finally {
    await core.close();
  }
}
