// The short way of usual requests: from node:http to an endpoint and back, without building a web Request, Headers and
// Response for each. Whatever is unusual goes through @hono/node-server and Hono, which answer the same.
import type { IncomingMessage, ServerResponse } from "node:http";
import { EndedJson } from "./ended-json.ts";
import type { RawAnswer } from "./endpoint.ts";
import { type HttpApp, responseTo } from "./http.ts";
import { Pieces } from "./long-answers.ts";
import type { Answered, Asked } from "./request-runner.ts";
import { ShortRequest } from "./short-request.ts";

/** Sends a response by the HTTP library. */
type Send = (incoming: IncomingMessage, outgoing: ServerResponse, response: Response) => void;

/** Answers a request and returns true, or leaves it alone and returns false. */
export type ShortWay = (incoming: IncomingMessage, outgoing: ServerResponse, byLibrary: Send) => boolean;

/** Queries that a URL parser would leave as they are. */
const plainQuery = /^[\w!$%&()*+,./:;=?@[\]~-]*$/;

interface Options {
  /** Asked before each request. */
  readonly refusalOf: (request: ShortRequest) => RawAnswer | null;
  /** Requests with this header, whose name is in lower case, take the long way. */
  readonly longWith?: string | undefined;
}

export function shortWay(app: Pick<HttpApp, "runnerFor">, { refusalOf, longWith }: Options): ShortWay {
  return (incoming, outgoing, byLibrary) => {
    const { method = "", url = "" } = incoming;
    if (incoming.httpVersion !== "1.1") return false;
    const mark = url.indexOf("?");
    const run = app.runnerFor(method, mark < 0 ? url : url.slice(0, mark));
    if (!run || (mark >= 0 && !plainQuery.test(url.slice(mark)))) return false;
    const request = new ShortRequest(incoming, outgoing);
    if (!request.isUsual || (longWith !== undefined && request.header(longWith) !== undefined)) return false;
    const exchange = { incoming, outgoing, request, byLibrary };
    const refusal = refusalOf(request);
    if (refusal) answer(exchange, { own: refusal, cookies: [] });
    else {
      const asked: Asked = { env: { incoming, outgoing }, req: request };
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
  request: ShortRequest;
  byLibrary: Send;
}

function answer(
  { incoming, outgoing, request, byLibrary }: Exchange,
  answered: Answered,
): void | Promise<void> {
  const { own } = answered;
  const isPlain = own && answered.cookies.length === 0 && !(own.body instanceof ReadableStream);
  // The library also knows what to do about a body that nobody has read.
  if (isPlain && !request.hasUnreadBody) {
    const { status, headers, body } = own;
    outgoing.statusCode = status;
    // Not `writeHead`, after which the length of the body would not be sent.
    for (const name in headers) outgoing.setHeader(name, headers[name] as string);
    if (body instanceof Pieces) return sendPieces(body, outgoing);
    if (body instanceof EndedJson) body.send(outgoing);
    else if (body === null) outgoing.end();
    else outgoing.end(body);
  } else byLibrary(incoming, outgoing, responseTo(answered));
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
