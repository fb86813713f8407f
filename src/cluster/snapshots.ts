// Stores snapshots of a node's database, and trims the part of the log that they make superfluous.
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "@/kernel/lib/log.ts";
import { clearStaging, openStaging } from "@/operations/data-folder/host.ts";
import { databaseFile } from "@/operations/data-folder/schema.ts";
import { HeldLease } from "./leadership.ts";
import type { Leader, SharedLog, SnapshotHead } from "./shared-log.ts";
import { pack } from "./snapshot-file.ts";
import { copyAtRest } from "./store.ts";
import { firstKept, type Margin } from "./trimming.ts";

export interface SnapshotRules extends Margin {
  /** A snapshot is due once this many entries were appended after the newest one. */
  readonly everyEntries: number;
  /** A snapshot is also due once the newest one is this old, if anything was appended after it. */
  readonly everySeconds: number;
  /** A snapshot copies the whole database, so the next one waits a second for each of this many bytes. */
  readonly restBytes: number;
  /** Seconds between two checks. */
  readonly checkSeconds: number;
}

const usualRules: SnapshotRules = {
  everyEntries: 50_000,
  everySeconds: 6 * 3_600,
  restBytes: 2_500_000,
  checkSeconds: 60,
  marginSeconds: 86_400,
  maxEntries: 5_000_000,
  maxBytes: 8 * 1_024 ** 3,
};

/** The leader has other work: it makes a snapshot only if it is still due after this many checks. */
const checksLeftToFollowers = 3;

interface Snapshotting {
  readonly dataDir: string;
  readonly shared: SharedLog;
  readonly me: Leader;
}

/** Stores a snapshot of this process's database while requests continue. */
export async function takeSnapshot({ dataDir, shared, me }: Snapshotting): Promise<SnapshotHead> {
  const { folder, remove } = openStaging("snapshot", dataDir);
  const copy = join(folder, databaseFile);
  try {
    const { position, schema } = await copyAtRest(join(dataDir, databaseFile), copy);
    const { size } = statSync(copy);
    const head = { ...position, schema, node: me.node, at: Date.now(), bytes: size };
    await shared.snapshots.put(head, pack(copy));
    return head;
  } finally {
    remove();
  }
}

type Due = Pick<SnapshotRules, "everyEntries" | "everySeconds" | "restBytes">;

/** Whether it is time for another snapshot, at a position of the log and a time in milliseconds. */
export function isDue(
  newest: Pick<SnapshotHead, "seq" | "at" | "bytes"> | undefined,
  { position, now }: { position: number; now: number },
  { everyEntries, everySeconds, restBytes }: Due,
): boolean {
  if (!newest) return position > 0;
  const entries = position - newest.seq;
  const seconds = (now - newest.at) / 1_000;
  // If the clock of the node that made it was ahead, its age is unknown.
  const isResting = seconds >= 0 && seconds < newest.bytes / restBytes;
  return !isResting && (entries >= everyEntries || (entries > 0 && seconds >= everySeconds));
}

export interface UpkeepOptions extends Snapshotting {
  readonly node: { readonly leads: boolean; readonly position: number };
  readonly log: Log;
  readonly rules?: Partial<SnapshotRules>;
}

/** Makes snapshots when they are due, and removes log entries that the newest covers. */
export class Upkeep {
  private readonly rules: SnapshotRules;
  private readonly held: HeldLease;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isStopped = false;
  private checksDue = 0;
  private round: Promise<void> = Promise.resolve();

  constructor(private readonly options: UpkeepOptions) {
    this.rules = { ...usualRules, ...options.rules };
    this.held = new HeldLease(options.shared.snapshotLease, options.me);
    clearStaging(options.dataDir);
    this.wait();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.round;
  }

  private wait(): void {
    if (this.isStopped) return;
    // Random, so that followers do not all check at the same moment.
    const pause = this.rules.checkSeconds * 1_000 * (0.75 + Math.random() / 2);
    this.timer = setTimeout(() => {
      this.round = this.round
        .then(() => this.check())
        .catch((error) => this.say("cluster_upkeep_failed", { error: String(error) }))
        .finally(() => this.wait());
    }, pause);
  }

  /** Makes one now; null if another node is making one. */
  makeNow(): Promise<SnapshotHead | null> {
    const making = this.round.then(() => this.make());
    this.round = making.then(
      () => {},
      () => {},
    );
    return making;
  }

  private async check(): Promise<void> {
    const { shared, node } = this.options;
    const [newest] = await shared.snapshots.list();
    this.checksDue = isDue(newest, { position: node.position, now: Date.now() }, this.rules)
      ? this.checksDue + 1
      : 0;
    if (this.checksDue > (node.leads ? checksLeftToFollowers : 0)) await this.make();
    if (node.leads) await this.trim();
  }

  private async make(): Promise<SnapshotHead | null> {
    if (!(await this.held.takeUnlessHeld())) return null;
    const renewing = setInterval(
      () => void this.held.keep().catch(() => {}),
      this.options.shared.snapshotLease.ms / 2,
    );
    try {
      const begin = performance.now();
      const head = await takeSnapshot(this.options);
      const { seq, bytes } = head;
      this.checksDue = 0;
      this.say("cluster_snapshot", { position: seq, bytes, ms: Math.round(performance.now() - begin) });
      return head;
    } finally {
      clearInterval(renewing);
      await this.held.giveBack();
    }
  }

  private async trim(): Promise<void> {
    const { shared } = this.options;
    const [newest] = await shared.snapshots.list();
    if (!newest) return;
    const { talk } = shared;
    const [ends, positions, states] = await Promise.all([shared.ends(), talk.positions(), talk.states()]);
    const clocks = [Date.now(), ...states.map(({ clock_ms }) => clock_ms)];
    const found = { ends, positions, clocks, snapshot: newest.seq };
    const first = await firstKept(found, this.rules, (seq) => shared.findTime(seq));
    if (first <= ends.first) return;
    await shared.forgetBefore(first);
    this.say("cluster_trimmed", { first, entries: first - ends.first });
  }

  private say(event: string, fields: Record<string, string | number>): void {
    if (!this.isStopped) this.options.log.info(event, { node: this.options.me.node, ...fields });
  }
}
