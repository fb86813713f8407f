import type { Ctx, Reads, StateReader } from "@/kernel/core/context.ts";
import type { LogFields } from "@/kernel/lib/log.ts";
import type { HookRegistration } from "@/kernel/store/hooks.ts";
import type { Endpoint } from "./endpoint.ts";

/** Work that the server does every `everySeconds`, as the system actor; in a cluster, only the leader does it. */
export interface PeriodicJob {
  name: string;
  everySeconds: number;
  /** Every node runs it: it concerns the node itself, or a follower has something to send to the leader. */
  onEachNode?: boolean;
  /** What it returns is logged. */
  run: (ctx: Ctx) => Promise<LogFields | undefined> | Promise<void> | void;
  /**
   * When a run will next have something to do unless the database changes before: UNIX seconds, or Infinity. It may only depend
   * on the database. Until then the job does not run; a job without it runs every `everySeconds`.
   */
  nextDue?: (reads: Reads) => number;
}

export interface Domain {
  name: string;
  /** What it is about, in a few words: for the map in src/README.md (`npm run generate`) and for readers of the API. */
  about: string;
  endpoints?: Endpoint[];
  /** Keyed by event type, as in `fetch_event_types`. */
  state?: Record<string, StateReader>;
  jobs?: PeriodicJob[];
  /** Slow first-time work, as the system actor: runs before the server accepts connections. */
  prepare?: (ctx: Ctx) => void;
  /** Its functions for the hooks that lower folders declare. */
  hooks?: HookRegistration[];
}

export function domain(parts: Domain): Domain {
  return { ...parts, jobs: parts.jobs?.map(asSystem) };
}

/** Refuses to run a job with a user's permissions. */
function asSystem({ run, ...job }: PeriodicJob): PeriodicJob {
  return {
    ...job,
    run: (ctx) => {
      if (ctx.actor.kind !== "system") throw new Error(`The job ${job.name} must run as the system`);
      return run(ctx);
    },
  };
}
