// The process that serves clients: HTTP, the sweep of queues, the watch for other processes, a graceful stop.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { getRequestListener, serve as listen, RequestError } from "@hono/node-server";
import type { App } from "@/app.ts";
import {
  answerMalformed,
  answerUnreadable,
  type Connections,
  createMalformedAnswer,
  maxHeadBytes,
  type Patience,
  watchArrivals,
  watchIdle,
} from "@/connections.ts";
import { domains } from "@/domains.ts";
import { noteCertificateInUse } from "@/operations/certificates/host.ts";
import { serverLogOf } from "@/operations/server-log/lines.ts";
import { strictly } from "@/strict-transport.ts";
import { guard, startTimers } from "@/timers.ts";
import { type LogUnreadable, unreadableRequests } from "@/unreadable-requests.ts";
import { warmUp } from "@/warming.ts";
import { collectWhenIdle } from "./idle-gc.ts";
import type { Log } from "./kernel/lib/log.ts";

export interface Serving {
  readonly port: number;
  /** Answers open polls, finishes writes, merges the write-ahead log into the database, and closes. */
  stop(): Promise<void>;
}

/** In PEM. */
export interface Certificate {
  cert: string;
  key: string;
}

export interface ServeOptions {
  host: string;
  port: number;
  log: Log;
  /** Reads the current certificate; absent without TLS. */
  certificate?: () => Certificate;
  patience?: Patience;
  /** For how many seconds browsers that came over TLS come back over nothing else; 0: no header. */
  hstsSeconds?: number;
  /** True for the addresses of reverse proxies, whose word is trusted. */
  isProxy?: ((address: string) => boolean) | undefined;
  /** Whether jobs run here; in a cluster, they run on one node at a time. */
  hasJobs?: () => boolean;
}

type TlsServer = Server & { setSecureContext(pair: Certificate): void };

const stopMs = 3000;
/** A large file may arrive slowly over a slow connection. */
const usualPatience: Patience = { idleMs: 120_000, arrivalMs: 900_000, stallMs: 60_000 };
/** Max concurrent requests of one connection: the minimum that RFC 9113 recommends. */
const maxStreams = 100;

interface Listening {
  server: Server;
  connections: Connections;
}

/** Serves an app over HTTP; resolves once it accepts connections, rejects if the port is taken. */
export async function serve(app: App, options: ServeOptions): Promise<Serving> {
  const { port, log, certificate } = options;
  for (const { name, prepare } of domains) await guard(log, name, () => prepare?.(app.system))();
  const listening = await listenOn(app, options);
  const { server } = listening;
  const forgetReload = certificate
    ? reloadOnHangUp(server as TlsServer, certificate, { app, log })
    : () => {};
  const endTimers = startTimers(app, log, options.hasJobs ?? (() => true));
  const endWarming = warmUp(app, log);
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    async stop() {
      endTimers();
      endWarming();
      forgetReload();
      await closeServer(listening, app);
      await app.close();
      log.flush();
    },
  };
}

/**
 * Answers the other machines of a cluster by TLS, apart from clients; resolves with a function that stops this at once, rejects if it
 * cannot listen.
 */
export function serveMachines(
  fetch: App["fetch"],
  { host, port, certificate }: { host: string; port: number; certificate: Certificate },
): Promise<() => Promise<void>> {
  return new Promise((resolve, reject) => {
    const at = { hostname: host, port, createServer: createSecureServer, serverOptions: certificate };
    const stop = () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      });
    const server = listen({ ...at, fetch }, () => resolve(stop)) as Server;
    server.once("error", reject);
  });
}

/** Plain HTTP without TLS; with it, HTTP/2, and HTTP/1.1 for clients that lack HTTP/2. */
async function listenOn(app: App, options: ServeOptions): Promise<Listening> {
  const { host, port, log, certificate, patience = usualPatience, hstsSeconds = 0, isProxy } = options;
  const settings = { maxConcurrentStreams: maxStreams };
  const maxHeaderSize = maxHeadBytes;
  const logUnreadable = unreadableRequests(log);
  const library = refuseUnaddressed(libraryListener(app, host, logUnreadable), logUnreadable);
  const strict = { seconds: hstsSeconds, hasTls: certificate !== undefined, isProxy };
  const wrap = (answer: Listener) =>
    collectWhenIdle(strictly(answer, strict), () => app.env.db.releaseCache());
  const how = certificate
    ? {
        fetch: app.fetch,
        createServer: withOwnListener((await import("node:http2")).createSecureServer, wrap(library)),
        serverOptions: { ...certificate(), allowHTTP1: true as const, settings, maxHeaderSize },
      }
    : {
        fetch: app.fetch,
        createServer: withOwnListener(createServer, wrap(withFastPath(app, library))),
        // A request that announces no body has none to read: otherwise, each passes the whole life of a stream.
        serverOptions: { maxHeaderSize, requireHostHeader: false, optimizeEmptyRequests: true },
      };
  return new Promise((resolve, reject) => {
    const server = listen({ hostname: host, port, ...how }, () => {
      resolve({ server, connections });
    }) as Server;
    const connections = certificate
      ? watchIdle(server, patience)
      : { closeAll: () => server.closeAllConnections() };
    answerUnreadable(server, logUnreadable, watchArrivals(server, patience, logUnreadable));
    server.once("error", reject);
    // A waiting poll has already arrived: this cuts off only requests that never end.
    server.requestTimeout = patience.arrivalMs;
    server.headersTimeout = patience.stallMs;
    // A long poll may wait for most of a minute, and clients keep connections open between calls.
    server.timeout = 0;
    server.keepAliveTimeout = patience.idleMs;
  });
}

function byLibrary(incoming: IncomingMessage, outgoing: ServerResponse, response: Response): void {
  void getRequestListener(async () => response)(incoming, outgoing);
}

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;

/** The library's listener. By itself, it would answer only the status to requests that it cannot read. */
function libraryListener(app: App, hostname: string, log: LogUnreadable): Listener {
  let asking: IncomingMessage | null = null;
  const errorHandler = (error: unknown) => {
    // It finds out before the listener returns, so this is about the request that has just come.
    if (!(error instanceof RequestError) || !asking) return new Response(null, { status: 500 });
    return createMalformedAnswer(asking, log);
  };
  const answer = getRequestListener(app.fetch, { hostname, errorHandler });
  return (incoming, outgoing) => {
    asking = incoming;
    try {
      return answer(incoming, outgoing);
    } finally {
      asking = null;
    }
  };
}

/** Has all requests answered by this listener instead of the library's. */
function withOwnListener<C extends (options: never, listener: never) => unknown>(
  create: C,
  listener: Listener,
): C {
  return ((options: never) => create(options, listener as never)) as unknown as C;
}

/** Refuses requests without a `Host`, which HTTP/1.1 demands. */
function refuseUnaddressed(answer: Listener, log: LogUnreadable): Listener {
  return (incoming, outgoing) => {
    const isAddressed = incoming.headers.host !== undefined || incoming.httpVersion !== "1.1";
    return isAddressed ? answer(incoming, outgoing) : answerMalformed(incoming, outgoing, log);
  };
}

/** Requests take the fast path where they can, which needs a `Host`; the HTTP library answers the others. */
function withFastPath({ answerFast }: App, library: Listener): Listener {
  return (incoming, outgoing) => {
    if (!answerFast(incoming, outgoing, byLibrary)) return library(incoming, outgoing);
  };
}

/** New connections use a renewed certificate; an invalid one changes nothing. */
function reloadOnHangUp(
  server: TlsServer,
  certificate: () => Certificate,
  { app, log }: { app: App; log: Log },
): () => void {
  const note = ({ cert }: Certificate) => noteCertificateInUse(app.env, cert, reload);
  const reload = () => {
    try {
      const pair = certificate();
      server.setSecureContext(pair);
      note(pair);
      log.info("certificate", { reloaded: true });
    } catch (error) {
      log.error("certificate", { reloaded: false, error: String((error as Error).message) });
    }
  };
  note(certificate());
  process.on("SIGHUP", reload);
  return () => void process.off("SIGHUP", reload);
}

/** Stops accepting, answers waiting polls, and gives requests under way a moment to finish. */
async function closeServer({ server, connections }: Listening, app: App): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  app.env.queues.answerAll();
  serverLogOf(app.env).stop();
  const hurry = setTimeout(() => connections.closeAll(), stopMs);
  const idle = setInterval(() => {
    app.env.queues.answerAll();
    // HTTP/2 servers lack this method: they close idle connections by themselves.
    server.closeIdleConnections?.();
  }, 50);
  await closed;
  clearTimeout(hurry);
  clearInterval(idle);
}
