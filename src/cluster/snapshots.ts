// Stores snapshots of a node's database, and trims the part of the log that they make superfluous.
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "@/kernel/log.ts";
import { databaseFile } from "@/operations/data-folder/schema.ts";
import type { Leader, SharedLog, SnapshotHead } from "./shared-log.ts";
import { pack } from "./snapshot-file.ts";
import { copyAtRest } from "./store.ts";
import { Tenure } from "./tenure.ts";
import { firstKept, type Margin } from "./trimming.ts";

export interface SnapshotRules extends Margin {
  /** A snapshot is made when the newest is this many entries old, */
  readonly everyEntries: number;
  /** or this many seconds, if anything was written since. */
  readonly everySeconds: number;
  /** Seconds from one look to the next. */
  readonly lookSeconds: number;
}

const usualRules: SnapshotRules = {
  everyEntries: 50_000,
  everySeconds: 6 * 3_600,
  lookSeconds: 60,
  marginSeconds: 86_400,
  maxEntries: 5_000_000,
  maxBytes: 8 * 1_024 ** 3,
};

/** The leader has other work: it makes a snapshot only if no follower has for this many looks. */
const looksOfLeader = 3;
const staging = "snapshot-";

interface Snapshotting {
  readonly dataDir: string;
  readonly shared: SharedLog;
  readonly me: Leader;
}

/** Stores a snapshot of this process' database while requests go on. */
export async function takeSnapshot({ dataDir, shared, me }: Snapshotting): Promise<SnapshotHead> {
  const folder = mkdtempSync(join(dataDir, staging));
  const copy = join(folder, databaseFile);
  try {
    const { position, schema } = await copyAtRest(join(dataDir, databaseFile), copy);
    const { size } = statSync(copy);
    const head = { ...position, schema, node: me.node, at: Date.now(), bytes: size };
    await shared.snapshots.put(head, pack(copy));
    return head;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface UpkeepOptions extends Snapshotting {
  readonly node: { readonly leads: boolean; readonly position: number };
  readonly log: Log;
  readonly rules?: Partial<SnapshotRules>;
}

/** Makes snapshots when they are due, and removes log entries that the newest covers. */
export class Upkeep {
  private readonly rules: SnapshotRules;
  private readonly tenure: Tenure;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isStopped = false;
  private looksDue = 0;
  private round: Promise<void> = Promise.resolve();

  constructor(private readonly options: UpkeepOptions) {
    this.rules = { ...usualRules, ...options.rules };
    this.tenure = new Tenure(options.shared.chore, options.me);
    removeLeftovers(options.dataDir, staging);
    this.wait();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.round;
  }

  private wait(): void {
    if (this.isStopped) return;
    // So that followers do not all look at the same moment.
    const pause = this.rules.lookSeconds * 1_000 * (0.75 + Math.random() / 2);
    this.timer = setTimeout(() => {
      this.round = this.look()
        .catch((error) => this.say("cluster_upkeep_failed", { error: String(error) }))
        .finally(() => this.wait());
    }, pause);
  }

  private async look(): Promise<void> {
    const { shared, node } = this.options;
    const [newest] = await shared.snapshots.list();
    this.looksDue = this.isDue(newest) ? this.looksDue + 1 : 0;
    if (this.looksDue > (node.leads ? looksOfLeader : 0)) await this.make();
    if (node.leads) await this.trim();
  }

  private isDue(newest: SnapshotHead | undefined): boolean {
    const { position } = this.options.node;
    if (!newest) return position > 0;
    const entries = position - newest.seq;
    const seconds = (Date.now() - newest.at) / 1_000;
    return entries >= this.rules.everyEntries || (entries > 0 && seconds >= this.rules.everySeconds);
  }

  private async make(): Promise<void> {
    if (!(await this.tenure.take(null))) return;
    const renewing = setInterval(
      () => void this.tenure.renew().catch(() => {}),
      this.options.shared.chore.ms / 4,
    );
    try {
      const begin = performance.now();
      const { seq, bytes } = await takeSnapshot(this.options);
      this.looksDue = 0;
      this.say("cluster_snapshot", { position: seq, bytes, ms: Math.round(performance.now() - begin) });
    } finally {
      clearInterval(renewing);
      await this.tenure.giveBack();
    }
  }

  private async trim(): Promise<void> {
    const { shared } = this.options;
    const [newest] = await shared.snapshots.list();
    if (!newest) return;
    const [ends, positions] = await Promise.all([shared.ends(), shared.talk.positions()]);
    const first = await firstKept({ ends, positions, snapshot: newest.seq }, this.rules, (seq) =>
      shared.takenAt(seq),
    );
    if (first <= ends.first) return;
    await shared.forgetBefore(first);
    this.say("cluster_trimmed", { first, entries: first - ends.first });
  }

  private say(event: string, fields: Record<string, string | number>): void {
    if (!this.isStopped) this.options.log.info(event, { node: this.options.me.node, ...fields });
  }
}

/** Removes what a killed process left unfinished. */
export function removeLeftovers(dataDir: string, prefix: string): void {
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith(prefix)) rmSync(join(dataDir, name), { recursive: true, force: true });
  }
}
