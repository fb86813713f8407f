import type { Ctx } from "./context.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Traits } from "./events.ts";
import type { Registration } from "./hooks.ts";

/** What the client asked for that shapes its initial state (docs/http-api.md#register-queue). */
export interface StateRequest extends Traits {
  readonly fetched: ReadonlySet<string> | null;
}

/** One type's part of the initial state, read in the tick in which the queue opens. */
export type StateReader = (ctx: Ctx, request: StateRequest) => Record<string, unknown>;

/** Work the server does by itself, every `everySeconds`, as the system actor. */
export interface Job {
  name: string;
  everySeconds: number;
  run: (ctx: Ctx) => Promise<void> | void;
}

export interface Domain {
  name: string;
  endpoints?: Endpoint[];
  /** By type of event, as `fetch_event_types` names it. */
  state?: Record<string, StateReader>;
  jobs?: Job[];
  /** What it does on occasions that folders below it declare. */
  hooks?: Registration[];
}

export function domain(parts: Domain): Domain {
  return parts;
}
