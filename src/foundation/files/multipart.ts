// Multipart bodies read as they come, so that a file of any size passes through little memory.
import { fail } from "@/kernel/errors.ts";

export interface PartHead {
  name: string;
  /** Null where the part is not a file. */
  filename: string | null;
}

export interface PartSink {
  write(chunk: Uint8Array): Promise<void> | void;
  end(): Promise<void> | void;
}

const maxHeadBytes = 16_384;
const maxParts = 1_000;
const lineEnd = Buffer.from("\r\n");
const headEnd = Buffer.from("\r\n\r\n");

/** The boundary that a Content-Type names; null where the body is not multipart. */
export function boundaryOf(contentType: string): string | null {
  if (!/^\s*multipart\/form-data\s*;/i.test(contentType)) return null;
  const found = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType);
  return (
    found?.[1] ?? found?.[2] ?? fail("BAD_REQUEST", "The multipart body of this request has no boundary.")
  );
}

/** Hands each part to the sink that `open` gives for it. */
export async function readParts(
  chunks: AsyncIterable<Uint8Array>,
  boundary: string,
  open: (head: PartHead) => PartSink | Promise<PartSink>,
): Promise<void> {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const input = textOf(chunks);
  try {
    await input.passTo(delimiter, () => {});
    for (let parts = 1; !(await input.hasEnded()); parts++) {
      if (parts > maxParts) unreadable();
      const sink = await open(await nextHead(input));
      await input.passTo(delimiter, (chunk) => sink.write(chunk));
      await sink.end();
    }
    await input.drain();
  } finally {
    await input.close();
  }
}

async function nextHead(input: Input): Promise<PartHead> {
  let head = "";
  await input.passTo(headEnd, (chunk) => {
    head += chunk.toString("latin1");
    if (head.length > maxHeadBytes) unreadable();
  });
  return headOf(Buffer.from(head, "latin1").toString("utf8"));
}

interface Input {
  /** Gives on what comes before a mark, and goes on behind it. */
  passTo(mark: Buffer, give: (chunk: Buffer) => Promise<void> | void): Promise<void>;
  /** Whether the last delimiter was the closing one. */
  hasEnded(): Promise<boolean>;
  drain(): Promise<void>;
  close(): Promise<unknown> | undefined;
}

function textOf(chunks: AsyncIterable<Uint8Array>): Input {
  const source = chunks[Symbol.asyncIterator]();
  // The first delimiter need not follow a line.
  let rest: Buffer = lineEnd;
  const more = async () => {
    const { value, done } = await source.next().catch(brokenOff);
    if (done) unreadable();
    rest = Buffer.concat([rest, value]);
  };
  return {
    async passTo(mark, give) {
      for (;;) {
        const at = rest.indexOf(mark);
        const upTo = at < 0 ? Math.max(0, rest.length - mark.length + 1) : at;
        if (upTo > 0) await give(rest.subarray(0, upTo));
        rest = rest.subarray(at < 0 ? upTo : at + mark.length);
        if (at >= 0) return;
        await more();
      }
    },
    async hasEnded() {
      while (rest.length < 2) await more();
      return rest.toString("latin1", 0, 2) === "--";
    },
    async drain() {
      while (!(await source.next().catch(brokenOff)).done);
    },
    close: () => source.return?.(),
  };
}

function brokenOff(): never {
  fail("BAD_REQUEST", "The request broke off before all of it had come.");
}

function unreadable(): never {
  fail("BAD_REQUEST", "The multipart body of this request could not be read.");
}

function headOf(text: string): PartHead {
  const disposition = /(?:^|\r\n)content-disposition:([^\r\n]*)/i.exec(text)?.[1] ?? "";
  const name = parameter(disposition, "name") ?? "";
  return { name, filename: extended(disposition) ?? parameter(disposition, "filename") };
}

function parameter(disposition: string, name: string): string | null {
  const found = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]*))`, "i").exec(disposition);
  if (!found) return null;
  return found[1] === undefined ? (found[2] ?? "") : found[1].replaceAll(/\\(["\\])/g, "$1");
}

/** A name in the form of RFC 5987, which some clients send for what is not ASCII. */
function extended(disposition: string): string | null {
  const encoded = /;\s*filename\*=utf-8'[^']*'([^\s;]+)/i.exec(disposition)?.[1];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
