// The form parameters of a request's body, read no further than is allowed.
import type { Body } from "./endpoint.ts";
import { fail } from "./errors.ts";
import { readForm, readMultipart } from "./wire.ts";

const maxBodyBytes = 1_048_576;

/** What reading a body needs of a request. */
export interface BodySource {
  header(name: string): string | undefined;
  text(): Promise<string>;
  arrayBuffer(): Promise<ArrayBuffer>;
  readonly raw: { readonly body: ReadableStream<Uint8Array> | null };
}

/** A body that holds no files. */
export function fieldsAlone(fields: Map<string, string>): Body {
  return { fields, files: [], discard() {} };
}

/** Parameters of a form-encoded or multipart body; a body of another type has none. */
export async function readBody(request: BodySource): Promise<Map<string, string>> {
  const given = new Map<string, string>();
  // HTTP/2 sends bodies without saying how long they are, or that they are there at all.
  const length = request.header("content-length");
  if (length === "0") return given;
  if (length !== undefined && Number(length) > maxBodyBytes) tooLarge();
  const contentType = request.header("content-type") ?? "";
  const mediaType = contentType.split(";", 1)[0]?.trim().toLowerCase();
  if (mediaType === "multipart/form-data") {
    const bytes = await bodyBytes(request, length);
    if (bytes.byteLength > 0) await readMultipart(bytes, contentType, given);
  } else if (mediaType === "" || mediaType === "application/x-www-form-urlencoded") {
    const decoded = async () => new TextDecoder().decode(await bodyBytes(request, length));
    readForm(length === undefined ? await decoded() : await request.text(), given);
  }
  return given;
}

/** The body's bytes; one of undeclared length is read no further than the limit. */
async function bodyBytes(request: BodySource, length: string | undefined): Promise<Uint8Array<ArrayBuffer>> {
  if (length !== undefined) return new Uint8Array(await request.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.raw.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBodyBytes) tooLarge();
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function tooLarge(): never {
  fail("BODY_TOO_LARGE", `The request is too large: at most ${maxBodyBytes} bytes are allowed.`);
}

/** Adds the parameters of the query string, whatever the method; those of the body win. */
export function readQuery(url: string, given: Map<string, string>): void {
  const at = url.indexOf("?");
  if (at >= 0) readForm(url.slice(at + 1).split("#", 1)[0] as string, given);
}
