// The process that serves clients: HTTP, the sweep of queues, the watch for other processes, a graceful stop.
import type { Server } from "node:http";
import { serve as listen } from "@hono/node-server";
import type { App } from "@/app.ts";
import {
  answerUnreadable,
  type Connections,
  maxHeadBytes,
  type Patience,
  watchArrivals,
  watchIdle,
} from "@/connections.ts";
import { domains } from "@/domains.ts";
import { type Queues, queueLimits } from "@/kernel/event-queue.ts";
import type { Log } from "@/kernel/log.ts";
import { serverLogOf } from "@/operations/server-log/lines.ts";

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
  /** Whether jobs run here; in a cluster, they run on one node at a time. */
  hasJobs?: () => boolean;
}

type TlsServer = Server & { setSecureContext(pair: Certificate): void };

const watchMs = 100;
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
  for (const { name, prepare } of domains) await guarded(log, name, () => prepare?.(app.system))();
  const listening = await listenOn(app, options);
  const { server } = listening;
  const forgetReload = certificate ? reloadOnHangUp(server as TlsServer, certificate, log) : () => {};
  const endTimers = startTimers(app, log, options.hasJobs ?? (() => true));
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    async stop() {
      endTimers();
      forgetReload();
      await closeServer(listening, app);
      await app.close();
      log.flush();
    },
  };
}

/** Plain HTTP without TLS; with it, HTTP/2, and HTTP/1.1 for clients that lack HTTP/2. */
async function listenOn(app: App, options: ServeOptions): Promise<Listening> {
  const { host, port, log, certificate, patience = usualPatience } = options;
  const settings = { maxConcurrentStreams: maxStreams };
  const maxHeaderSize = maxHeadBytes;
  const how = certificate
    ? {
        createServer: (await import("node:http2")).createSecureServer,
        serverOptions: { ...certificate(), allowHTTP1: true as const, settings, maxHeaderSize },
      }
    : { serverOptions: { maxHeaderSize } };
  return new Promise((resolve, reject) => {
    const server = listen({ fetch: app.fetch, hostname: host, port, ...how }, () => {
      resolve({ server, connections });
    }) as Server;
    const connections = certificate
      ? watchIdle(server, patience)
      : { closeAll: () => server.closeAllConnections() };
    watchArrivals(server, patience, log);
    answerUnreadable(server, log);
    server.once("error", reject);
    // A waiting poll has already arrived: this cuts off only requests that never end.
    server.requestTimeout = patience.arrivalMs;
    server.headersTimeout = patience.stallMs;
    // A long poll may wait for most of a minute, and clients keep connections open between calls.
    server.timeout = 0;
    server.keepAliveTimeout = patience.idleMs;
  });
}

/** New connections use a renewed certificate; an invalid one changes nothing. */
function reloadOnHangUp(server: TlsServer, certificate: () => Certificate, log: Log): () => void {
  const reload = () => {
    try {
      server.setSecureContext(certificate());
      log.info("certificate", { reloaded: true });
    } catch (error) {
      log.error("certificate", { reloaded: false, error: String((error as Error).message) });
    }
  };
  process.on("SIGHUP", reload);
  return () => void process.off("SIGHUP", reload);
}

/** All jobs share one timer, because each wake-up costs CPU; after one without changes it sleeps longer. */
const beatMs = { busy: 500, idle: 1000 };

/** Starts periodic work; returns a function that ends it. */
function startTimers(app: App, log: Log, hasJobs: () => boolean): () => void {
  const { env, system } = app;
  const { clock } = env.db;
  const jobs = domains.flatMap((domain) => domain.jobs ?? []);
  const repeated = [
    { everyMs: queueLimits.sweepMs, run: guarded(log, "sweep", () => env.queues.sweep()) },
    ...jobs.map(({ name, everySeconds, run }) => ({
      everyMs: everySeconds * 1000,
      run: guarded(log, name, () => (hasJobs() ? run(app.ctx(system.actor)) : undefined)),
    })),
  ].map((one) => ({ ...one, due: clock.steady() + one.everyMs }));
  const look = guarded(log, "watch", () => env.db.noticeOthers(system));
  let { changes } = env.db;
  let timer = setTimeout(beat, beatMs.busy);
  function beat(): void {
    look();
    const now = clock.steady();
    for (const one of repeated) {
      if (now < one.due - beatMs.busy / 2) continue;
      one.due = now + one.everyMs;
      one.run();
    }
    timer = setTimeout(beat, env.db.changes === changes ? beatMs.idle : beatMs.busy);
    changes = env.db.changes;
  }
  const stopWatching = watchWhileListening(env.queues, look);
  return () => {
    clearTimeout(timer);
    stopWatching();
  };
}

/** While clients listen, checks often for other processes' commits: only listeners need them at once. */
function watchWhileListening(queues: Queues, look: () => void): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const end = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const watch = () => {
    if (queues.all.size === 0) end();
    look();
  };
  queues.onOpen(() => {
    timer ??= setInterval(watch, watchMs);
  });
  return end;
}

/** Runs a function and logs its failure, so that the rest goes on. */
function guarded(log: Log, name: string, run: () => Promise<void> | void): () => Promise<void> {
  return async () => {
    try {
      await run();
    } catch (error) {
      log.error("job", {
        name,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
  };
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
