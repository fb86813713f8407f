// The current route, and navigation.
import { useEffect, useSyncExternalStore } from "react";
import { showSidebar } from "../../lib/panes.ts";
import type { State } from "../../state/state.ts";
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

/** Narrow windows show the sidebar or the view. Links to the view that is open lead back to it, although the address stays. */
export function useLinksBack(): void {
  useEffect(() => {
    const press = ({ target }: MouseEvent) => {
      const link = target instanceof Element ? target.closest("a") : null;
      if (link?.hash && link.hash === location.hash) showSidebar.set(false);
    };
    addEventListener("click", press);
    return () => removeEventListener("click", press);
  }, []);
}

export function goTo(hash: string, { replace = false } = {}): void {
  if (hash === location.hash) {
    showSidebar.set(false);
    return;
  }
  if (!replace) {
    location.hash = hash;
    return;
  }
  history.replaceState(null, "", hash);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/**
 * A `goTo` for what ends later, such as saving: it does nothing if the person has gone elsewhere meanwhile, to another address or another
 * pane of a narrow window.
 */
export function goToLater(): typeof goTo {
  let isHere = true;
  const sidebar = showSidebar.get();
  // As in lib/leaving.ts: an address that the client replaces is no leaving.
  addEventListener("popstate", () => (isHere = false), { once: true });
  return (...to) => {
    if (isHere && showSidebar.get() === sidebar) goTo(...to);
  };
}
