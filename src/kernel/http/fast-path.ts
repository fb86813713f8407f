// The fast path of usual requests: from node:http to an endpoint and back, without building a web Request, Headers and
// Response for each. Whatever is unusual goes through @hono/node-server and Hono, which answer the same.
import type { IncomingMessage, ServerResponse } from "node:http";
import { EndedJson } from "@/kernel/lib/ended-json.ts";
import { Pieces } from "@/kernel/lib/long-answers.ts";
import type { Answered, RawAnswer } from "./endpoint.ts";
import { FastRequest } from "./fast-request.ts";
import type { Forwarder } from "./forwarding.ts";
import { type HttpApp, responseTo } from "./http.ts";
import type { RunnableRequest } from "./request-runner.ts";

/** Sends a response by the HTTP library. */
type Send = (incoming: IncomingMessage, outgoing: ServerResponse, response: Response) => void;

/** Answers a request and returns true, or leaves it alone and returns false. */
export type FastPath = (incoming: IncomingMessage, outgoing: ServerResponse, byLibrary: Send) => boolean;

/** Queries that a URL parser would leave as they are. */
const plainQuery = /^[\w!$%&()*+,./:;=?@[\]~-]*$/;

/** A longer answer of another node is sent on piece by piece. */
const fewBytes = 65_536;

interface Options {
  /** Asked before each request of a client. */
  readonly refusalOf: (request: FastRequest) => RawAnswer | null;
  /** Called before each request that another node has passed on, and checked. */
  readonly onForwarded?: () => void;
  /** Receives requests of other nodes. */
  readonly forwarder?: Pick<Forwarder, "mark" | "receive"> | undefined;
}

export function fastPath(app: Pick<HttpApp, "runnerFor">, options: Options): FastPath {
  const { refusalOf, onForwarded, forwarder } = options;
  return (incoming, outgoing, byLibrary) => {
    const { method = "", url = "" } = incoming;
    if (incoming.httpVersion !== "1.1") return false;
    const mark = url.indexOf("?");
    const run = app.runnerFor(method, mark < 0 ? url : url.slice(0, mark));
    if (!run || (mark >= 0 && !plainQuery.test(url.slice(mark)))) return false;
    const request = new FastRequest(incoming, outgoing);
    if (!request.isUsual) return false;
    const exchange = { incoming, outgoing, request, byLibrary };
    if (forwarder && request.header(forwarder.mark) !== undefined) {
      const answering = forwarder.receive(request, (entered) => {
        onForwarded?.();
        return run({ env: { incoming, outgoing, entered }, req: request });
      });
      void answerLater(exchange, answering);
      return true;
    }
    const refusal = refusalOf(request);
    if (refusal) answer(exchange, { own: refusal, cookies: [] });
    else {
      const asked: RunnableRequest = { env: { incoming, outgoing }, req: request };
      void answerLater(exchange, run(asked));
    }
    return true;
  };
}

/** What cannot be written ends this connection, not the server. */
async function answerLater(exchange: Exchange, running: Promise<Answered>): Promise<void> {
  try {
    const answering = answer(exchange, await running);
    if (answering) await answering;
  } catch (error) {
    exchange.outgoing.destroy(error as Error);
  }
}

interface Exchange {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  request: FastRequest;
  byLibrary: Send;
}

function answer(
  { incoming, outgoing, request, byLibrary }: Exchange,
  answered: Answered,
): void | Promise<void> {
  const { own } = answered;
  const isPlain = own && !(own.body instanceof ReadableStream);
  // The library also knows what to do about a body that nobody has read.
  if (isPlain && !request.hasUnreadBody) {
    const { status, headers, body } = own;
    outgoing.statusCode = status;
    // Not `writeHead`, after which the length of the body would not be sent.
    for (const name in headers) outgoing.setHeader(name, headers[name] as string);
    if (answered.cookies.length > 0) outgoing.setHeader("set-cookie", answered.cookies);
    if (body instanceof Pieces) return sendPieces(body, outgoing);
    if (body instanceof EndedJson) body.send(outgoing);
    else if (body === null) outgoing.end();
    else outgoing.end(body);
    return;
  }
  if (!own && !request.hasUnreadBody && isFew(answered.passed)) return sendOn(answered.passed, outgoing);
  byLibrary(incoming, outgoing, responseTo(answered));
}

function isFew({ headers, body }: Response): boolean {
  const length = headers.get("content-length");
  return body !== null && length !== null && Number(length) <= fewBytes;
}

/** Sends another node's short answer. */
async function sendOn(response: Response, outgoing: ServerResponse): Promise<void> {
  const body = await response.arrayBuffer();
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) {
    if (name !== "set-cookie") outgoing.setHeader(name, value);
  }
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) outgoing.setHeader("set-cookie", cookies);
  outgoing.end(new Uint8Array(body));
}

/** Sends a long body no faster than the client reads it. */
async function sendPieces(body: Pieces, outgoing: ServerResponse): Promise<void> {
  for await (const piece of body) {
    if (outgoing.destroyed) return;
    if (!outgoing.write(piece)) await mayGoOn(outgoing);
  }
  outgoing.end();
}

/** Waits until the client has read what was sent, or has hung up. */
function mayGoOn(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      outgoing.off("drain", go);
      outgoing.off("close", go);
      resolve();
    };
    outgoing.on("drain", go);
    outgoing.on("close", go);
  });
}
