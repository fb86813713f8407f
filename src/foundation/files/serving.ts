// Serves files: with ranges for media, with validators, and without anything that a browser would run in our origin.
import type { FileName, FoundFile } from "@/foundation/file-stores/schema.ts";
import type { Env } from "@/kernel/core/context.ts";
import { RawAnswer, type RequestFacts } from "@/kernel/http/endpoint.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { findFile } from "./files.ts";
import { isShownInline, unknownType } from "./types.ts";

export interface ServedFile {
  file: FileName;
  /** The ETag's text: ends in the file's name, and changes with its content. */
  tag: string;
  type: string;
  /** The name for saving the file; null for pictures that are only shown. */
  name: string | null;
  isPublic?: boolean;
  /** True if browsers must not cache it. */
  isConfidential?: boolean;
}

/** The size of a store's first piece. */
const smallBytes = 131_072;
const inert = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'";
// Browsers show no PDF in a sandbox; they isolate it from the page's origin anyway.
const inertPdf = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'";

/** Answers with a file, or with the requested range of it. */
export async function fileAnswer(
  env: Pick<Env, "db" | "files">,
  served: ServedFile,
  request: RequestFacts,
): Promise<RawAnswer> {
  const found = await findFile(env, served.file);
  if (!found) fail("NOT_FOUND", "This file does not exist or has been deleted.");
  const headers = headersOf(served);
  if (isKnown(request.header("if-none-match"), headers.etag)) return new RawAnswer(null, headers, 304);
  const range = rangeOf(request, headers.etag, found.bytes);
  if (range === "none")
    return new RawAnswer(null, { ...headers, "content-range": `bytes */${found.bytes}` }, 416);
  const [start, end] = range ?? [0, found.bytes];
  const sized = { ...headers, "content-length": String(end - start) };
  const body = await bytesOf(found, start, end);
  if (!range) return new RawAnswer(body, sized);
  return new RawAnswer(body, { ...sized, "content-range": `bytes ${start}-${end - 1}/${found.bytes}` }, 206);
}

/** Sends small files at once, others as fast as the client reads, so that many slow clients cost little memory. */
async function bytesOf(
  found: FoundFile,
  start: number,
  end: number,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> {
  const pieces = found.read(start, end)[Symbol.asyncIterator]();
  if (end - start <= smallBytes) return (await pieces.next()).value ?? new Uint8Array();
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const { done, value } = await pieces.next();
    if (done) controller.close();
    else controller.enqueue(value);
  };
  const cancel = async () => void (await pieces.return?.());
  // Nothing is read before the client asks for it, so nothing for a HEAD request.
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
}

function headersOf({
  tag,
  type,
  name,
  isPublic = false,
  isConfidential = false,
}: ServedFile): Record<string, string> & { etag: string } {
  const disposition = isShownInline(type) ? "inline" : "attachment";
  return {
    "content-type": isShownInline(type) ? type : unknownType,
    "x-content-type-options": "nosniff",
    "content-security-policy": type === "application/pdf" ? inertPdf : `${inert}; sandbox`,
    "cross-origin-resource-policy": isPublic ? "cross-origin" : "same-site",
    "cache-control": isConfidential
      ? "no-store"
      : `${isPublic ? "public" : "private"}, max-age=31536000, immutable`,
    "accept-ranges": "bytes",
    etag: `"${tag}"`,
    ...(name === null ? {} : { "content-disposition": `${disposition}; ${dispositionName(name)}` }),
  };
}

/** A name in both forms of RFC 6266; stored names contain no quotes or line breaks. */
function dispositionName(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\]/g, "_");
  return `filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)}`;
}

function isKnown(given: string | undefined, etag: string): boolean {
  return (
    given !== undefined &&
    (given === "*" || given.split(",").some((one) => one.trim().replace(/^W\//, "") === etag))
  );
}

/** The requested range, its end exclusive; null for the whole file, "none" if the range is outside of it. */
function rangeOf(request: RequestFacts, etag: string, size: number): [number, number] | "none" | null {
  const asked = /^bytes=(\d*)-(\d*)$/.exec(request.header("range")?.trim() ?? "");
  const unchangedSince = request.header("if-range");
  if (!asked || (unchangedSince !== undefined && unchangedSince !== etag)) return null;
  const [, first = "", last = ""] = asked;
  if (first === "") {
    if (last === "") return null;
    return Number(last) === 0 || size === 0 ? "none" : [Math.max(0, size - Number(last)), size];
  }
  const end = last === "" ? size : Math.min(Number(last) + 1, size);
  if (last !== "" && Number(last) < Number(first)) return null;
  return Number(first) >= size ? "none" : [Number(first), end];
}
