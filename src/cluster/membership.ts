// What a node reports about itself and the others.
import { statfsSync } from "node:fs";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import type { ClusterMembership, NodeFigures } from "@/operations/nodes/host.ts";
import type { ClusterState, MadeSnapshot, NodeState } from "@/operations/nodes/schema.ts";
import { version } from "../../package.json";
import type { DirectTalk } from "./direct-talk.ts";
import { readNodes, rememberNodes } from "./known-nodes.ts";
import type { ClusterNode } from "./node.ts";
import { clusterSeen } from "./seeing.ts";
import type { Leader, SharedLog, SnapshotHead } from "./shared-log.ts";
import { unwellMs } from "./watching/log-end.ts";

interface Options {
  readonly cluster: string;
  readonly me: Leader;
  readonly dataDir: string;
  readonly makeSnapshot: () => Promise<SnapshotHead | null>;
  /** The address of the store for files. */
  readonly files: () => string;
  readonly direct: Pick<DirectTalk, "stateAt">;
}

const takingOverMs = 15_000;
const checkMs = 50;

/** The current state of a node. */
export function stateOf(
  node: ClusterNode,
  {
    me,
    dataDir,
    files,
    isWaiting = false,
  }: Pick<Options, "me" | "dataDir" | "files"> & { isWaiting?: boolean },
): NodeState {
  const { bavail, bsize } = statfsSync(dataDir);
  const { leads, isDraining: is_draining, position, appending } = node;
  return {
    ...me,
    version,
    leads,
    is_draining,
    is_waiting: isWaiting,
    position,
    clock_ms: Date.now(),
    free_bytes: bavail * bsize,
    appended: appending.counted.appended,
    files: files(),
  };
}

export class NodeMembership implements ClusterMembership {
  constructor(
    private readonly node: ClusterNode,
    private readonly shared: SharedLog,
    private readonly options: Options,
  ) {}

  get isDraining(): boolean {
    return this.node.isDraining;
  }

  get figures(): NodeFigures {
    const { leads, position, unknownMs, appending } = this.node;
    const isCutOff = unknownMs >= unwellMs;
    const lag = isCutOff && this.node.lag === 0 ? null : this.node.lag;
    return { leads, position, lag, isCutOff, unknownSeconds: unknownMs / 1_000, ...appending.counted };
  }

  async state(): Promise<ClusterState> {
    const { cluster, me, dataDir, direct } = this.options;
    const own = () => stateOf(this.node, this.options);
    const seen = await clusterSeen(this.shared, {
      cluster,
      asked: me.node,
      own,
      remembered: readNodes({ dataDir, cluster }),
      stateAt: ({ url }) => direct.stateAt(url),
    });
    try {
      rememberNodes({ dataDir, cluster }, seen.nodes);
    } catch {
      // A full disk has a check of its own.
    }
    return seen;
  }

  async makeSnapshot(): Promise<MadeSnapshot> {
    const head = await this.options.makeSnapshot();
    if (!head) fail("SERVER_NOT_READY", "Another node is making a snapshot just now.");
    return { node: head.node, position: head.seq, bytes: head.bytes };
  }

  async drain(): Promise<void> {
    const { node } = this;
    const until = performance.now() + takingOverMs;
    await node.drain(true);
    while (!(await this.isOtherLeading())) {
      if (performance.now() > until) {
        await node.drain(false);
        fail(
          "SERVER_NOT_READY",
          "No other node takes over, so this one goes on. Look at the others with 'confab cluster status'.",
        );
      }
      await Bun.sleep(checkMs);
    }
  }

  /** Whether another node says that it leads: one that holds the lease may still be reading the log. */
  private async isOtherLeading(): Promise<boolean> {
    const leader = this.node.leader?.node ?? null;
    if (leader === null || leader === this.options.me.node) return false;
    const states = await this.shared.talk.states().catch(() => []);
    return states.some(({ node, leads }) => leads && node === leader);
  }
}
