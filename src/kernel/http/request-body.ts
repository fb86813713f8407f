// Reads the form parameters of a request's body, up to a maximum size.
import type { Actor } from "@/kernel/core/context.ts";
import { AppError, fail, wordedSentence } from "@/kernel/lib/errors.ts";
import type { BodySource, RequestBody } from "./endpoint.ts";
import { readForm } from "./forms.ts";
import { isMultipart, readMultipart } from "./multipart.ts";
import { type HttpRequest, hasUndeclaredBody } from "./request-facts.ts";

/** Less for anonymous requests: anyone can send them, and logging in or joining needs little. */
const maxBytes = { user: 1_048_576, system: 1_048_576, anonymous: 65_536 };

const utf8 = new TextDecoder();

export function fieldsAlone(fields: Map<string, string>): RequestBody {
  return { fields, files: [], discard() {} };
}

/** Parameters of a form-encoded or multipart body; a body of another type has none. */
export async function readBody(request: BodySource, sender: Actor["kind"]): Promise<Map<string, string>> {
  const given = new Map<string, string>();
  const [length, contentType = ""] = [request.header("content-length"), request.header("content-type")];
  if (Number(length ?? 0) > maxBytes[sender]) tooLarge(maxBytes[sender]);
  const kind = kindOf(contentType);
  const isParts = kind === "parts";
  if (length === "0" || kind === "other") return given;
  // HTTP/2 may send a body without declaring its length, or that there is one.
  if (length === undefined || isParts) {
    const bytes = await bytesOf(request, length, maxBytes[sender]).catch(failBroken);
    if (!isParts) readForm(utf8.decode(bytes), given);
    else if (bytes.byteLength > 0)
      await readFields(bytes, { contentType, maxFieldBytes: maxBytes[sender] }, given);
  } else readForm(await request.text().catch(failBroken), given);
  return given;
}

/** Refuses a form in a GET or HEAD request: its parameters would be ignored. Bodies of other types have none in any request. */
export function refuseForm(c: HttpRequest): void {
  const contentType = c.req.header("content-type");
  if (!contentType || kindOf(contentType) === "other") return;
  const length = c.req.header("content-length");
  const isEmpty = length === undefined ? !hasUndeclaredBody(c) : Number(length) === 0;
  if (!isEmpty)
    fail("BAD_REQUEST", "Send the parameters of a GET request in the query string, not in a body.");
}

type BodyKind = "fields" | "parts" | "other";

let last: { contentType: string; kind: BodyKind } = { contentType: "", kind: "fields" };

/** What a body of this type holds; keeps the last result, because most requests have the same type. */
function kindOf(contentType: string): BodyKind {
  if (last.contentType !== contentType) {
    const mediaType = contentType.split(";", 1)[0]?.trim().toLowerCase();
    const isForm = mediaType === "" || mediaType === "application/x-www-form-urlencoded";
    last = { contentType, kind: isMultipart(contentType) ? "parts" : isForm ? "fields" : "other" };
  }
  return last.kind;
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

/** The body's bytes; throws once a body of undeclared length exceeds `maxLength`. */
async function bytesOf(request: BodySource, length: string | undefined, maxLength: number) {
  if (length !== undefined) return new Uint8Array(await request.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.raw.body ?? []) {
    size += chunk.byteLength;
    if (size > maxLength) tooLarge(maxLength);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function tooLarge(maxLength: number): never {
  fail(
    "BODY_TOO_LARGE",
    wordedSentence(
      `The request is too large: at most ${maxLength} bytes are allowed.`,
      "The request is too large: at most {max} bytes are allowed.",
      { max: String(maxLength) },
    ),
  );
}

function failBroken(error: unknown): never {
  if (error instanceof AppError) throw error;
  fail("BAD_REQUEST", "The request ended before its body was complete.");
}

/** Adds the parameters of a URL's query string, whatever the method; those of the body win. */
export function readQuery({ url, query }: Queried, given: Map<string, string>): void {
  if (typeof query === "string") readForm(query, given);
  else if (url.includes("?")) readForm(url.slice(url.indexOf("?") + 1).split("#", 1)[0] as string, given);
}

interface Queried {
  readonly url: string;
  /** The query string, if it is at hand; the HTTP library has a function of this name. */
  readonly query?: unknown;
}
