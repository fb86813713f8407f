import type { Ctx, StateReader } from "./context.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Registration } from "./hooks.ts";

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
