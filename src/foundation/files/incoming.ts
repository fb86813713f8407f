import { rmSync } from "node:fs";
import type { Ctx } from "@/kernel/core/context.ts";
import type { BodyReader, BodySource, ReceivedFile, RequestBody } from "@/kernel/http/endpoint.ts";
import { isMultipart, readMultipart } from "@/kernel/http/multipart.ts";
import { fieldsAlone, readBody } from "@/kernel/http/request-body.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { sentence } from "@/text/language/tables.ts";
import { incompletePath, writeNew } from "./incomplete.ts";

/** What a body may contain. `check` gets the declared length and may refuse before the body is read. */
export interface Welcome {
  maxMib: number;
  check?: (length: number) => void;
}

const mib = 1_048_576;
const maxFieldBytes = mib;

/** Reads bodies with one file. The file is written to disk as it arrives, and is complete when the endpoint runs. */
export function oneFile(welcome: (ctx: Ctx) => Welcome): BodyReader {
  return async (ctx, request) => {
    const contentType = request.header("content-type") ?? "";
    if (!isMultipart(contentType)) return fieldsAlone(await readBody(request, "user"));
    const { maxMib, check } = welcome(ctx);
    const length = Number(request.header("content-length") ?? 0);
    if (length > maxMib * mib + maxFieldBytes) tooLarge(maxMib);
    check?.(length);
    return receive(ctx, request, { contentType, maxMib });
  };
}

/** The one file of a request; throws if it has no file. */
export function theFile(files: readonly ReceivedFile[]): ReceivedFile {
  return files[0] ?? fail("BAD_REQUEST", "You must specify a file to upload.");
}

function tooLarge(maxMib: number): never {
  fail("BAD_REQUEST", sentence("The file is larger than the allowed {max} MiB.", { max: String(maxMib) }));
}

async function receive(
  ctx: Ctx,
  request: BodySource,
  { contentType, maxMib }: { contentType: string; maxMib: number },
): Promise<RequestBody> {
  const fields = new Map<string, string>();
  const files: ReceivedFile[] = [];
  const discard = () => {
    for (const { path } of files) rmSync(path, { force: true });
  };
  const field = (name: string, value: string) => {
    if (!fields.has(name)) fields.set(name, value);
  };
  const file = async (name: string, content: AsyncIterable<Uint8Array>) => {
    if (files.length > 0) fail("BAD_REQUEST", "You may only upload one file at a time.");
    const received = { name, size: 0, path: incompletePath(ctx.env) };
    files.push(received);
    received.size = await writeNew(received.path, content, (size) => {
      if (size > maxMib * mib) tooLarge(maxMib);
    });
  };
  try {
    const body = request.raw.body as AsyncIterable<Uint8Array> | null;
    await readMultipart(body ?? nothing(), { contentType, maxFieldBytes }, { field, file });
    return { fields, files, discard };
  } catch (error) {
    discard();
    throw error;
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
