// The short way of usual requests: from node:http to an endpoint and back, without building a web Request, Headers and
// Response for each. Whatever is unusual goes through @hono/node-server and Hono, which answer the same.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { RawAnswer } from "./endpoint.ts";
import { type HttpApp, responseTo } from "./http.ts";
import { Pieces } from "./long-answers.ts";
import type { Answered, Asked } from "./request-runner.ts";

/** Sends a response by the HTTP library. */
type Send = (incoming: IncomingMessage, outgoing: ServerResponse, response: Response) => void;

/** Answers a request and returns true, or leaves it alone and returns false. */
export type ShortWay = (incoming: IncomingMessage, outgoing: ServerResponse, byLibrary: Send) => boolean;

/** Larger bodies, and those without a declared length, take the long way. */
const maxBodyBytes = 65_536;
/** Hosts and queries that a URL parser would leave as they are. */
const plainHost = /^[a-z0-9._-]+(?::(?:[1-5]\d|[1-9])\d{3})?$/;
const plainQuery = /^[\w!$%&()*+,./:;=?@[\]~-]*$/;

const utf8 = new TextDecoder();

/** `refusalOf` is asked before each request. */
export function shortWay(
  app: Pick<HttpApp, "runnerFor">,
  refusalOf: (request: ShortRequest) => RawAnswer | null,
): ShortWay {
  return (incoming, outgoing, byLibrary) => {
    const { method = "", url = "" } = incoming;
    if (incoming.httpVersion !== "1.1") return false;
    const mark = url.indexOf("?");
    const run = app.runnerFor(method, mark < 0 ? url : url.slice(0, mark));
    if (!run || (mark >= 0 && !plainQuery.test(url.slice(mark)))) return false;
    const request = new ShortRequest(incoming);
    if (!request.isUsual) return false;
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
    if (body === null) outgoing.end();
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

/** A request of node:http in the form in which runners read it. */
class ShortRequest {
  readonly method: string;
  hasUnreadBody: boolean;
  private readonly fields: readonly string[];
  private readonly host: string | undefined;

  constructor(private readonly incoming: IncomingMessage) {
    this.method = incoming.method ?? "";
    this.fields = incoming.rawHeaders;
    this.host = this.header("host");
    this.hasUnreadBody = this.method !== "GET";
  }

  get isUsual(): boolean {
    if (this.host === undefined || !plainHost.test(this.host)) return false;
    if (!this.hasUnreadBody) return true;
    const length = this.header("content-length");
    return length !== undefined && Number(length) <= maxBodyBytes;
  }

  get url(): string {
    return `http://${this.host}${this.incoming.url}`;
  }

  get query(): string {
    const { url = "" } = this.incoming;
    const mark = url.indexOf("?");
    return mark < 0 ? "" : url.slice(mark + 1);
  }

  /** For what only a web Request can tell. It has no body. */
  get raw(): Request {
    const headers = new Headers();
    for (let i = 0; i < this.fields.length; i += 2) {
      headers.append(this.fields[i] as string, this.fields[i + 1] as string);
    }
    return new Request(this.url, { method: this.method, headers });
  }

  get headers(): { get(name: string): string | null } {
    return { get: (name) => this.header(name) ?? null };
  }

  /** All fields of a name, joined as a web Request joins them; `name` is in lower case. */
  header(name: string): string | undefined {
    const { fields } = this;
    let found: string | undefined;
    for (let i = 0; i < fields.length; i += 2) {
      const field = fields[i] as string;
      if (!isNamed(field, name)) continue;
      const value = fields[i + 1] as string;
      found = found === undefined ? value : `${found}${name === "cookie" ? "; " : ", "}${value}`;
    }
    return found;
  }

  param(): undefined {}

  async text(): Promise<string> {
    return utf8.decode(await this.bytes());
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const bytes = await this.bytes();
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  }

  private bytes(): Promise<Buffer> {
    const { incoming } = this;
    return new Promise((resolve, reject) => {
      const pieces: Buffer[] = [];
      incoming.on("data", (piece: Buffer) => pieces.push(piece));
      incoming.on("end", () => {
        this.hasUnreadBody = false;
        resolve(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces));
      });
      incoming.on("error", reject);
      incoming.on("close", () => {
        if (this.hasUnreadBody) reject(new Error("The client closed the connection."));
      });
    });
  }
}

/**
 * Whether a field has this name, which is in lower case. Names are ASCII without control characters, so one bit turns a letter
 * into lower case and changes nothing else; `toLowerCase` would create a string for each field of each request.
 */
function isNamed(field: string, name: string): boolean {
  if (field.length !== name.length) return false;
  for (let i = 0; i < name.length; i++) {
    if ((field.charCodeAt(i) | 0x20) !== name.charCodeAt(i)) return false;
  }
  return true;
}
