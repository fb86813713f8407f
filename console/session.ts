// What all screens share: the operator, the current data, and the link to the running server.
import type { Ctx } from "@/kernel/core/context.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import type { Finding } from "@/operations/diagnosis/schema.ts";
import { type EventTail, eventTail } from "./event-tail.ts";
import type { Tone } from "./layout.ts";
import {
  firstAskMs,
  type LinkOptions,
  type ServerLink,
  type ServerState,
  serverLink,
} from "./server-link.ts";
import { openSources, type PolledSources } from "./source.ts";

/** A server elsewhere does not answer, but may do so later. */
export class ServerAway extends Error {}

/** What only the process around the console knows. */
export interface Host {
  dataDir: string;
  /** What the doctor finds; `deep` also checks every index. */
  examine(deep: boolean): Promise<Finding[]>;
}

/** Long work that continues while the console is used. */
export interface Work {
  title: string;
  /** Where it is. */
  state: string;
  /** From 0 to 1; null if unknown. */
  part: number | null;
  outcome: "running" | "done" | "failed";
}

/** What the first line of the screen says of the server. */
export interface ServerStatus {
  text: string;
  tone: Tone;
}

/** What the controller and the components need of a session, at the server's machine or elsewhere. */
export interface ScreenSession {
  /** A context for one read or write, with the current time; screens of a server elsewhere take nothing from it. */
  ctx(): Ctx;
  readonly who: string;
  /** The URL at which browsers reach the server. */
  readonly site: string;
  readonly status: ServerStatus;
  /** What the operator chose for the time of this session: the range of charts. */
  readonly chosen: Map<string, string>;
  /** Resolves once what is shown depends on what was changed. */
  settle(): Promise<void>;
  /** Called before the rows are read again: what is not asked for from then on is not kept up to date. */
  leave(): void;
  /** Calls `notice` after each change by this or another process, and on news from the server. */
  watch(notice: () => void): void;
  close(): Promise<void>;
}

/** At the server's machine, or within the server. */
export interface ConsoleSession extends ScreenSession {
  readonly server: ServerLink;
  readonly events: EventTail;
  readonly sources: PolledSources;
  readonly host: Host;
  /** The work in hand, or the last one. */
  readonly work: Work | null;
  /** Starts work in the background; refused while other work is running. */
  begin(title: string, run: (report: (state: string, part: number | null) => void) => Promise<string>): void;
  /** Whether the screen of this title is offered; one that is not must not be named as a place to go to. */
  offers(screen: string): boolean;
}

/** The name of the doctor's findings among the sources. */
export const findings = "findings";

/** Calls back whenever the server comes or goes. */
function onArrival(server: ServerLink, notice: () => void): void {
  let wasThere: boolean | null = null;
  server.watch(() => {
    const { kind } = server.state;
    if (kind === "asking") return;
    const isThere = kind !== "absent";
    if (wasThere !== null && wasThere !== isThere) notice();
    wasThere = isThere;
  });
}

export interface SessionOptions extends LinkOptions {
  who: string;
  host: Host;
}

const watchMs = 250;
/** Ages are drawn again so often. */
const agesMs = 30_000;

const statuses: Readonly<Record<ServerState["kind"], ServerStatus>> = {
  running: { text: "● server running", tone: "good" },
  absent: { text: "○ no server", tone: "warn" },
  asking: { text: "◌ connecting", tone: "warn" },
  refused: { text: "○ no administrator", tone: "warn" },
};

export function openSession(origin: Ctx, options: SessionOptions): ConsoleSession {
  const { host } = options;
  const { db } = origin;
  const ctx = (): Ctx => ({ ...origin, now: db.clock.now() });
  const server = serverLink(ctx, options);
  const events = eventTail(server);
  let seen = db.changes;
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const notice of listeners) notice();
  };
  const ages = setInterval(notify, agesMs);
  const timer = setInterval(() => {
    try {
      db.noticeOthers(ctx());
    } catch {
      return; // The server is writing; the next poll comes soon.
    }
    if (db.changes === seen) return;
    seen = db.changes;
    notify();
  }, watchMs);
  server.watch(notify);
  const sources = openSources(notify);
  onArrival(server, () => sources.refresh(findings));
  let work: Work | null = null;
  events.watch(notify);
  return {
    ctx,
    who: options.who,
    site: origin.env.site,
    get status() {
      return statuses[server.state.kind];
    },
    settle: () => sources.settle(),
    leave: () => sources.leave(),
    server,
    events,
    sources,
    host: { ...host, examine: (deep) => Bun.sleep(firstAskMs).then(() => host.examine(deep)) },
    chosen: new Map(),
    offers: () => true,
    get work() {
      return work;
    },
    begin(title, run) {
      if (work?.outcome === "running") fail("BAD_REQUEST", `Wait until this is done: ${work.title}.`);
      const now: Work = { title, state: "beginning", part: null, outcome: "running" };
      work = now;
      const report = (state: string, part: number | null) => {
        Object.assign(now, { state, part });
        notify();
      };
      run(report)
        .then(
          (state) => Object.assign(now, { state, part: 1, outcome: "done" }),
          (error: Error) => Object.assign(now, { state: error.message, outcome: "failed" }),
        )
        .finally(notify);
    },
    watch: (notice) => void listeners.add(notice),
    async close() {
      clearInterval(timer);
      clearInterval(ages);
      listeners.clear();
      sources.close();
      await events.close();
      await server.close();
    },
  };
}
