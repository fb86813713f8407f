import { rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { Ctx } from "@/kernel/context.ts";
import type { Body, BodyReader, ReceivedFile } from "@/kernel/endpoint.ts";
import { fail } from "@/kernel/errors.ts";
import { type BodySource, fieldsAlone, readBody } from "@/kernel/request-body.ts";
import { makeFolderOf, newName, pathOf } from "./files.ts";
import { boundaryOf, type PartSink, readParts } from "./multipart.ts";

/** What a body may bring: `check` refuses before it is read, told how long it says it is. */
export interface Welcome {
  mostMib: number;
  check?: (length: number) => void;
}

const mib = 1_048_576;
const maxFieldBytes = mib;

/** Reads bodies that bring one file, which is written to disk as it comes and is complete there when the endpoint runs. */
export function oneFile(welcome: (ctx: Ctx) => Welcome): BodyReader {
  return async (ctx, request) => {
    const boundary = boundaryOf(request.header("content-type") ?? "");
    if (boundary === null) return fieldsAlone(await readBody(request, "user"));
    const { mostMib, check } = welcome(ctx);
    const length = Number(request.header("content-length") ?? 0);
    if (length > mostMib * mib + maxFieldBytes) tooLarge(mostMib);
    check?.(length);
    return receive(ctx, request, { boundary, mostMib });
  };
}

/** The file an endpoint cannot do without. */
export function theFile(files: readonly ReceivedFile[]): ReceivedFile {
  return files[0] ?? fail("BAD_REQUEST", "You must specify a file to upload.");
}

function tooLarge(mostMib: number): never {
  fail("BAD_REQUEST", `The file is larger than the ${mostMib} MiB that are allowed.`);
}

async function receive(
  ctx: Ctx,
  request: BodySource,
  { boundary, mostMib }: { boundary: string; mostMib: number },
): Promise<Body> {
  const fields = new Map<string, string>();
  const files: (ReceivedFile & { size: number })[] = [];
  const handles: FileHandle[] = [];
  const discard = () => {
    for (const { path } of files) rmSync(path, { force: true });
  };
  const fieldSink = fieldReader(fields);
  const fileSink = async (name: string): Promise<PartSink> => {
    if (files.length > 0) fail("BAD_REQUEST", "You may only upload one file at a time.");
    const file = { name, size: 0, path: pathOf(ctx.env, "incoming", newName()) };
    makeFolderOf(file.path);
    const handle = await open(file.path, "wx", 0o600);
    handles.push(handle);
    files.push(file);
    return {
      async write(chunk) {
        file.size += chunk.byteLength;
        if (file.size > mostMib * mib) tooLarge(mostMib);
        await writeAll(handle, chunk);
      },
      end: () => handle.sync(),
    };
  };
  try {
    const body = request.raw.body as AsyncIterable<Uint8Array> | null;
    await readParts(body ?? nothing(), boundary, ({ name, filename }) =>
      filename === null ? fieldSink(name) : fileSink(filename),
    );
    return { fields, files, discard };
  } catch (error) {
    discard();
    throw error;
  } finally {
    for (const handle of handles) await handle.close();
  }
}

async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.byteLength; ) {
    at += (await handle.write(chunk, at, chunk.byteLength - at)).bytesWritten;
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Sinks for the parts that are not files; the first of a name counts, and together they are bounded. */
function fieldReader(fields: Map<string, string>): (name: string) => PartSink {
  let size = 0;
  return (name) => {
    const chunks: Uint8Array[] = [];
    return {
      write(chunk) {
        size += chunk.byteLength;
        if (size > maxFieldBytes) fail("BODY_TOO_LARGE", "The request's fields are too large.");
        chunks.push(Buffer.from(chunk));
      },
      end() {
        if (!fields.has(name)) fields.set(name, Buffer.concat(chunks).toString("utf8"));
      },
    };
  };
}
