// A server's checkpoints: each in a turn of its own, because a checkpoint writes and syncs up to thousands of pages.
import type { Database } from "bun:sqlite";

/** On a virtual machine's disk, this many take 13 ms. SQLite's own checkpoint is a part of the commit that comes to its limit. */
export const pagesAtOnce = 1_000;
/** From this many on, commits make checkpoints after all. */
const pagesAtMost = 16_000;

/** Pages in the write-ahead log, and how many of them are in the database's file. */
interface Looked {
  log: number;
  checkpointed: number;
}

export class Checkpoints {
  /** Pages in the write-ahead log, but not in the database's file, at which the next checkpoint is due. */
  private due = pagesAtOnce;
  /** From the commit that makes one due until the turn after it. No write may begin: its syncs would follow those of the checkpoint. */
  isUnderWay = false;
  private hasEnded = false;
  private readonly canLook: boolean;

  constructor(private readonly sqlite: Database) {
    const { version } = sqlite.query("SELECT sqlite_version() AS version").get() as { version: string };
    this.canLook = Bun.semver.order(version, "3.51.0") >= 0; // macOS has its own, older SQLite
    if (this.canLook) sqlite.run(`PRAGMA wal_autocheckpoint = ${pagesAtMost}`);
  }

  /** Call it after each commit. */
  afterCommit(): void {
    if (!this.canLook || this.isUnderWay || this.waiting("NOOP") < this.due) return;
    this.isUnderWay = true;
    setImmediate(() => {
      if (!this.hasEnded) this.checkpoint();
      setImmediate(() => {
        this.isUnderWay = false;
      });
    });
  }

  end(): void {
    this.hasEnded = true;
  }

  private checkpoint(): void {
    try {
      // A reader, such as a backup, may keep pages from moving: no further attempt for each commit until it has ended.
      this.due = this.waiting("PASSIVE") + pagesAtOnce;
    } catch {
      // The disk may be full. Nothing is lost, and the next commit says so if it lasts.
      this.due += pagesAtOnce;
    }
  }

  /** How many pages are in the log alone, after what the mode does. */
  private waiting(mode: "NOOP" | "PASSIVE"): number {
    const found = this.sqlite.query(`PRAGMA wal_checkpoint(${mode})`).get() as Looked;
    const left = found.log - found.checkpointed;
    this.due = Math.min(this.due, left + pagesAtOnce);
    return left;
  }
}
