// Compresses answers with an encoding that the client accepts.
import { pipeline, Readable, type Transform } from "node:stream";
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
} from "node:zlib";
import { type Bytes, EndedJson, type Json } from "@/kernel/lib/ended-json.ts";
import { bytesOf, Pieces, slicesOf } from "@/kernel/lib/long-answers.ts";
import { enders } from "./compressed-starts.ts";

export type AnswerHeaders = Record<string, string>;

/** Smaller answers fit into one or two packets without compression. */
const minBytes = 1024;

const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

type Compress = (body: string | Bytes) => Bytes;

/** Cheapest first, each at its fastest level: 50 KB take 0.06, 0.05 and 0.2 ms, and shrink to a tenth. */
const encodings: readonly [name: string, compress: Compress][] = [
  ["zstd", (body) => new Uint8Array(Bun.zstdCompressSync(body, { level: 1 }))],
  ["gzip", (body) => Bun.gzipSync(body, { level: 1 })],
  ["br", (body) => new Uint8Array(brotliCompressSync(body, brotliOptions))],
];

/** Compresses a body as the client's `Accept-Encoding` allows, and adds the headers that this needs. */
export function compressBody<B extends Json | EndedJson>(
  body: B,
  accepted: string | undefined,
  headers: AnswerHeaders,
): B | Bytes {
  if (body.length < minBytes) return body;
  headers.vary = varyByEncoding(headers.vary);
  const encoding = accepted === undefined ? undefined : preferEncoding(accepted);
  if (!encoding) return body;
  const [name, compress] = encoding;
  headers["content-encoding"] = name;
  return body instanceof EndedJson ? compressEnded(name, body, compress) : compress(body);
}

/** Compresses the shared start once, but not for an answer that may be the only one with it. */
function compressEnded(encoding: string, body: EndedJson, compress: Compress): Bytes {
  const { start, ending } = body;
  const known = start.enders.get(encoding);
  if (known) return known(Buffer.from(ending));
  const make = enders[encoding];
  if (known === undefined || !make) {
    start.enders.set(encoding, null);
    return compress(body.whole());
  }
  const ender = make(bytesOf(start.json));
  start.enders.set(encoding, ender);
  return ender(Buffer.from(ending));
}

/** What an answer depends on, besides what it depended on before. */
const varyByEncoding = (before: string | undefined) =>
  before ? `${before}, Accept-Encoding` : "Accept-Encoding";

const streams: Record<string, () => Transform> = {
  zstd: () => createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  gzip: () => createGzip({ level: 1 }),
  br: () => createBrotliCompress(brotliOptions),
};

/**
 * Like `compressBody`, for a long body in pieces; compresses outside the thread that answers requests. With a tag, which stands for
 * the body's content, the result is kept for the next client that accepts the same encoding.
 */
export function compressing<P extends AsyncIterable<Bytes>>(
  pieces: P,
  accepted: string | undefined,
  { headers, tag }: { headers: AnswerHeaders; tag: string | null },
): P | Pieces | ReadableStream<Bytes> {
  headers.vary = varyByEncoding(headers.vary);
  const [name = ""] = (accepted === undefined ? undefined : preferEncoding(accepted)) ?? [];
  const open = streams[name];
  if (!open) return pieces;
  headers["content-encoding"] = name;
  const key = tag && `${name} ${tag}`;
  const known = key && kept.get(key);
  if (known) {
    kept.delete(key);
    kept.set(key, known);
    return new Pieces([...slicesOf(known)]);
  }
  const stream = open();
  // If the client hangs up, both streams end, and an error need not be reported.
  pipeline(Readable.from(pieces), stream, () => {});
  return readableOf(key ? keeping(key, stream) : stream);
}

/** As a web Response takes it. */
export function readableOf(pieces: AsyncIterable<Bytes>): ReadableStream<Bytes> {
  const readable = pieces instanceof Readable ? pieces : Readable.from(pieces);
  return Readable.toWeb(readable) as unknown as ReadableStream<Bytes>;
}

/** Compressed bodies by encoding and tag, those used least recently first. */
const kept = new Map<string, Bytes>();
const maxKept = 4_194_304;

async function* keeping(key: string, pieces: AsyncIterable<Bytes>): AsyncGenerator<Bytes> {
  const all: Bytes[] = [];
  for await (const piece of pieces) {
    all.push(piece);
    yield piece;
  }
  kept.set(key, Buffer.concat(all));
  let bytes = kept.values().reduce((sum, body) => sum + body.length, 0);
  for (const [oldest, body] of kept) {
    if (bytes <= maxKept) return;
    kept.delete(oldest);
    bytes -= body.length;
  }
}

/** The cheapest of the encodings with the highest weight; none if the client prefers a body as it is. */
function preferEncoding(accepted: string): (typeof encodings)[number] | undefined {
  const weights = weightsIn(accepted);
  const weightOf = (name: string) => weights.get(name) ?? weights.get("*") ?? 0;
  const best = Math.max(...encodings.map(([name]) => weightOf(name)));
  if (best === 0 || best < (weights.get("identity") ?? 0)) return undefined;
  return encodings.find(([name]) => weightOf(name) === best);
}

/** Parses `gzip;q=0.5, br` into names and weights from 0 to 1. */
function weightsIn(accepted: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const item of accepted.slice(0, maxHeaderLength).toLowerCase().split(",")) {
    const [name = "", ...parameters] = item.split(";").map((part) => part.trim());
    const given = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    const weight = given === undefined ? 1 : Number(given);
    weights.set(name, weight >= 0 && weight <= 1 ? weight : 0);
  }
  return weights;
}

const maxHeaderLength = 256;
