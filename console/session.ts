// What all screens share: who acts, what is committed now, and what the running server says.
import type { Ctx } from "@/kernel/context.ts";
import { type EventTail, eventTail } from "./event-tail.ts";
import { type LinkOptions, type ServerLink, serverLink } from "./server-link.ts";

export interface Session {
  /** For one read or write: its time is now. */
  ctx(): Ctx;
  readonly who: string;
  readonly server: ServerLink;
  readonly events: EventTail;
  /** Calls back after each change, of this process or another, and where the server has news. */
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
      return; // The server is writing: there is another look soon.
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
