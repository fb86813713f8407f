// The time slices of long work: who gets the next one, and how long it may be.

/** How long work may run in one turn of the event loop: all work together, because a request waits for all of it. */
export const sliceMs = 1;
/** Work that has run for longer is treated as if it had run for so long. */
const maxRanMs = 20;

/** For how long the long work of one request or job has run, in all its parts. */
export class TimeUsed {
  ranMs = 0;
}

/** What the scheduler needs of the event loop; tests bring their own. */
export interface Loop {
  now(): number;
  /** Runs this once the event loop has handled everything else that is due. */
  later(run: () => void): void;
}

interface Waiting {
  due: number;
  begin: () => void;
}

/**
 * In each turn of the event loop, one that waits goes on: the one that is due first. Work is due as long after it asks as it has run
 * so far. So what has run little overtakes what has run much, and nothing waits for more than `maxRanMs` of what came later.
 */
export class Scheduler {
  private readonly waiting: Waiting[] = [];
  /** When the slice of this turn of the event loop is over; null if none has begun. */
  private end: number | null = null;
  private isScheduled = false;

  constructor(private readonly loop: Loop) {}

  /** Whether the slice lasts. If nothing has run in this turn of the event loop, a slice begins. */
  mayRun(): boolean {
    this.end ??= this.begin();
    return this.loop.now() < this.end;
  }

  next({ ranMs }: TimeUsed): Promise<void> {
    const due = this.loop.now() + Math.min(ranMs, maxRanMs);
    return new Promise((begin) => {
      this.waiting.push({ due, begin });
      this.schedule();
    });
  }

  private begin(): number {
    const end = this.loop.now() + sliceMs;
    this.loop.later(() => {
      if (this.end === end) this.end = null;
    });
    return end;
  }

  /** What asks alone goes on after all that it has caused, such as a commit. */
  private schedule(): void {
    if (this.isScheduled || this.waiting.length === 0) return;
    this.isScheduled = true;
    this.loop.later(() => this.runFirst());
  }

  private runFirst(): void {
    this.isScheduled = false;
    const next = this.takeFirst();
    this.end = this.begin();
    next?.begin();
    this.schedule();
  }

  /** Of those that are due at the same time, the one that asked first. */
  private takeFirst(): Waiting | undefined {
    const { waiting } = this;
    const first = waiting.reduce((found, { due }, i) => (due < (waiting[found]?.due ?? due) ? i : found), 0);
    return waiting.splice(first, 1)[0];
  }
}
