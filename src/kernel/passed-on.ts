// Which writes belong to a request that another node has passed on: if this node dies, that one looks for them in the log.
import { AsyncLocalStorage } from "node:async_hooks";

export interface PassedOn {
  readonly id: string;
  /** The term of the leader when the request came; it writes in no later one. */
  readonly term: number;
  /** What is written after the answer does not belong to it. */
  isAnswered: boolean;
}

const current = new AsyncLocalStorage<PassedOn>();

/** Serves a request that another node has passed on. */
export async function serveFor<T>(
  request: Pick<PassedOn, "id" | "term">,
  serve: () => T | Promise<T>,
): Promise<T> {
  const passed = { ...request, isAnswered: false };
  try {
    return await current.run(passed, serve);
  } finally {
    passed.isAnswered = true;
  }
}

/** The request that a write belongs to; undefined if it came to this node itself, or is answered. */
export function passedOn(): PassedOn | undefined {
  const passed = current.getStore();
  return passed?.isAnswered ? undefined : passed;
}
