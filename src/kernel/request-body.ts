// The form parameters of a request's body, read no further than is allowed.
import type { Actor } from "./context.ts";
import type { Body, BodySource } from "./endpoint.ts";
import { AppError, fail } from "./errors.ts";
import { isMultipart, readMultipart } from "./multipart.ts";
import { readForm } from "./wire.ts";

/** Anybody may send, but nobody needs much to log in or to join. */
const mostBytes = { user: 1_048_576, system: 1_048_576, anonymous: 65_536 };

const utf8 = new TextDecoder();

export function fieldsAlone(fields: Map<string, string>): Body {
  return { fields, files: [], discard() {} };
}

/** Parameters of a form-encoded or multipart body; a body of another type has none. */
export async function readBody(request: BodySource, sender: Actor["kind"]): Promise<Map<string, string>> {
  const given = new Map<string, string>();
  const [length, contentType = ""] = [request.header("content-length"), request.header("content-type")];
  const mediaType = contentType.split(";", 1)[0]?.trim().toLowerCase();
  if (Number(length ?? 0) > mostBytes[sender]) tooLarge(mostBytes[sender]);
  const isParts = isMultipart(contentType);
  const isForm = isParts || mediaType === "" || mediaType === "application/x-www-form-urlencoded";
  if (length === "0" || !isForm) return given;
  // HTTP/2 sends bodies without saying how long they are, or that they are there at all.
  if (length === undefined || isParts) {
    const bytes = await bytesOf(request, length, mostBytes[sender]).catch(brokenOff);
    if (!isParts) readForm(utf8.decode(bytes), given);
    else if (bytes.byteLength > 0)
      await readFields(bytes, { contentType, maxFieldBytes: mostBytes[sender] }, given);
  } else readForm(await request.text().catch(brokenOff), given);
  return given;
}

async function readFields(
  bytes: Uint8Array,
  how: { contentType: string; maxFieldBytes: number },
  given: Map<string, string>,
): Promise<void> {
  const field = (name: string, value: string) => {
    if (!given.has(name)) given.set(name, value);
  };
  await readMultipart(inOnePiece(bytes), how, { field });
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The body's bytes; one of undeclared length is read no further than `most`. */
async function bytesOf(request: BodySource, length: string | undefined, most: number) {
  if (length !== undefined) return new Uint8Array(await request.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.raw.body ?? []) {
    size += chunk.byteLength;
    if (size > most) tooLarge(most);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function tooLarge(most: number): never {
  fail("BODY_TOO_LARGE", `The request is too large: at most ${most} bytes are allowed.`);
}

function brokenOff(error: unknown): never {
  if (error instanceof AppError) throw error;
  fail("BAD_REQUEST", "The request broke off before all of it had come.");
}

/** Adds the parameters of the query string, whatever the method; those of the body win. */
export function readQuery(url: string, given: Map<string, string>): void {
  const at = url.indexOf("?");
  if (at >= 0) readForm(url.slice(at + 1).split("#", 1)[0] as string, given);
}
