// Checks that the log continues the history in this node's database.
import { Divergence, EndOfNode, type Entry, type Position } from "@/kernel/commit-log.ts";
import type { SharedLog } from "./shared-log.ts";
import { decode, digestOf, type Head } from "./wire.ts";

/** The log no longer has the entries that this node needs next. */
export class TooFarBehind extends EndOfNode {}

/** Decodes the entry after a position; throws `Divergence` if its predecessor is a different entry. */
export function entryAfter(before: Position, data: Uint8Array): Entry & Head {
  const entry = decode(data);
  const { after } = entry;
  const seq = before.seq + 1;
  if (after !== before.digest) {
    throw new Divergence(
      `Entry ${seq} of the log follows another history than this database's: the log has lost entries, or was begun anew`,
    );
  }
  return { ...entry, position: { seq, digest: digestOf(data) } };
}

/** Decodes entries, each with the position before it. */
export function chained(
  after: Position,
  all: readonly Uint8Array[],
  entryOf: (data: Uint8Array, before: Position) => Entry,
): Entry[] {
  let before = after;
  return all.map((data) => {
    const entry = entryOf(data, before);
    before = entry.position;
    return entry;
  });
}

/** Throws unless the log has the same entry at a position as this database. */
export function checkSame({ seq, digest }: Position, data: Uint8Array): void {
  if (digestOf(data) === digest) return;
  throw new Divergence(
    `The log has another entry ${seq} than this database: it has lost entries, or was begun anew`,
  );
}

/** The term of a database's newest entry, which must be the same in the log; 0 if the log no longer has it. */
export async function termOf(position: Position, shared: Pick<SharedLog, "read">): Promise<number> {
  if (position.seq === 0) return 0;
  const [data] = await shared.read(position.seq, position.seq);
  if (!data) return 0;
  checkSame(position, data);
  return decode(data).term;
}

/** Throws `TooFarBehind` if the log no longer has the entry after a position. */
export function checkReaches(first: number, { seq }: Position): void {
  if (first <= seq + 1) return;
  throw new TooFarBehind(
    `The log begins at entry ${first}, and this node holds those up to ${seq}. Start it again: it then joins by the newest snapshot`,
  );
}

/** What the entries that a node has read say of its own requests to leaders, and of who leads. */
export class Trace {
  term = 0;
  /** The leader of the newest term; null until its first entry is read. */
  leader: string | null = null;
  private readonly requests = new Map<string, boolean>();

  read({ term, leads, requests = [] }: Pick<Entry & Head, "term" | "leads" | "requests">): void {
    this.term = Math.max(this.term, term);
    this.leader = leads ?? this.leader;
    for (const id of requests) if (this.requests.has(id)) this.requests.set(id, true);
  }

  /** Follows a request; `end` ends that. */
  follow(id: string): { readonly isInLog: boolean; end(): void } {
    const { requests } = this;
    requests.set(id, false);
    return {
      get isInLog() {
        return requests.get(id) === true;
      },
      end: () => void requests.delete(id),
    };
  }
}
