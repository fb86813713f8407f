// What a node reports about itself and the others.
import { statfsSync } from "node:fs";
import { AppError, fail } from "@/kernel/errors.ts";
import type { Figures, Membership } from "@/operations/nodes/host.ts";
import type { ClusterState, KnownNode, MadeSnapshot, NodeState } from "@/operations/nodes/schema.ts";
import { version } from "../../package.json";
import { nodesSeen } from "./facts.ts";
import type { ClusterNode } from "./node.ts";
import { type Leader, type SharedLog, type SnapshotHead, withRetries } from "./shared-log.ts";
import { unwellMs } from "./watching/log-end.ts";

interface Options {
  readonly cluster: string;
  readonly me: Leader;
  readonly dataDir: string;
  readonly makeSnapshot: () => Promise<SnapshotHead | null>;
  /** The address of the store for files. */
  readonly files: () => string;
}

const takingOverMs = 15_000;
const checkMs = 50;
/** NATS may elect its own leaders for nearly ten seconds. */
const answerMs = 15_000;

/** The current state of a node. */
export function stateOf(node: ClusterNode, { me, dataDir, files }: Options): NodeState {
  const { bavail, bsize } = statfsSync(dataDir);
  const { leads, isDraining: is_draining, position, appending } = node;
  return {
    ...me,
    version,
    leads,
    is_draining,
    position,
    clock_ms: Date.now(),
    free_bytes: bavail * bsize,
    appended: appending.counted.appended,
    files: files(),
  };
}

export class NodeMembership implements Membership {
  constructor(
    private readonly node: ClusterNode,
    private readonly shared: SharedLog,
    private readonly options: Options,
  ) {}

  get isDraining(): boolean {
    return this.node.isDraining;
  }

  get figures(): Figures {
    const { leads, position, unknownMs, appending } = this.node;
    const isCutOff = unknownMs >= unwellMs;
    const lag = isCutOff && this.node.lag === 0 ? null : this.node.lag;
    return { leads, position, lag, isCutOff, unknownSeconds: unknownMs / 1_000, ...appending.counted };
  }

  state(): Promise<ClusterState> {
    const { cluster, me } = this.options;
    return clusterSeen(this.shared, { cluster, asked: me.node });
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
        throw new AppError(
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

/** What the nodes of a cluster answer, and when the others were last seen. */
export async function clusterSeen(
  shared: Pick<SharedLog, "talk" | "facts" | "ends">,
  { cluster, asked }: Pick<ClusterState, "cluster" | "asked">,
): Promise<ClusterState> {
  const [answers, seen, { last: newest }] = await answered(() =>
    Promise.all([shared.talk.states(), nodesSeen(shared.facts), shared.ends()]),
  );
  const now = Date.now();
  const states = new Map(answers.map((state) => [state.node, state]));
  for (const { node, url } of answers) seen.push({ node, url, at: now });
  const known = new Map(
    seen.map(({ node, url, at }): [string, KnownNode] => {
      const state = states.get(node) ?? null;
      const last_seen = Math.floor((state ? now : at) / 1_000);
      return [node, { node, url, last_seen, state, lag: state && Math.max(0, newest - state.position) }];
    }),
  );
  const nodes = [...known.values()].sort((a, b) => (a.node < b.node ? -1 : 1));
  const leader = answers.find(({ leads }) => leads)?.node ?? null;
  return { cluster, asked, leader, newest, nodes };
}

/** Asks again while NATS elects its own leaders. */
async function answered<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await withRetries(ask, () => false, answerMs);
  } catch (error) {
    return fail("SERVER_NOT_READY", `The nats-servers do not answer: ${(error as Error).message}.`);
  }
}
