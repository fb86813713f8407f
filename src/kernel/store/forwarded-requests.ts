// What a cluster remembers of a request while its leader may die (docs/decisions/unconfirmed-writes.md): an entry of the log names
// the requests that it belongs to, with the results of their writes. The next leader then runs the request again with these results
// in place of the writes, and gives its answer.
import { AsyncLocalStorage } from "node:async_hooks";
import { AppError } from "@/kernel/lib/errors.ts";

/** A write of a request, in the log: its number among the writes of that request, and its result; the number is -1 if not kept. */
export type MadeWrite = readonly [id: string, n: number, result?: unknown];

/**
 * What the log keeps of the writes of an endpoint's requests: `results`; `success`, which is enough if the endpoint answers nothing
 * else; or `nothing`.
 */
export type LoggedPart = "nothing" | "success" | "results";

/** A request as the node that answers it gets it. */
export interface ReceivedRequest {
  /** By which the log names it; "" if it came to this node itself. */
  readonly id: string;
  /** The term of the leader when the request came; it writes in no later one. */
  readonly term: number;
  /** The results of its first writes, which the log has already. */
  readonly done: readonly unknown[];
}

export interface ForwardedRequest extends ReceivedRequest {
  keeps: LoggedPart;
  /** How many writes it has begun, with those that the log had already. */
  begun: number;
  /** What has come of the writes of this run: `unknown` if the log may have one that was refused. */
  effect: "none" | "some" | "unknown";
  /** What is written after the answer does not belong to it. */
  isAnswered: boolean;
}

/** The log has writes of the request, and what they answered cannot be found out. */
export const savedUnanswered =
  "The server saved this, or a part of it, and failed before it could answer. Please look before you try again.";

/** Longer results are not kept, in characters of JSON. */
const maxResult = 2_000;

const current = new AsyncLocalStorage<ForwardedRequest | undefined>();

/** Serves a request that its sender may have to send again if this leader dies. */
export async function serveFor<T>(
  request: ReceivedRequest,
  serve: (passed: ForwardedRequest) => T | Promise<T>,
): Promise<T> {
  const passed: ForwardedRequest = {
    ...request,
    keeps: "nothing",
    begun: 0,
    effect: "none",
    isAnswered: false,
  };
  try {
    return await current.run(passed, () => serve(passed));
  } finally {
    passed.isAnswered = true;
  }
}

/** The request that a write belongs to; undefined on a standalone server, and after the answer. */
export function findForwardedRequest(): ForwardedRequest | undefined {
  const passed = current.getStore();
  return passed?.isAnswered ? undefined : passed;
}

/** The log has writes of the request, and its answer cannot be found out. */
export function createUnsureError(cause?: unknown): AppError {
  const error = new AppError("UNSURE", savedUnanswered);
  error.cause = cause;
  return error;
}

/** Does work that does not belong to the request which begins it. */
export function runApart<T>(work: () => T): T {
  return current.run(undefined, work);
}

/** What the log keeps of a write. */
export function toMadeWrite({ id, keeps }: ForwardedRequest, n: number, result: unknown): MadeWrite {
  if (keeps === "nothing") return [id, -1];
  if (result === undefined) return [id, n];
  return keeps === "results" && isPlain(result) ? [id, n, result] : [id, -1];
}

/** Whether JSON can hold it, in few characters. */
function isPlain(value: unknown): boolean {
  const text = JSON.stringify(value);
  return text !== undefined && text.length <= maxResult && Bun.deepEquals(JSON.parse(text), value, true);
}
