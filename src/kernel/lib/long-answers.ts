// Long answers: serialized entry by entry and sent in pieces, so that other requests can run in between.
import type { Bytes, EndedJson, Json } from "./ended-json.ts";
import { JsonText } from "./json-text.ts";
import { nextSlice, runInSlices, type Task } from "./tasks.ts";
import { TimeUsed } from "./time-slices.ts";

/** Lists and objects with more entries are serialized entry by entry. */
const fewEntries = 64;
/** Shorter bodies are sent at once. */
const pieceLength = 128 * 1024;
/** Half as much per slice costs a third more, twice as much saves a twentieth. */
const sliceLength = 256 * 1024;

/** A successful answer that is JSON already. */
export class JsonAnswer {
  constructor(readonly json: Json | EndedJson) {}
}

/** A body that is sent at once, or the pieces of a long one. */
export type Body = Json | Bytes[];

/** Serializes an object to the same text as `JSON.stringify`. */
export function jsonBody(value: object): string | Promise<Body> {
  const isShort = !Object.values(value).some((entry) => entry instanceof JsonText || isLong(entry));
  return isShort ? JSON.stringify(value) : longBody(value);
}

async function longBody(value: object): Promise<Body> {
  const pieces = await runInSlices(piecesOf(value));
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return length < pieceLength ? Buffer.concat(pieces) : pieces;
}

/** Makes a body of finished JSON. */
export function finishBody(json: Json | EndedJson): Body | EndedJson {
  if (json.length < pieceLength) return json;
  return [...slicesOf(bytesOf(json))];
}

export function bytesOf(json: Json | EndedJson): Bytes {
  if (typeof json === "string") return Buffer.from(json);
  return json instanceof Uint8Array ? json : bytesOf(json.whole());
}

/** A long body; reading it gives one piece after another, and lets other requests run in between. */
export class Pieces {
  /** In bytes. */
  readonly length: number;

  constructor(private readonly pieces: readonly Bytes[]) {
    this.length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Bytes> {
    const used = new TimeUsed();
    for (const piece of this.pieces) {
      await nextSlice(used);
      yield piece;
    }
  }
}

function isLong(value: unknown): value is object {
  if (value instanceof JsonText) return value.bytes.length >= pieceLength;
  if (Array.isArray(value)) return value.length > fewEntries;
  return isPlain(value) && Object.keys(value).length > fewEntries;
}

function isPlain(value: unknown): value is object {
  return value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype;
}

function* piecesOf(value: object): Task<Bytes[]> {
  const pieces: Bytes[] = [];
  let text = "{";
  let separator = "";
  const flush = () => {
    if (text !== "") pieces.push(Buffer.from(text));
    text = "";
  };
  for (const [name, entry] of Object.entries(value)) {
    const written = writePieces(entry);
    let isFirst = true;
    for (const part of written) {
      if (part === undefined) continue;
      if (isFirst) text += `${separator}${JSON.stringify(name)}:`;
      [isFirst, separator] = [false, ","];
      if (typeof part === "string") text += part;
      else {
        flush();
        pieces.push(part);
      }
      if (text.length >= pieceLength) flush();
      yield 1;
    }
  }
  text += "}";
  flush();
  return pieces;
}

/** The parts of a value's JSON; `undefined` for a value that JSON leaves out. */
function writePieces(value: unknown): Iterable<string | Bytes | undefined> {
  if (value instanceof JsonText) return slicesOf(value.bytes);
  return isLong(value) ? entriesOf(value) : [JSON.stringify(value)];
}

export function* slicesOf(bytes: Bytes): Generator<Bytes> {
  for (let at = 0; at < bytes.length; at += sliceLength) yield bytes.subarray(at, at + sliceLength);
}

function* entriesOf(value: object): Generator<string> {
  const isList = Array.isArray(value);
  let before = isList ? "[" : "{";
  for (const [name, entry] of isList ? value.entries() : Object.entries(value)) {
    const text = JSON.stringify(entry);
    if (text === undefined && !isList) continue;
    yield `${before}${isList ? "" : `${JSON.stringify(name)}:`}${text ?? "null"}`;
    before = ",";
  }
  const isEmpty = before !== ",";
  yield `${isEmpty ? before : ""}${isList ? "]" : "}"}`;
}
