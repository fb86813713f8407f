// What a node reports about itself and the others.
import { statfsSync } from "node:fs";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { listText } from "@/kernel/lib/wording.ts";
import type { ClusterMembership, NodeFigures } from "@/operations/nodes/host.ts";
import type { ClusterState, KnownNode, MadeSnapshot, NodeState } from "@/operations/nodes/schema.ts";
import { version } from "../../package.json";
import type { DirectTalk } from "./direct-talk.ts";
import { type DescribedNode, noteRemoval } from "./facts.ts";
import { readNodes, rememberNodes } from "./known-nodes.ts";
import { type Machine, type Seat, seatIn } from "./machines/seat.ts";
import type { ClusterNode } from "./node.ts";
import { clusterSeen } from "./seeing.ts";
import { type SharedLog, type SnapshotHead, withRetries } from "./shared-log.ts";
import { unwellMs } from "./watching/log-end.ts";

interface Options {
  readonly cluster: string;
  readonly me: DescribedNode;
  readonly dataDir: string;
  readonly makeSnapshot: () => Promise<SnapshotHead | null>;
  /** The address of the store for files. */
  readonly files: () => string;
  readonly direct: Pick<DirectTalk, "stateAt">;
  /** The last look at the nats-servers. */
  readonly nats: () => NodeFigures["nats"];
  readonly certificateEndsAt: NodeFigures["certificateEndsAt"];
}

const takingOverMs = 15_000;
const checkMs = 50;

type Identity = Pick<Options, "me" | "dataDir" | "files"> & { isWaiting?: boolean };

/** The current state of a node. */
export function stateOf(node: ClusterNode, { isWaiting = false, ...identity }: Identity): NodeState {
  const { leads, isDraining, position, unknownMs, appending } = node;
  const isCutOff = unknownMs >= unwellMs && !leads && !isDraining && !isWaiting;
  return {
    ...nothingDone(identity),
    leads,
    is_draining: isDraining,
    is_waiting: isWaiting,
    is_cut_off: isCutOff,
    since: secondsOf(isCutOff ? Date.now() - unknownMs : node.since),
    position,
    appended: appending.counted.appended,
  };
}

/** The state of a node whose database is replaced by a snapshot; `position` is that of its former one, `since` in milliseconds since 1970. */
export function joiningState(identity: Identity, { position, since }: Joining): NodeState {
  return { ...nothingDone(identity), is_joining: true, position, since: secondsOf(since) };
}

interface Joining {
  readonly position: number;
  readonly since: number;
}

function nothingDone({ me, dataDir, files }: Identity): NodeState {
  const { bavail, bsize } = statfsSync(dataDir);
  return {
    ...me,
    version,
    leads: false,
    is_draining: false,
    is_waiting: false,
    is_joining: false,
    is_cut_off: false,
    since: null,
    position: 0,
    clock_ms: Date.now(),
    free_bytes: bavail * bsize,
    appended: 0,
    files: files(),
  };
}

const secondsOf = (ms: number) => Math.floor(ms / 1_000);

export class NodeMembership implements ClusterMembership {
  private others: NodeFigures["others"] = [];

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
    const { nats, certificateEndsAt } = this.options;
    return {
      ...{ leads, position, lag, isCutOff, unknownSeconds: unknownMs / 1_000, ...appending.counted },
      ...{ nats: nats(), others: this.others, certificateEndsAt },
    };
  }

  /** The origins at which people reach the nodes, in the order of their names; without those that do not say theirs. */
  get sites(): string[] {
    const all = [this.options.me, ...this.others].sort((a, b) => (a.node < b.node ? -1 : 1));
    return all.flatMap(({ site }) => site ?? []);
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
    this.others = seen.nodes.flatMap(({ node, site, last_seen: seenAt }) =>
      node === me.node ? [] : [{ node, site, seenAt }],
    );
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

  undrain(): Promise<void> {
    return this.node.drain(false);
  }

  async findRemovable(name: string): Promise<KnownNode> {
    const { cluster, dataDir, direct } = this.options;
    const machine = seatIn(dataDir)?.machines.find((one) => one.name === name);
    if (machine) {
      return fail(
        "BAD_REQUEST",
        `${name} is one of the three machines that keep the log, and two do not suffice: each of them would be needed for every write. Let another ` +
          `machine take its place: 'confab cluster replace ${name}'.`,
      );
    }
    const { nodes, log } = await this.state();
    const found = nodes.find(({ node }) => node === name);
    if (!found) {
      const names = listText(nodes.map(({ node }) => node));
      return fail("BAD_REQUEST", `The cluster ${cluster} has no node '${name}'. It has ${names}.`);
    }
    // It may run without reaching NATS.
    const isRunning = found.state !== null || (await direct.stateAt(found.url))?.node === name;
    if (isRunning)
      fail("BAD_REQUEST", `${name} runs: drain it by 'confab node drain' on its machine, and stop it first.`);
    if (log !== "there")
      fail(
        "SERVER_NOT_READY",
        "The log cannot be reached, or has lost entries. Look at 'confab cluster status'.",
      );
    return found;
  }

  async findReplaceable(name: string): Promise<Machine> {
    const seat = this.seat();
    const { findReplaceable } = await import("./machines/founding.ts");
    return findReplaceable(this.options.dataDir, seat, name).catch((error) =>
      fail("BAD_REQUEST", (error as Error).message),
    );
  }

  async letReplace(lost: Machine): Promise<string> {
    const { tokenToReplace } = await import("./machines/founding.ts");
    return tokenToReplace(this.options.dataDir, this.seat(), lost);
  }

  private seat(): Seat {
    const { dataDir } = this.options;
    return (
      seatIn(dataDir) ??
      fail(
        "BAD_REQUEST",
        `Confab runs no nats-server for ${dataDir}: give the new machine the settings of the lost one.`,
      )
    );
  }

  async remove(node: KnownNode): Promise<string[]> {
    await withRetries(() => noteRemoval(this.shared.facts, node));
    return (await this.state()).nodes.map((one) => one.node);
  }

  /** Whether another node says that it leads: one that holds the lease may still be reading the log. */
  private async isOtherLeading(): Promise<boolean> {
    const leader = this.node.leader?.node ?? null;
    if (leader === null || leader === this.options.me.node) return false;
    const states = await this.shared.talk.states().catch(() => []);
    return states.some(({ node, leads }) => leads && node === leader);
  }
}
