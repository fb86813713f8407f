// The current route, and navigation.
import { useSyncExternalStore } from "react";
import type { State } from "../state/shape.ts";
import { hashOf, type Names, type Route } from "./route.ts";

function subscribe(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}

export function useHash(): string {
  return useSyncExternalStore(subscribe, () => location.hash);
}

function namesIn(state: Pick<State, "streams" | "subscriptions" | "users">): Names {
  return {
    channel: (id) => (state.subscriptions[id] ?? state.streams[id])?.name,
    person: (id) => state.users[id]?.full_name,
  };
}

export function linkTo(route: Route, state: Pick<State, "streams" | "subscriptions" | "users">): string {
  return hashOf(route, namesIn(state));
}

export function goTo(hash: string, { replace = false } = {}): void {
  if (hash === location.hash) return;
  if (!replace) {
    location.hash = hash;
    return;
  }
  history.replaceState(null, "", hash);
  dispatchEvent(new HashChangeEvent("hashchange"));
}
