// What leaves: results wrapped, errors worded.
import { type Answer, JsonAnswer } from "./endpoint.ts";
import { AppError } from "./errors.ts";
import type { Log } from "./log.ts";

export type AnswerHeaders = Record<string, string>;

/** Takes `cost` requests from a caller's budget; writes what is left into `headers`, and throws RATE_LIMIT_HIT. */
export type Charge = (
  caller: { userId: number } | { address: string },
  cost: 0 | 1,
  headers: AnswerHeaders,
) => void;

export const jsonHeaders = { "content-type": "application/json", "x-content-type-options": "nosniff" };

/** A result as the text of a successful answer. */
export function wrap(result: Answer, ignored: string[]): string {
  const unsupported = ignored.length > 0 ? { ignored_parameters_unsupported: ignored } : undefined;
  if (result instanceof JsonAnswer) {
    return unsupported ? `${result.text.slice(0, -1)},${JSON.stringify(unsupported).slice(1)}` : result.text;
  }
  return JSON.stringify({ result: "success", msg: "", ...result, ...unsupported });
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
