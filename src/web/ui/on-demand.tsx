// Components whose code is loaded when they are first shown, or soon after the first view, whichever comes first. Unlike React's
// `lazy` they appear at once when the code is there: React shows what was suspended only 300 ms later.
import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { createStore, useStore } from "../lib/observable.ts";

const loaders: (() => Promise<unknown>)[] = [];

export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => ReactNode {
  const part = createStore<ComponentType<Props> | null>(null);
  const fetchPart = async () => part.set(await load());
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
