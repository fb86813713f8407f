// What all screens share: the operator, the current data, and the link to the running server.
import type { Ctx } from "@/kernel/context.ts";
import { type EventTail, eventTail } from "./event-tail.ts";
import { type LinkOptions, type ServerLink, serverLink } from "./server-link.ts";

export interface Session {
  /** A context for one read or write, with the current time. */
  ctx(): Ctx;
  readonly who: string;
  readonly server: ServerLink;
  readonly events: EventTail;
  /** Calls `notice` after each change by this or another process, and on news from the server. */
  watch(notice: () => void): void;
  close(): Promise<void>;
}

export interface SessionOptions extends LinkOptions {
  who: string;
}

const watchMs = 250;

export function openSession(origin: Ctx, options: SessionOptions): Session {
  const { db } = origin;
  const ctx = (): Ctx => ({ ...origin, now: db.clock.now() });
  const server = serverLink(ctx, options);
  const events = eventTail(server);
  let seen = db.epoch;
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const notice of listeners) notice();
  };
  const timer = setInterval(() => {
    try {
      db.noticeOthers(ctx());
    } catch {
      return; // The server is writing; the next poll comes soon.
    }
    if (db.epoch === seen) return;
    seen = db.epoch;
    tell();
  }, watchMs);
  server.watch(tell);
  events.watch(tell);
  return {
    ctx,
    who: options.who,
    server,
    events,
    watch: (notice) => void listeners.add(notice),
    async close() {
      clearInterval(timer);
      listeners.clear();
      await events.close();
      await server.close();
    },
  };
}
