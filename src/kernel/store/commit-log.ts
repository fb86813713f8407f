// Commits batches to a log that several nodes share (docs/design.md#several-nodes). Without one, batches commit to
// SQLite alone, and none of this runs.
import type { Peers, SqlValue } from "@/kernel/core/context.ts";
import type { Emitted } from "@/kernel/core/events.ts";
import type { MadeWrite } from "./forwarded-requests.ts";

/** One write. Replaying a batch's list on the same state gives the same result. */
export interface Written extends Effect {
  sql: string;
  params: SqlValue[];
}

export interface Effect {
  /** The number of rows that it changed. */
  changes: number;
  /** The rowid of the last row that it inserted; null if it inserts no rows that have one. */
  rowid: number | null;
}

/** A place in the log: the number of entries up to and with it, and the digest of its entry; "" before the first. */
export interface LogPosition {
  readonly seq: number;
  readonly digest: string;
}

/** The effects of a batch, for every node to apply. */
export interface Committed {
  readonly written: readonly Written[];
  readonly emitted: readonly Emitted[];
  /** How many event IDs are left free after those of its events, for events outside the log. */
  readonly room?: number | undefined;
  /** Its writes for requests of other nodes. */
  readonly requests?: readonly MadeWrite[] | undefined;
}

export interface Entry extends Committed {
  readonly position: LogPosition;
  /** Set on a leader's first entry: the schema that every database has from this entry on. */
  readonly schema?: number | undefined;
}

/** The log that the nodes of an organization share. Any store without gaps in its entries' numbers can serve as one. */
export interface CommitLog {
  /** The newest term, if there is more than one leader over time. */
  readonly term?: number;
  /** Whether this node is the one that appends. */
  readonly leads: boolean;
  /**
   * Appends a batch right after `fence`, the newest entry that its author knows. Resolves with its position once no crash
   * can lose it; rejects with `NotAppended` if it is not in the log and never will be, with `Unconfirmed` if that is not
   * known yet, with something else if it could not be found out.
   */
  append(batch: Committed, fence: LogPosition): Promise<LogPosition>;
  /** The next entries after a position, oldest first; none at the end of the log. */
  read(after: LogPosition): Promise<readonly Entry[]>;
  /** Resolves once every node that runs has applied an entry, or after a moment: a node that is cut off cannot be notified. */
  spread(seq: number): Promise<void>;
  /** Sends short-lived events to the queues of every node, this one included. */
  announce(emitted: readonly Emitted[]): void;
  /** Called when this database can no longer follow the log: the node must stop serving and leading. */
  endNode(error: EndOfNode): void;
}

/** The nodes that share a log. */
export function peersOf(log: CommitLog): Peers {
  return {
    get leads() {
      return log.leads;
    },
    broadcast: (emitted) => log.announce([emitted as Emitted]),
  };
}

export class NotAppended extends Error {}

/** Whether a batch is in the log is not known yet. */
export class Unconfirmed extends Error {
  constructor(
    why: string,
    /** Resolves with true once this database holds the batch, with false if it never will, with null if that was not found out. */
    readonly found: Promise<boolean | null>,
  ) {
    super(why);
  }
}

/** Why a node cannot follow the log any further. */
export class EndOfNode extends Error {}

/** An entry had another effect here than on the node that made it: this database is no longer a copy of the others. */
export class Divergence extends EndOfNode {}

/** The leader has a newer version, with a schema that this version does not know. */
export class Outdated extends EndOfNode {}
