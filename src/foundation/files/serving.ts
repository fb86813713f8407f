// Serves files: with ranges for media, with validators, and without anything that a browser would run in our origin.
import { statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { RawAnswer, type RequestFacts } from "@/kernel/endpoint.ts";
import { fail } from "@/kernel/errors.ts";
import { isShownInline, unknownType } from "./types.ts";

export interface ServedFile {
  path: string;
  /** The ETag's text: ends in the file's name, and changes with its content. */
  tag: string;
  type: string;
  /** The name for saving the file; null for pictures that are only shown. */
  name: string | null;
  isPublic?: boolean;
  /** True if browsers must not cache it. */
  isConfidential?: boolean;
}

const chunkBytes = 131_072;
const inert = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'";
// Browsers show no PDF in a sandbox; they isolate it from the page's origin anyway.
const inertPdf = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'";

/** Answers with a file, or with the requested range of it. */
export async function fileAnswer(file: ServedFile, request: RequestFacts): Promise<RawAnswer> {
  const size = statSync(file.path, { throwIfNoEntry: false })?.size;
  if (size === undefined) fail("NOT_FOUND", "This file does not exist or has been deleted.");
  const headers = headersOf(file);
  if (isKnown(request.header("if-none-match"), headers.etag)) return new RawAnswer(null, headers, 304);
  const range = rangeOf(request, headers.etag, size);
  if (range === "none") return new RawAnswer(null, { ...headers, "content-range": `bytes */${size}` }, 416);
  const [start, end] = range ?? [0, size];
  const sized = { ...headers, "content-length": String(end - start) };
  const body = await bytesOf(file.path, start, end);
  if (!range) return new RawAnswer(body, sized);
  return new RawAnswer(body, { ...sized, "content-range": `bytes ${start}-${end - 1}/${size}` }, 206);
}

/** Sends small files at once, others as fast as the client reads, so that many slow clients cost little memory. */
async function bytesOf(
  path: string,
  start: number,
  end: number,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> {
  if (end - start <= chunkBytes) return Bun.file(path).slice(start, end).bytes();
  let handle: FileHandle | undefined;
  let at = start;
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    handle ??= await open(path, "r");
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, end - at));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, at);
    at += bytesRead;
    if (bytesRead > 0) controller.enqueue(chunk.subarray(0, bytesRead));
    if (bytesRead > 0 && at < end) return;
    await handle.close();
    controller.close();
  };
  // The file is opened at the first read, so never for a HEAD request.
  return new ReadableStream({ pull, cancel: () => handle?.close() }, { highWaterMark: 0 });
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
    ...(name === null ? {} : { "content-disposition": `${disposition}; ${savedAs(name)}` }),
  };
}

/** A name in both forms of RFC 6266; stored names contain no quotes or line breaks. */
function savedAs(name: string): string {
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
