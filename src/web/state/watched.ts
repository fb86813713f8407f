// Holds the state and notifies the views of changes.
import { afterEvents } from "./events.ts";
import type { ServerEvent, State } from "./shape.ts";

export interface Value<T> {
  get(): T;
  set(value: T): void;
  /** Calls `listener` after each change, until the function that it returns is called. */
  subscribe(listener: () => void): () => void;
}

export function watched<T>(initial: T): Value<T> {
  const listeners = new Set<() => void>();
  let current = initial;
  return {
    get: () => current,
    set: (value) => {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export interface Store extends Value<State> {
  /** Applies events of the server, or the client's own, which have the same form. */
  apply(...events: readonly ServerEvent[]): void;
}

export function storeOf(initial: State): Store {
  const value = watched(initial);
  return { ...value, apply: (...events) => value.set(afterEvents(value.get(), events)) };
}
