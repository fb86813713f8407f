// The way of a request through a cluster: to the leader and, if that loses the lead before it has saved anything, to the next one.

import { AppError, notSaved } from "@/kernel/lib/errors.ts";
import {
  createUnsureError,
  type ForwardedRequest,
  findForwardedRequest,
  serveFor,
} from "@/kernel/store/forwarded-requests.ts";
import type { AnswerHeaders } from "./compression.ts";
import { type BodySource, type Endpoint, RawAnswer } from "./endpoint.ts";
import type { Entered, Forwarder } from "./forwarding.ts";

interface Options {
  readonly forwarder: Forwarder;
  readonly endpoint: Endpoint;
  readonly req: BodySource & { raw: Request };
  /** That of HTTP, such as 1.1, if it is known. */
  readonly version: string | undefined;
  /** For the answer. */
  readonly headers: AnswerHeaders;
  readEntered(): Entered;
}

/** After this time, the client may have sent the request again by itself. */
const patienceMs = 8_000;

export class ForwardingRuns {
  private readonly since = performance.now();
  private done: readonly unknown[] = [];
  /** What this node has done of it. */
  private own: Pick<ForwardedRequest, "term" | "effect"> = { term: 0, effect: "none" };

  constructor(private readonly options: Options) {}

  /** The answer of another node that leads; null if this one is to answer. */
  async pass(): Promise<Response | null> {
    const { forwarder, req, headers, readEntered: entered } = this.options;
    if (forwarder.leads) return null;
    const { raw } = req;
    const asked = { raw, hasNoBody: this.hasNoBody, arrayBuffer: () => req.arrayBuffer() };
    const answer = await forwarder.pass(asked, entered());
    if (!(answer instanceof Response)) {
      const { body, done } = answer;
      this.done = done;
      const { url, method, headers, signal } = raw;
      if (body) req.raw = new Request(url, { method, headers, signal, body });
      return null;
    }
    for (const [name, value] of Object.entries(headers)) {
      if (name.startsWith("x-ratelimit-")) answer.headers.set(name, value);
    }
    return answer;
  }

  serve<T>(run: () => T | Promise<T>): Promise<T> {
    const { term } = this.options.forwarder;
    return serveFor({ id: "", term, done: this.done }, (passed) => {
      this.own = passed;
      return run();
    });
  }

  /** Whether the request failed only because this node no longer leads, or not in the same term, and can be sent to the next leader. */
  mayGoOn(error: unknown): boolean {
    const { forwarder, endpoint, req } = this.options;
    const { term, effect } = this.own;
    const isRepeatable =
      endpoint.body === null && (this.hasNoBody || req.header("content-length") !== undefined);
    const isRefused = error instanceof AppError && error.message === notSaved;
    if (!isRefused || effect !== "none" || !isRepeatable || (forwarder.leads && forwarder.term === term))
      return false;
    return performance.now() - this.since < patienceMs;
  }

  /** With HTTP/2, a body needs none of these headers. */
  private get hasNoBody(): boolean {
    const { endpoint, req, version } = this.options;
    const hasHeader = ["content-length", "transfer-encoding"].some((name) => req.header(name) !== undefined);
    return endpoint.method === "GET" || (version === "1.1" && !hasHeader);
  }
}

interface Run<T> {
  readonly endpoint: Pick<Endpoint, "keeps">;
  readonly run: () => T | Promise<T>;
  /** Of the answer. */
  readonly cookies: readonly string[];
}

/**
 * Runs an endpoint on a node. If the log has writes of its request already, the answer must follow from their results alone: the
 * endpoint may not stop earlier, because it sees their effects, and may not write more.
 */
export async function runOnce<T>({ endpoint, run, cookies }: Run<T>): Promise<T> {
  const passed = findForwardedRequest();
  if (passed) passed.keeps = endpoint.keeps;
  if (!passed || passed.done.length === 0) return run();
  let answer: T;
  try {
    answer = await run();
  } catch (cause) {
    throw createUnsureError(cause);
  }
  const isBare = endpoint.keeps === "results" ? !(answer instanceof RawAnswer) : answer === undefined;
  const isComplete = isBare && cookies.length === 0 && passed.begun === passed.done.length;
  if (endpoint.keeps === "nothing" || !isComplete) throw createUnsureError();
  return answer;
}
