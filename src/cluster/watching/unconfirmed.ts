// What became of entries whose append was not answered.
import { type LogPosition, Unconfirmed } from "@/kernel/store/commit-log.ts";
import type { NoAppendAnswer } from "../appender.ts";

/** Clients wait this long, in addition to the lease. */
const usualPatienceMs = 6_000;
const pauseMs = 250;

interface Following {
  /** Reads new entries of the log; never rejects. */
  checkLog(): Promise<unknown>;
  /** Resolves with whether this database holds an entry, after `ms` at most. */
  reach(seq: number, ms: number): Promise<boolean>;
}

export class UnconfirmedEntries {
  /** By number: the digest of this node's entry, and whether the log has it there. */
  private readonly awaited = new Map<number, { digest: string; isThere: boolean | null }>();

  constructor(
    private readonly node: Following,
    private readonly patienceMs = usualPatienceMs,
  ) {}

  /** Call it for every entry that this node reads or appends. */
  read({ seq, digest }: LogPosition): void {
    const one = this.awaited.get(seq);
    if (one) one.isThere = one.digest === digest;
  }

  /** What is to be thrown for an append without an answer. Call it before anything else can read the entry. */
  errorFor({ message, position }: NoAppendAnswer): Unconfirmed {
    return new Unconfirmed(message, this.find(position));
  }

  /**
   * Resolves with true once this database holds an entry of this node, with false if the log has another one at its place, with
   * null if the log does not show in time.
   */
  private async find({ seq, digest }: LogPosition): Promise<boolean | null> {
    const { node, patienceMs } = this;
    const one = { digest, isThere: null as boolean | null };
    this.awaited.set(seq, one);
    const until = performance.now() + patienceMs;
    while (one.isThere === null && performance.now() < until) {
      await node.checkLog();
      if (one.isThere === null) await Bun.sleep(pauseMs);
    }
    this.awaited.delete(seq);
    if (one.isThere && !(await node.reach(seq, patienceMs))) return null;
    return one.isThere;
  }
}
