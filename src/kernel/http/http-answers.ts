// Turns results and errors into HTTP responses.

import { EndedJson } from "@/kernel/lib/ended-json.ts";
import { AppError, type Sentence } from "@/kernel/lib/errors.ts";
import { tagOf } from "@/kernel/lib/json-text.ts";
import type { Log } from "@/kernel/lib/log.ts";
import { type Body, bytesOf, finishBody, JsonAnswer, jsonBody, Pieces } from "@/kernel/lib/long-answers.ts";
import { type AnswerHeaders, compressBody, compressing, readableOf } from "./compression.ts";
import { type Answer, type AuthDoor, RawAnswer } from "./endpoint.ts";
import type { Entered } from "./forwarding.ts";

/** Counts `cost` requests against a caller's rate limit; writes what is left to `headers`, or throws RATE_LIMIT_HIT. */
export type Charge = (
  caller: { userId: number } | { address: string },
  cost: 0 | 1,
  headers: AnswerHeaders,
) => void;

/** The part of the HTTP library's response that is needed to stop clients that read too slowly. */
export interface AnswerSink {
  on(event: "close", listener: () => void): unknown;
  readonly socket?: { destroy(): unknown } | null;
  /** Without HTTP/2. */
  readonly destroyed?: boolean;
  /** Only with HTTP/2. */
  readonly stream?: { readonly destroyed: boolean; close(code: number): unknown };
}

/** Whether the client has hung up: then `close` was emitted already, and will not be again. */
export function hasHungUp(sink: AnswerSink): boolean {
  return sink.stream?.destroyed ?? sink.destroyed ?? false;
}

/** An answer that is generated while it is read, such as a file: one piece waits for the client, and the next is ready. */
const generatedBytes = 262_144;

/** What the HTTP library passes along with a request; absent in tests. */
export interface NodeParts {
  incoming?: {
    httpVersion?: string;
    socket?: { remoteAddress?: string };
    /** Only over HTTP/2. */
    readonly stream?: { readonly endAfterHeaders: boolean };
  };
  outgoing?: AnswerSink;
  /** Set if another node has passed the request on. */
  entered?: Entered;
}

/** Called for each answer with a body, before it is sent. */
export type AnswerListener = (sink: AnswerSink, bytes: number) => void;

/** Returns `body`, and calls `listener` unless it is empty or the client has hung up. */
export function noteAnswer<B>(body: B, env: unknown, listener: AnswerListener | undefined): B {
  const { outgoing } = (env ?? {}) as NodeParts;
  if (!listener || !outgoing || hasHungUp(outgoing)) return body;
  const bytes = bytesWaiting(body);
  if (bytes > 0) listener(outgoing, bytes);
  return body;
}

/** As `noteAnswer`, for another node's answer: it arrives as the client reads it, except for what waits at each moment. */
export function noteForwarded(
  passed: Response,
  env: unknown,
  listener: AnswerListener | undefined,
): Response {
  const { outgoing } = (env ?? {}) as NodeParts;
  if (!listener || !outgoing || !passed.body || hasHungUp(outgoing)) return passed;
  const length = Number(passed.headers.get("content-length") ?? generatedBytes);
  if (length > 0) listener(outgoing, Math.min(length, generatedBytes));
  return passed;
}

/** How many bytes an answer takes until the client has read it. */
function bytesWaiting(body: unknown): number {
  if (body instanceof Pieces || body instanceof EndedJson) return body.length;
  if (typeof body === "string") return Buffer.byteLength(body);
  if (body instanceof ReadableStream) return generatedBytes;
  return body instanceof Uint8Array ? body.byteLength : 0;
}

export const jsonHeaders = {
  "content-type": "application/json",
  "x-content-type-options": "nosniff",
  // An answer is for its requester only, and may be outdated by the next request.
  "cache-control": "private, no-cache",
};

interface Asking {
  readonly method: string;
  header(name: string): string | undefined;
}

/** Wraps a result and compresses it as the client accepts; answers 304 if the client has it already. */
export function successAnswer(
  request: Asking,
  result: Answer,
  how: { ignored: string[]; headers: AnswerHeaders; note: <B>(body: B) => B },
): RawAnswer | Promise<RawAnswer> {
  const { ignored, headers } = how;
  const isRead = request.method === "GET" || request.method === "HEAD";
  const mayHaveTag = isRead && ignored.length === 0 && !(result instanceof JsonAnswer);
  const tag = mayHaveTag ? tagOf(result) : null;
  if (tag !== null) {
    headers.etag = tag;
    if (hasAlready(request.header("if-none-match"), tag)) {
      headers.vary = "Accept-Encoding";
      return new RawAnswer(null, headers, 304);
    }
  }
  const body = wrap(result, ignored);
  const sending = { ...how, tag };
  return body instanceof Promise
    ? body.then((ready) => sendBody(request, ready, sending))
    : sendBody(request, body, sending);
}

function sendBody(
  request: Asking,
  body: Body | EndedJson,
  { headers, note, tag }: { headers: AnswerHeaders; note: <B>(body: B) => B; tag: string | null },
): RawAnswer {
  const accepted = request.header("accept-encoding");
  if (Array.isArray(body)) {
    const sending = compressing(note(new Pieces(body)), accepted, { headers, tag });
    if (sending instanceof Pieces) headers["content-length"] = String(sending.length);
    return new RawAnswer(sending, headers);
  }
  return new RawAnswer(note(compressBody(body, accepted, headers)), headers);
}

/**
 * Compresses a text that is not the usual JSON object, such as a page. Bytes are left as they are: files and pictures are
 * compressed already. So are pages that no cache may store: a secret in them could be guessed from their compressed length.
 */
export function compressText(request: Asking, answer: RawAnswer): RawAnswer {
  const { body, headers, status, refusal } = answer;
  if (typeof body !== "string" || mayHoldSecret(headers)) return answer;
  const own = { ...headers };
  return new RawAnswer(compressBody(body, request.header("accept-encoding"), own), own, status, refusal);
}

function mayHoldSecret(headers: AnswerHeaders): boolean {
  return headers["cache-control"] === "no-store" && headers["content-type"]?.startsWith("text/html") === true;
}

/** A result as the body of a successful answer. */
function wrap(result: Answer, ignored: string[]): Body | EndedJson | Promise<Body> {
  const unsupported = ignored.length > 0 ? { ignored_parameters_unsupported: ignored } : undefined;
  if (result instanceof JsonAnswer) {
    const { json } = result;
    if (!unsupported) return finishBody(json);
    const bytes = bytesOf(json);
    const end = Buffer.from(`,${JSON.stringify(unsupported).slice(1)}`);
    return finishBody(Buffer.concat([bytes.subarray(0, -1), end]));
  }
  return jsonBody({ result: "success", msg: "", ...result, ...unsupported });
}

/** Whether a client that sends `If-None-Match` has an answer with this tag already. */
function hasAlready(known: string | undefined, tag: string): boolean {
  if (known === undefined) return false;
  return known
    .split(",")
    .some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === tag.slice(2));
}

/** Turns an error into an answer. An error that is not an AppError is a bug, and is logged in full. */
export function errorAnswer(
  error: unknown,
  how: {
    operation: string;
    log: Log;
    headers: AnswerHeaders;
    door?: AuthDoor;
    /** In the language of who reads it; by default in English. */
    say?: (sentence: Sentence) => string;
  },
): RawAnswer {
  const { operation, log, headers, door, say } = how;
  if (!(error instanceof AppError)) {
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
    log.error("unhandled_error", { operation, error: fault });
    const worded = "Something went wrong in the server. Its log has the error.";
    return errorAnswer(new AppError("INTERNAL_ERROR", worded), how);
  }
  if (error.cause) log.error("write_failed", { operation, error: String(error.cause) });
  // Pages do not get "Basic", which would make the browser ask for a password.
  if (error.status === 401)
    headers["www-authenticate"] = `${door === "session" ? "Session" : "Basic"} realm="confab"`;
  const retryAfter = error.data["retry-after"] ?? error.kind.retryAfter;
  // The header takes whole seconds only.
  if (typeof retryAfter === "number") headers["retry-after"] = String(Math.ceil(retryAfter));
  return new RawAnswer(JSON.stringify(error.toWire(say?.(error.sentence))), headers, error.status);
}

export function responseOf(answer: RawAnswer): Response {
  const { body } = answer;
  if (body instanceof Pieces) return new Response(readableOf(body), answer);
  return new Response(body instanceof EndedJson ? body.whole() : body, answer);
}
