// The process that serves clients: HTTP, the sweep of queues, the watch for other processes, a graceful stop.
import type { Server } from "node:http";
import { serve as listen } from "@hono/node-server";
import type { App } from "@/app.ts";
import { domains } from "@/domains.ts";
import { queueLimits } from "@/kernel/event-queue.ts";
import type { Log } from "@/kernel/log.ts";

export interface Serving {
  readonly port: number;
  /** Answers open polls, finishes writes, folds the write-ahead log in, and closes. */
  stop(): Promise<void>;
}

const watchMs = 50;
const stopMs = 3000;

/** Serves an app over HTTP; resolves once it accepts connections, rejects where the port is taken. */
export async function serve(
  app: App,
  { host, port, log }: { host: string; port: number; log: Log },
): Promise<Serving> {
  const server = await listenOn(app, host, port);
  const timers = startTimers(app, log);
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await closeServer(server, app);
      await app.close();
      log.flush();
    },
  };
}

function listenOn(app: App, hostname: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = listen({ fetch: app.fetch, hostname, port }, () => {
      resolve(server);
    }) as Server;
    server.once("error", reject);
    // How long a request may take to arrive, which a poll that waits has done; who never ends theirs is cut off.
    server.requestTimeout = 120_000;
    // A long poll may wait for most of a minute, and clients keep connections open between calls.
    server.timeout = 0;
    server.keepAliveTimeout = 120_000;
  });
}

function startTimers(app: App, log: Log): ReturnType<typeof setInterval>[] {
  const { env, system } = app;
  const jobs = domains.flatMap((domain) => domain.jobs ?? []);
  const guarded = (name: string, run: () => Promise<void> | void) => async () => {
    try {
      await run();
    } catch (error) {
      log.error("job", {
        name,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
  };
  return [
    setInterval(
      guarded("sweep", () => env.queues.sweep()),
      queueLimits.sweepMs,
    ),
    setInterval(
      guarded("watch", () => env.db.noticeOthers(system)),
      watchMs,
    ),
    ...jobs.map((job) => {
      const run = () => job.run(app.ctx(system.actor));
      return setInterval(guarded(job.name, run), job.everySeconds * 1000);
    }),
  ];
}

/** Stops accepting, answers waiting polls, and gives requests under way a moment to finish. */
async function closeServer(server: Server, app: App): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  app.env.queues.answerAll();
  server.closeIdleConnections();
  const hurry = setTimeout(() => server.closeAllConnections(), stopMs);
  const idle = setInterval(() => {
    app.env.queues.answerAll();
    server.closeIdleConnections();
  }, 50);
  await closed;
  clearTimeout(hurry);
  clearInterval(idle);
}
