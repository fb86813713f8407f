// Code that is loaded later than the first screen.
import { type ComponentType, lazy, type ReactNode, useEffect, useState } from "react";
import { createStore, useStore } from "../lib/observable.ts";

const loaders: (() => Promise<unknown>)[] = [];

/** A function that loads code by a dynamic import when it is first called, and again after that has failed. */
export function importOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

/** A whole view, loaded when it is first shown. It belongs into a `Suspense`. */
export function lazyView<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const loadView = importOnce(load);
  return lazy(async () => ({ default: await loadView() }));
}

/**
 * A component whose code is loaded when it is first shown, or soon after the first view, whichever comes first. Unlike React's
 * `lazy` it appears at once when the code is there: React shows what was suspended only 300 ms later.
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => ReactNode {
  const part = createStore<ComponentType<Props> | null>(null);
  const fetchPart = importOnce(async () => part.set(await load()));
  loaders.push(fetchPart);
  return (props) => {
    const Part = useStore(part);
    const [problem, setProblem] = useState<unknown>(null);
    useEffect(() => {
      if (!Part) fetchPart().catch((error) => setProblem(error));
    }, [Part]);
    if (problem) throw problem;
    return Part ? <Part {...props} /> : null;
  };
}

/** Loads all of them, so that they open at once, without a connection too. */
export function preloadParts(): void {
  // Showing one of them loads it again, and says if that fails.
  for (const load of loaders) load().catch(() => {});
}
