// Encodes a log entry: each statement and each set of people once, compressed unless small.
import { z } from "zod";
import type { SqlValue } from "@/kernel/core/context.ts";
import { type Audience, type Emitted, type EventType, event, findEventType } from "@/kernel/core/events.ts";
import type { Committed, Written } from "@/kernel/store/commit-log.ts";

/** An entry's metadata. */
export interface Head {
  /** The digest of the entry before it. */
  readonly after: string;
  /** Grows with each leader. */
  readonly term: number;
  /** The schema that the leader needs; set on the first entry of a term, which has no other content. */
  readonly leads?: string | undefined;
  readonly schema?: number | undefined;
}

type Packed = string | number | null | [kind: "blob" | "integer" | "number", text: string];

interface WireEntry extends Head {
  version: 1;
  sql: string[];
  /** Statement, changes, rowid, parameters. */
  writes: [number, number, number | null, ...Packed[]][];
  /** Sets of user IDs, sorted, each ID as the difference from the one before. */
  sets: number[][];
  events: SentEvent[];
  room?: number | undefined;
  requests?: Committed["requests"];
}

interface SentEvent extends Omit<Audience, "to"> {
  event: string;
  to: "everyone" | number;
  payload: unknown;
}

const version = 1;
const plain = 0;
const zstd = 1;
const compressedFrom = 1_024;

/** The entry's first byte says whether the rest, which is JSON, is compressed. */
export function encode(head: Head, { written, emitted, room, requests }: Committed): Uint8Array {
  const sets: number[][] = [];
  const events = emitted.map(sender(sets));
  const sent: WireEntry = { ...head, version, ...packWrites(written), sets, events, room, requests };
  const json = Buffer.from(JSON.stringify(sent));
  if (json.length < compressedFrom) return Buffer.concat([Buffer.of(plain), json]);
  return Buffer.concat([Buffer.of(zstd), Bun.zstdCompressSync(json, { level: 1 })]);
}

/** Throws if a newer version made the entry. Events that this version does not know are delivered to nobody. */
export function decode(data: Uint8Array): Head & Committed {
  const body = data.subarray(1);
  const json = data[0] === zstd ? Bun.zstdDecompressSync(body) : Buffer.from(body);
  const sent = JSON.parse(json.toString()) as WireEntry;
  if (sent.version !== version) {
    throw new Error(
      `The log holds an entry of version ${sent.version}, and this Confab reads version ${version}`,
    );
  }
  const { after, term, leads, schema, sql, room, requests } = sent;
  const written = sent.writes.map(([at, changes, rowid, ...params]): Written => {
    return { sql: sql[at] as string, params: params.map(unpackValue), changes, rowid };
  });
  const sets = sent.sets.map(setOf);
  const emitted = sent.events.map((one) => toEmitted(one, sets));
  return { after, term, leads, schema, written, emitted, room, requests };
}

export function digestOf(data: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(data).digest("hex");
}

function packWrites(written: readonly Written[]): Pick<WireEntry, "sql" | "writes"> {
  const numbers = new Map<string, number>();
  const writes = written.map(({ sql, params, changes, rowid }): WireEntry["writes"][number] => {
    const at = numbers.get(sql) ?? numbers.size;
    numbers.set(sql, at);
    return [at, changes, rowid, ...params.map(packValue)];
  });
  return { sql: [...numbers.keys()], writes };
}

/** JSON cannot hold bytes, large integers or infinity. */
function packValue(value: SqlValue): Packed {
  if (value instanceof Uint8Array) return ["blob", Buffer.from(value).toString("base64")];
  if (typeof value === "bigint") return ["integer", String(value)];
  if (typeof value === "number" && !Number.isFinite(value)) return ["number", String(value)];
  return value;
}

function unpackValue(value: Packed): SqlValue {
  if (!Array.isArray(value)) return value;
  const [kind, text] = value;
  if (kind === "blob") return new Uint8Array(Buffer.from(text, "base64"));
  return kind === "integer" ? BigInt(text) : Number(text);
}

/** Most events of a batch go to the same few sets of people. */
function sender(sets: number[][]): (emitted: Emitted) => SentEvent {
  const numbers = new Map<unknown, number>();
  return ({ event, audience: { to, ...more }, payload }) => {
    if (to === "everyone") return { ...more, event: event.key, to, payload };
    const at = numbers.get(to) ?? sets.push(differencesOf(to)) - 1;
    numbers.set(to, at);
    return { ...more, event: event.key, to: at, payload };
  };
}

function differencesOf(ids: Iterable<number>): number[] {
  const sorted = [...ids].sort((a, b) => a - b);
  return sorted.map((id, at) => id - (sorted[at - 1] ?? 0));
}

function setOf(differences: readonly number[]): Set<number> {
  let id = 0;
  return new Set(
    differences.map((step) => {
      id += step;
      return id;
    }),
  );
}

/** Replaces an event that this version does not know, so that later events keep their IDs. */
const unknown = event("unknown", {
  about: "An event that a newer version emitted.",
  schema: z.object({}),
  isInternal: true,
}) as EventType<unknown>;

function toEmitted({ event: key, to, payload, ...more }: SentEvent, sets: readonly Set<number>[]): Emitted {
  const known = findEventType(key);
  if (!known) return { event: unknown, audience: { to: [] }, payload: {} };
  const audience = { ...more, to: to === "everyone" ? to : (sets[to] ?? []) };
  return { event: known, audience, payload };
}
