// What the HTTP library leaves to us: limits how long requests take, and answers malformed ones in JSON.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { ServerHttp2Stream } from "node:http2";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { englishOnly } from "@/kernel/lib/errors.ts";
import { cancelled } from "@/unread-answers.ts";
import { jsonHeaders } from "./kernel/http/http-answers.ts";
import { AppError, type CommonError } from "./kernel/lib/errors.ts";
import type { LogUnreadable } from "./unreadable-requests.ts";

type Request = IncomingMessage & { stream?: ServerHttp2Stream };

/** A socket of HTTP/1.1 or a session of HTTP/2. */
interface Connection {
  once(event: "close", listener: () => void): unknown;
  destroy(): unknown;
}

interface Use {
  requests: number;
  idleSince: number;
}

/** A request whose body has not arrived completely, and its response. */
interface PendingRequest {
  request: Request;
  response: ServerResponse;
}

/** Finds the request whose body arrives on a socket; null if the socket waits for a new request. */
export type ArrivingOn = (socket: Duplex) => PendingRequest | null;

interface Arrival {
  response: ServerResponse;
  begun: number;
  /** When its last part arrived. */
  progressed: number;
}

export interface Connections {
  /** Closes all connections, also those with a request under way. */
  closeAll(): void;
}

export interface Patience {
  /** How long a connection may stay open without a request. */
  idleMs: number;
  /** How long a request may take to arrive. */
  arrivalMs: number;
  /** How long a request may pause while it arrives. */
  stallMs: number;
}

/** Max size of a request's address and headers together: room for 5,000 IDs of ten digits in a query. */
export const maxHeadBytes = 131_072;
const sweepsInPatience = 8;
/** While a request arrives. */
const looksInPatience = 60;
const announcesBody = /^(?:content-length|transfer-encoding)$/i;
/** A refused client may go on sending for `lingerMs`. The connection ends once it was quiet for `quietMs`. */
const lingerMs = 2_000;
const quietMs = 100;

/** Closes idle connections with TLS; the HTTP library itself closes those without. */
export function watchIdle(server: Server, { idleMs }: Patience): Connections {
  const uses = new Map<Connection, Use>();
  const noteOpened = (connection: Connection) => {
    uses.set(connection, { requests: 0, idleSince: performance.now() });
    connection.once("close", () => uses.delete(connection));
  };

  server.on("session", noteOpened);
  server.on("secureConnection", (socket: TLSSocket) => {
    if (socket.alpnProtocol !== "h2") noteOpened(socket);
  });
  server.on("request", (request: Request, response: ServerResponse) => {
    const use = uses.get(request.stream?.session ?? (request.socket as TLSSocket));
    if (!use) return;
    use.requests++;
    response.once("close", () => {
      Object.assign(use, { requests: use.requests - 1, idleSince: performance.now() });
    });
  });
  sweepEvery(server, idleMs, (now) => {
    for (const [connection, { requests, idleSince }] of uses) {
      if (requests === 0 && now - idleSince > idleMs) connection.destroy();
    }
  });
  return {
    closeAll() {
      for (const connection of uses.keys()) connection.destroy();
    },
  };
}

/** Ends requests whose bodies stop arriving, or take too long in total. */
export function watchArrivals(
  server: Server,
  { arrivalMs, stallMs }: Patience,
  log: LogUnreadable,
): ArrivingOn {
  const arriving = new Map<Request, Arrival>();
  /** Those that are watched, also after they were answered. */
  const watched = new WeakMap<Duplex, PendingRequest>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let fresh: PendingRequest[] = [];
  const watch = ({ request, response }: PendingRequest, begun: number) => {
    const arrival = { response, begun, progressed: begun };
    arriving.set(request, arrival);
    watched.set(request.socket, { request, response });
    // Nothing wakes an idle server.
    timer ??= setInterval(sweep, Math.min(arrivalMs, stallMs) / looksInPatience);
    timer.unref();
    const { push } = request;
    // Every chunk passes here, read or not; a `data` listener would start the flow before there is a reader.
    request.push = (chunk: unknown, encoding?: BufferEncoding) => {
      if (chunk === null) arriving.delete(request);
      else arrival.progressed = performance.now();
      return push.call(request, chunk, encoding);
    };
  };
  // Most bodies arrive together with their heads, and need no watch.
  const watchRest = () => {
    const begun = performance.now();
    for (const asked of fresh) if (!asked.request.complete && !asked.request.destroyed) watch(asked, begun);
    fresh = [];
  };
  server.on("request", (request: Request, response: ServerResponse) => {
    if (hasBody(request) && fresh.push({ request, response }) === 1) setImmediate(watchRest);
  });
  const sweep = () => {
    const now = performance.now();
    for (const [request, { response, begun, progressed }] of arriving) {
      const isLate = now - begun > arrivalMs || now - progressed > stallMs;
      if (isLate && !request.complete && !request.destroyed) cutOff({ request, response }, log);
      if (isLate || request.destroyed) arriving.delete(request);
    }
    if (arriving.size === 0) stop();
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  server.once("close", stop);
  return (socket) => {
    const asked = fresh.findLast(({ request }) => request.socket === socket) ?? watched.get(socket);
    return asked && !asked.request.complete ? asked : null;
  };
}

function hasBody({ method, rawHeaders }: Request): boolean {
  if (method !== "GET" && method !== "HEAD") return true;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (announcesBody.test(rawHeaders[i] as string)) return true;
  }
  return false;
}

function sweepEvery(server: Server, patienceMs: number, sweep: (now: number) => void): void {
  const timer = setInterval(() => sweep(performance.now()), patienceMs / sweepsInPatience);
  // A server that fails to listen never emits `close`; the timer must not keep its process alive.
  timer.unref();
  server.once("close", () => clearInterval(timer));
}

function cutOff(asked: PendingRequest, log: LogUnreadable): void {
  const { stream, socket } = asked.request;
  if (stream) stream.close(cancelled);
  else refuse(socket, "REQUEST_TIMEOUT", { log, asked });
}

const sentences = {
  REQUEST_TIMEOUT: "The request took too long to arrive.",
  HEADERS_TOO_LARGE: `The address and the headers of the request are too long: at most ${maxHeadBytes} bytes and 198 headers are allowed.`,
  BAD_REQUEST: "This is not a request that this server can read.",
} satisfies Partial<Record<CommonError, string>>;

/** Answers requests that the library cannot read with an error in JSON. */
export function answerUnreadable(server: Server, log: LogUnreadable, arrivingOn: ArrivingOn): void {
  server.on("checkExpectation", (incoming: IncomingMessage, outgoing: ServerResponse) =>
    answerMalformed(incoming, outgoing, log),
  );
  server.on("clientError", ({ code }: NodeJS.ErrnoException, socket: Duplex) => {
    const asked = arrivingOn(socket);
    const how = { log, asked };
    if (code === "HPE_HEADER_OVERFLOW") refuse(socket, "HEADERS_TOO_LARGE", how);
    else if (code === "ERR_HTTP_REQUEST_TIMEOUT") refuse(socket, "REQUEST_TIMEOUT", how);
    else if (!code?.startsWith("HPE_")) socket.destroy();
    // It may be answered just now, without its body. A client that sends nothing more gets the answer now or never.
    else if (asked && code !== "HPE_INVALID_EOF_STATE")
      setImmediate(() => refuse(socket, "BAD_REQUEST", how));
    else refuse(socket, "BAD_REQUEST", how);
  });
}

const malformed = new AppError("BAD_REQUEST", englishOnly(sentences.BAD_REQUEST));
const malformedBody = JSON.stringify(malformed.toWire());

/** The answer, in web form, to a request that the library cannot read. */
export function createMalformedAnswer(incoming: IncomingMessage, log: LogUnreadable): Response {
  log(malformed.status, incoming.socket.remoteAddress);
  return new Response(malformedBody, { status: malformed.status, headers: jsonHeaders });
}

export function answerMalformed(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  log: LogUnreadable,
): void {
  log(malformed.status, incoming.socket.remoteAddress);
  outgoing.writeHead(malformed.status, { ...jsonHeaders, connection: "close" }).end(malformedBody);
}

const phrases: Record<number, string> = {
  400: "Bad Request",
  408: "Request Timeout",
  431: "Request Header Fields Too Large",
};

interface UnreadableRefusal {
  log: LogUnreadable;
  /** The request whose body cannot be read. Who answers it logs it, too. */
  asked: PendingRequest | null;
}

/** What comes after a refusal on the same connection is no request: it gets no answer of its own. */
const refused = new WeakSet<Duplex>();

function refuse(socket: Duplex, code: keyof typeof sentences, { log, asked }: UnreadableRefusal): void {
  if (!socket.writable) return void socket.destroy();
  if (refused.has(socket)) return;
  refused.add(socket);
  if (asked?.response.headersSent) endQuietly(socket);
  else answer(socket, code, { log, asked });
}

function answer(socket: Duplex, code: keyof typeof sentences, { log, asked }: UnreadableRefusal): void {
  const error = new AppError(code, englishOnly(sentences[code]));
  const body = JSON.stringify(error.toWire());
  if (!asked) log(error.status, (socket as Partial<Socket>).remoteAddress);
  const head = [
    `HTTP/1.1 ${error.status} ${phrases[error.status]}`,
    ...Object.entries(jsonHeaders).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  endQuietly(socket);
}

/** Closing while the client still sends would discard the answer. */
function endQuietly(socket: Duplex): void {
  const quiet = setTimeout(() => socket.end(), quietMs);
  socket.on("data", () => quiet.refresh());
  setTimeout(() => socket.destroy(), lingerMs);
}
