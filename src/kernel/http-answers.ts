// What leaves: results wrapped, errors worded.
import { compressed } from "./compression.ts";
import { type Answer, JsonAnswer } from "./endpoint.ts";
import { AppError } from "./errors.ts";
import { jsonOf, tagOf } from "./json-text.ts";
import type { Log } from "./log.ts";

export type AnswerHeaders = Record<string, string>;

/** Takes `cost` requests from a caller's budget; writes what is left into `headers`, and throws RATE_LIMIT_HIT. */
export type Charge = (
  caller: { userId: number } | { address: string },
  cost: 0 | 1,
  headers: AnswerHeaders,
) => void;

export const jsonHeaders = {
  "content-type": "application/json",
  "x-content-type-options": "nosniff",
  // Whatever it says, it says to who asked, and as of now.
  "cache-control": "private, no-cache",
};

interface Asking {
  readonly method: string;
  header(name: string): string | undefined;
}

/** A result wrapped, compressed as the client accepts it, or 304 where the client has it already. */
export function successResponse(
  request: Asking,
  result: Answer,
  { ignored, headers }: { ignored: string[]; headers: AnswerHeaders },
): Response {
  const tag = request.method === "GET" && ignored.length === 0 ? tagOf(result) : null;
  if (tag !== null) {
    headers.etag = tag;
    if (hasAlready(request.header("if-none-match"), tag)) return new Response(null, { status: 304, headers });
  }
  const body = compressed(wrap(result, ignored), request.header("accept-encoding"), headers);
  return new Response(body, { headers });
}

/** A result as the body of a successful answer. */
function wrap(result: Answer, ignored: string[]): string | Uint8Array<ArrayBuffer> {
  const unsupported = ignored.length > 0 ? { ignored_parameters_unsupported: ignored } : undefined;
  if (result instanceof JsonAnswer) {
    return unsupported ? `${result.text.slice(0, -1)},${JSON.stringify(unsupported).slice(1)}` : result.text;
  }
  return jsonOf({ result: "success", msg: "", ...result, ...unsupported });
}

/** Whether a client that sends `If-None-Match` has an answer with this tag already. */
function hasAlready(known: string | undefined, tag: string): boolean {
  if (known === undefined) return false;
  return known
    .split(",")
    .some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === tag.slice(2));
}

/** Words an error for the client; one that is not an AppError is a bug, and is logged in full. */
export function errorResponse(
  error: unknown,
  { operation, log, headers }: { operation: string; log: Log; headers: AnswerHeaders },
): Response {
  if (!(error instanceof AppError)) {
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
    log.error("bug", { operation, error: fault });
    const worded = "Something went wrong in the server; the fault is in its log.";
    return errorResponse(new AppError("INTERNAL_ERROR", worded), { operation, log, headers });
  }
  if (error.cause) log.error("store", { operation, error: String(error.cause) });
  if (error.status === 401) headers["www-authenticate"] = 'Basic realm="confab"';
  const retryAfter = error.data["retry-after"];
  // The header knows whole seconds alone.
  if (typeof retryAfter === "number") headers["retry-after"] = String(Math.ceil(retryAfter));
  return new Response(JSON.stringify(error.toWire()), { status: error.status, headers });
}
