// Checks that the log continues the history in this node's database.
import { Divergence, EndOfNode, type Entry, type LogPosition } from "@/kernel/store/commit-log.ts";
import type { MadeWrite } from "@/kernel/store/forwarded-requests.ts";
import type { SharedLog } from "./shared-log.ts";
import { decode, digestOf, type Head } from "./wire.ts";

/** The log no longer has the entries that this node needs next. */
export class TooFarBehind extends EndOfNode {}

/** Decodes the entry after a position; throws `Divergence` if its predecessor is a different entry. */
export function entryAfter(before: LogPosition, data: Uint8Array): Entry & Head {
  const entry = decode(data);
  const { after } = entry;
  const seq = before.seq + 1;
  if (after !== before.digest) {
    throw new Divergence(
      `Entry ${seq} of the log follows another history than this database's: the log has lost entries, or was started over`,
    );
  }
  return { ...entry, position: { seq, digest: digestOf(data) } };
}

/** Decodes entries, each with the position before it. */
export function chainEntries(
  after: LogPosition,
  all: readonly Uint8Array[],
  entryOf: (data: Uint8Array, before: LogPosition) => Entry,
): Entry[] {
  let before = after;
  return all.map((data) => {
    const entry = entryOf(data, before);
    before = entry.position;
    return entry;
  });
}

/** Throws unless the log has the same entry at a position as this database. */
export function checkSame({ seq, digest }: LogPosition, data: Uint8Array): void {
  if (digestOf(data) === digest) return;
  throw new Divergence(
    `The log has another entry ${seq} than this database: it has lost entries, or was started over`,
  );
}

/** The term of a database's newest entry, which must be the same in the log; 0 if the log no longer has it. */
export async function termOf(position: LogPosition, shared: Pick<SharedLog, "read">): Promise<number> {
  if (position.seq === 0) return 0;
  const [data] = await shared.read(position.seq, position.seq);
  if (!data) return 0;
  checkSame(position, data);
  return decode(data).term;
}

/** Throws `TooFarBehind` if the log no longer has the entry after a position. */
export function checkReaches(first: number, { seq }: LogPosition): void {
  if (first <= seq + 1) return;
  throw new TooFarBehind(
    `The log begins at entry ${first}, and this node holds those up to ${seq}. Start it again: it then joins by the newest snapshot`,
  );
}

/** What the entries that a node has read say of its own requests to leaders, and of the term. */
export class Trace {
  term = 0;
  private readonly requests = new Map<string, Traced>();

  read({ term, requests = [] }: Pick<Entry & Head, "term" | "requests">): void {
    this.term = Math.max(this.term, term);
    for (const one of requests) this.requests.get(one[0])?.read(one);
  }

  /** Follows a request, of which the log has the first writes already. */
  follow(id: string, done: readonly unknown[]): Traced {
    const traced = new Traced(done, () => this.requests.delete(id));
    this.requests.set(id, traced);
    return traced;
  }
}

/** A request to a leader, as far as this node has read the log. */
export class Traced {
  private readonly results = new Map<number, unknown>();

  constructor(
    private readonly before: readonly unknown[],
    readonly end: () => void,
  ) {}

  get isInLog(): boolean {
    return this.results.size > 0;
  }

  /** The results of its writes, in order; null if the log does not have each of them. */
  get done(): readonly unknown[] | null {
    const { before, results } = this;
    const all = Array.from({ length: results.size }, (_, at) => before.length + at);
    return all.every((n) => results.has(n)) ? [...before, ...all.map((n) => results.get(n))] : null;
  }

  read([, n, result]: MadeWrite): void {
    this.results.set(n, result);
  }
}
