// A value that notifies the views of its changes.
import { useSyncExternalStore } from "react";

export interface ValueStore<T> {
  get(): T;
  set(value: T): void;
  /** Calls `listener` after each change, until the function that it returns is called. */
  subscribe(listener: () => void): () => void;
}

export function createStore<T>(initial: T): ValueStore<T> {
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

export function useStore<T>(store: ValueStore<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}

/** Resolves once the value is such a one. */
export function when<T>(store: ValueStore<T>, isSuch: (value: T) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isSuch(store.get())) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = store.subscribe(look);
    look();
  });
}
