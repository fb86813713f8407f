// The open client: its state, which views read, and the actions that they call.
import { createContext, useContext, useRef, useSyncExternalStore } from "react";
import type { Boot } from "@/outside/web/schema.ts";
import type { State } from "../state/state.ts";
import { goLive, type Live } from "./event-loop.ts";
import { fetchingOf } from "./fetching.ts";
import { flaggingOf, type ReportFailure } from "./flagging.ts";
import { watchReach } from "./reach.ts";
import { cookie } from "./registering.ts";
import { type Api, type ApiHooks, openApi } from "./request.ts";
import { sendingOf } from "./sending.ts";

export interface Client extends Live {
  boot: Boot;
  /** Without an account: sees web-public channels, and can change nothing. */
  isVisitor: boolean;
  api: Api;
  fetching: ReturnType<typeof fetchingOf>;
  flagging: ReturnType<typeof flaggingOf>;
  sending: ReturnType<typeof sendingOf>;
}

/** Registers and returns the client with its state; rejects if the server refuses or is not reached. */
export async function openClient(
  boot: Boot,
  hooks: { report: ReportFailure } & Omit<ApiHooks, "csrf" | "reach">,
): Promise<Client> {
  const { onSignedOut, prove } = hooks;
  const reach = watchReach();
  const api = openApi({ reach, csrf: () => cookie(boot.csrf_cookie), onSignedOut, prove });
  const live = await goLive(api, reach).catch((error) => {
    reach.stop();
    throw error;
  });
  return {
    ...live,
    boot,
    isVisitor: !boot.signed_in,
    api,
    fetching: fetchingOf(api, live.store, !boot.signed_in),
    flagging: flaggingOf(api, live.store, hooks.report),
    sending: sendingOf(api, live),
  };
}

export const ClientContext = createContext<Client | null>(null);

export function useClient(): Client {
  const client = useContext(ClientContext);
  if (!client) throw new Error("This view is not inside the client.");
  return client;
}

/** The part of the state that `select` returns; renders again only when that changes. */
export function useSelect<T>(select: (state: State) => T, isSame: (a: T, b: T) => boolean = Object.is): T {
  const { store } = useClient();
  const last = useRef<{ value: T } | null>(null);
  return useSyncExternalStore(store.subscribe, () => {
    const value = select(store.get());
    if (last.current && isSame(last.current.value, value)) return last.current.value;
    last.current = { value };
    return value;
  });
}

/** Whether two values, which are made anew for each comparison, say the same as JSON. */
export const sameJson = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Whether two lists hold the same things in the same order. */
export function sameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((one, i) => Object.is(one, b[i]));
}
