// Reads multipart bodies as they arrive, so that a file of any size needs little memory.
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { AppError, fail } from "@/kernel/lib/errors.ts";

export interface FormParts {
  field(name: string, value: string): void;
  /** Reads a file to its end; without it, files are skipped. */
  file?(name: string, content: AsyncIterable<Uint8Array>): Promise<void>;
}

const limits = { parts: 1_000, fieldNameSize: 1_000, headerPairs: 20, headerSize: 16_384 };

export function isMultipart(contentType: string): boolean {
  return /^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType);
}

/** Passes the parts of a body to `parts` as they arrive. An error that `parts` throws stops the reading. */
export async function readMultipart(
  body: AsyncIterable<Uint8Array>,
  { contentType, maxFieldBytes }: { contentType: string; maxFieldBytes: number },
  parts: FormParts,
): Promise<void> {
  const parser = parserFor(contentType, maxFieldBytes);
  const files: Promise<void>[] = [];
  const streams: Readable[] = [];
  let fault: unknown;
  const stop = (error: unknown) => {
    fault ??= error;
    parser.destroy();
  };
  let fieldBytes = 0;
  parser.on("field", (name, value, _, isTruncated) => {
    fieldBytes += value.length;
    if (isTruncated || fieldBytes > maxFieldBytes) return stop(tooLarge());
    parts.field(name, value);
  });
  parser.on("file", (_, stream, name) => {
    stream.on("error", () => {}); // the parser fails as well, and says why
    streams.push(stream);
    if (parts.file) files.push(parts.file(name, stream).catch(stop));
    else stream.resume();
  });
  parser.on("partsLimit", () => stop(unreadable()));
  try {
    await pipeline(Readable.from(body), parser);
  } catch (error) {
    fault ??= error instanceof AppError ? error : unreadable();
    for (const stream of streams) stream.destroy(error as Error); // otherwise its reader would wait for its end
  }
  await Promise.all(files);
  if (fault !== undefined) throw fault;
}

function parserFor(contentType: string, maxFieldBytes: number) {
  // Loaded on first use: most server processes take no files in their first minutes.
  const { Busboy } = require("@fastify/busboy") as typeof import("@fastify/busboy");
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      preservePath: true,
      isPartAFile: (_name, _type, filename) => filename !== undefined,
      limits: { ...limits, fieldSize: maxFieldBytes },
    });
  } catch {
    return fail("BAD_REQUEST", "The multipart body of this request has no boundary.");
  }
}

function unreadable(): AppError {
  return new AppError("BAD_REQUEST", "The multipart body of this request could not be read.");
}

function tooLarge(): AppError {
  return new AppError("BODY_TOO_LARGE", "The request's fields are too large.");
}
