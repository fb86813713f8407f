// Keeps a client that repeats credentials which are refused, again and again, from filling the log.
import type { Log } from "@/kernel/lib/log.ts";

export interface RequestRefusal {
  operation: string;
  address: string;
  account: string | null;
  reason: string;
}

/** As many are logged singly in an hour: tools that block addresses count them. */
const maxSingly = 20;
const hourMs = 3_600_000;
/** With more different ones than this, the hour ends early. */
const maxKept = 10_000;

interface Counted {
  refusal: RequestRefusal;
  times: number;
}

export class RepeatedRefusals {
  private readonly counts = new Map<string, Counted>();
  private began = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly log: Log) {}

  /**
   * Counts a refusal of these credentials, which another attempt would not repeat. Returns whether it is to be logged singly; those
   * that are not are logged together, at the end of the hour.
   */
  isSingle(refusal: RequestRefusal, credentials: string): boolean {
    const { address, account, reason } = refusal;
    const key = `${address} ${reason} ${Bun.hash(`${account}\n${credentials}`)}`;
    const known = this.counts.get(key);
    if (known) {
      known.times++;
      return known.times <= maxSingly;
    }
    if (this.counts.size >= maxKept) this.report();
    if (this.counts.size === 0) this.begin();
    this.counts.set(key, { refusal, times: 1 });
    return true;
  }

  private begin(): void {
    this.began = Date.now();
    this.timer = setTimeout(() => this.report(), hourMs);
    this.timer.unref();
  }

  private report(): void {
    clearTimeout(this.timer);
    const since = new Date(this.began).toISOString();
    for (const { refusal, times } of this.counts.values()) {
      if (times > maxSingly)
        this.log.warn("login_refused_again", { ...refusal, times: times - maxSingly, since });
    }
    this.counts.clear();
  }
}
