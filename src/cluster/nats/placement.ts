// Keeps the leaders of the log and of the lease at one nats-server. A node needs both, so the loss of a machine then stops writes
// for as long as NATS elects in one of three cases, not in five of nine.
import type { JetStreamManager, StreamInfo } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { isWhole } from "../examination/meta.ts";
import type { NearLog } from "./near-log.ts";

const everyMs = 3_000;
const answerMs = 1_000;

interface Options {
  readonly nc: NatsConnection;
  readonly manager: JetStreamManager;
  /** The names of the two streams. */
  readonly log: string;
  readonly lease: string;
  /** Told which server leads the log. */
  readonly near: Pick<NearLog, "keepAt">;
}

export class LogPlacement {
  private checkedAt = performance.now();

  constructor(private readonly options: Options) {}

  /**
   * Call it often while this node leads. NATS chooses the next leader, so it may take more than one attempt, one each few seconds.
   * Never rejects: nothing depends on its success.
   */
  async check(): Promise<void> {
    if (performance.now() - this.checkedAt < everyMs) return;
    this.checkedAt = performance.now();
    const { nc, manager, log, lease, near } = this.options;
    try {
      const both = await Promise.all([log, lease].map((name) => manager.streams.info(name)));
      const [{ cluster } = {}] = both;
      if (cluster?.leader) void near.keepAt(cluster.leader);
      if (!areApart(both)) return;
      await nc.request(`$JS.API.STREAM.LEADER.STEPDOWN.${lease}`, "", { timeout: answerMs });
    } catch {
      // NATS elects, or does not permit it.
    }
  }
}

/** Whether two streams have different leaders, and each could do without its own: all others hold what it holds. */
export function areApart(streams: readonly Pick<StreamInfo, "cluster" | "config">[]): boolean {
  const areWhole = streams.every(({ cluster, config }) => {
    const ready = (cluster?.replicas ?? []).filter(isWhole);
    return cluster?.leader && ready.length === config.num_replicas - 1;
  });
  return areWhole && new Set(streams.map(({ cluster }) => cluster?.leader)).size > 1;
}
