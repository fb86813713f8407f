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
  /** By number of an entry that this node appends: the digest of the one that the log has there; null until it is read. */
  private readonly digests = new Map<number, string | null>();

  constructor(
    private readonly node: Following,
    private readonly patienceMs = usualPatienceMs,
  ) {}

  /** Call it before an entry is sent: another leader's may be read at its place before its append ends. */
  expect(seq: number): void {
    this.digests.set(seq, null);
  }

  /** Call it for every entry that this node reads, or appends to lead. */
  read({ seq, digest }: LogPosition): void {
    if (this.digests.has(seq)) this.digests.set(seq, digest);
  }

  /** Call it for an append that was answered. */
  forget(seq: number): void {
    this.digests.delete(seq);
  }

  /** What is to be thrown for an append without an answer. */
  errorFor({ message, position }: NoAppendAnswer): Unconfirmed {
    return new Unconfirmed(message, this.find(position));
  }

  /**
   * Resolves with true once this database holds an entry of this node, with false if the log has another one at its place, with
   * null if the log does not show in time.
   */
  private async find({ seq, digest }: LogPosition): Promise<boolean | null> {
    const { node, patienceMs, digests } = this;
    const until = performance.now() + patienceMs;
    while (digests.get(seq) === null && performance.now() < until) {
      await node.checkLog();
      if (digests.get(seq) === null) await Bun.sleep(pauseMs);
    }
    const found = digests.get(seq) ?? null;
    this.forget(seq);
    if (found === null) return null;
    if (found !== digest) return false;
    return (await node.reach(seq, patienceMs)) ? true : null;
  }
}
