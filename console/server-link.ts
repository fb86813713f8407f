// Asks the running server over HTTP for what only it knows, with a temporary API key that the console revokes.

import { askOwnServer } from "@/foundation/auth/host.ts";
import { borrowKey, giveKeyBack } from "@/foundation/login/actions.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { gaugeOf, type Metrics, readMetrics } from "./metrics.ts";

export type ServerState =
  | { kind: "asking" }
  | { kind: "absent"; reason: string }
  /** A server runs, but refuses the operator, who is not an administrator. */
  | { kind: "refused"; reason: string }
  | { kind: "running"; metrics: Metrics; before: Metrics | null };

export interface ServerLink {
  readonly state: ServerState;
  /** Sends an API request as the operator; null if no server runs. */
  request(path: string, init?: RequestInit): Promise<Response | null>;
  /** Calls back when a server has come or gone, or another one has started; metrics change with each look. */
  watch(notice: () => void): void;
  close(): Promise<void>;
}

export interface LinkOptions {
  /** Sends requests in another way than with a borrowed key; null if no server runs. */
  request?: ServerLink["request"] | undefined;
  fetch?: typeof fetch;
  /** Where the data folder's server listens on this machine; null while none runs. */
  address: () => string | null;
}

export const askMs = 2000;
/** What computes at the start waits for so long, so that the first frame comes before it. */
export const firstAskMs = 50;
const patienceMs = 5000;

export function serverLink(
  ctx: () => Ctx,
  { fetch: send = fetch, address: addressNow, request: otherwise }: LinkOptions,
): ServerLink {
  let state: ServerState = { kind: "asking" };
  let key: Promise<string> | null = null;
  let closed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();

  async function request(path: string, init: RequestInit = {}): Promise<Response | null> {
    const limited = { signal: AbortSignal.timeout(patienceMs), ...init };
    if (otherwise) return otherwise(path, limited);
    const address = addressNow();
    if (address === null) return null;
    key ??= borrowKey(ctx());
    const answer = await askOwnServer(ctx(), path, {
      address,
      key: await key,
      init: limited,
      fetch: send,
    });
    // Rotating the operator's keys also ends the temporary one; the next request makes a new one.
    if (answer.status === 401) key = null;
    return answer;
  }

  async function ask(): Promise<void> {
    const before = state;
    state = await stateNow(() => request("/metrics"), addressNow() ?? "its address", before);
    if (closed) return;
    if (startOf(state) !== startOf(before)) for (const notice of listeners) notice();
    timer = setTimeout(ask, askMs);
  }

  timer = setTimeout(ask, firstAskMs);
  return {
    get state() {
      return state;
    },
    request,
    watch: (notice) => void listeners.add(notice),
    async close() {
      closed = true;
      clearTimeout(timer);
      if (key) await giveKeyBack(ctx(), await key);
    },
  };
}

/** What tells one server from another, and from none. */
function startOf(state: ServerState): string {
  if (state.kind === "asking") return state.kind;
  return state.kind === "running"
    ? `started at ${gaugeOf(state.metrics, "confab_start_time_seconds")}`
    : state.reason;
}

async function stateNow(
  ask: () => Promise<Response | null>,
  address: string,
  last: ServerState,
): Promise<ServerState> {
  try {
    const answer = await ask();
    if (!answer) return { kind: "absent", reason: "No server runs on this data folder." };
    if (answer.status === 400 || answer.status === 403) {
      const { msg = "" } = (await answer.json()) as { msg?: string };
      return { kind: "refused", reason: `The server runs, and does not show you how it does: ${msg}.` };
    }
    if (!answer.ok) {
      return {
        kind: "absent",
        reason: `The server at ${address} answered ${answer.status} when asked for its metrics.`,
      };
    }
    const before = last.kind === "running" ? last.metrics : null;
    return { kind: "running", metrics: readMetrics(await answer.text()), before };
  } catch (error) {
    return {
      kind: "absent",
      reason: `The server at ${address} cannot be reached: ${(error as Error).message}`,
    };
  }
}
