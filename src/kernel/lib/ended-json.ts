// JSON that many answers share but for its end, as the same events for many clients: it is joined once, compressed once, and
// copied only where it is sent.
import type { ServerResponse } from "node:http";

export type Bytes = Uint8Array<ArrayBuffer>;

/** Finished JSON; text is ASCII. */
export type Json = string | Bytes;

/** The shared start of answers. */
export class SharedStart {
  /** What makes a compressed answer of an end, by encoding; null after the first answer, which may be the only one. */
  readonly enders = new Map<string, ((ending: Bytes) => Bytes) | null>();

  constructor(readonly json: Json) {}
}

/** JSON in two parts; the end is ASCII. */
export class EndedJson {
  constructor(
    readonly start: SharedStart,
    readonly ending: string,
  ) {}

  /** In bytes. */
  get length(): number {
    return this.start.json.length + this.ending.length;
  }

  whole(): Json {
    const { json } = this.start;
    return typeof json === "string"
      ? json + this.ending
      : this.writeTo(Buffer.allocUnsafe(this.length), json);
  }

  /** Ends `outgoing` with this body, whose length must be less than a piece of a long answer. */
  send(outgoing: ServerResponse): void {
    const { json } = this.start;
    if (typeof json === "string") outgoing.end(json + this.ending);
    else sendBytes(this, json, outgoing);
  }

  /** Writes both parts, unless the buffer begins with the start already. */
  writeTo(buffer: Buffer<ArrayBuffer>, start: Bytes, holdsStart = false): Buffer<ArrayBuffer> {
    if (!holdsStart) buffer.set(start);
    buffer.write(this.ending, start.length, "latin1");
    return buffer.subarray(0, this.length);
  }
}

/** A buffer for one answer at a time, and the start that it holds: answers in a row often differ in their ends alone. */
let last: { buffer: Buffer<ArrayBuffer>; start: Bytes } | null = null;

function sendBytes(answer: EndedJson, start: Bytes, outgoing: ServerResponse): void {
  const known = last && last.buffer.length >= answer.length ? last : null;
  last = null;
  const buffer = known?.buffer ?? Buffer.allocUnsafeSlow(capacityFor(answer.length));
  outgoing.end(answer.writeTo(buffer, start, known?.start === start));
  // Otherwise the HTTP library may still need the buffer, because the system has not taken all of it.
  if (outgoing.writableFinished) last = { buffer, start };
}

const minCapacity = 32_768;

function capacityFor(length: number): number {
  return Math.max(minCapacity, 2 ** Math.ceil(Math.log2(length)));
}
