// A value that notifies the views of its changes.
import { useSyncExternalStore } from "react";

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

export function useValue<T>(value: Value<T>): T {
  return useSyncExternalStore(value.subscribe, value.get);
}
