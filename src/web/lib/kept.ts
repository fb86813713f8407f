import { useState } from "react";

const kept = new Map<string, unknown>();

/** A state that is as it was left when its view is opened again, until the page is loaded anew. */
export function useKept<T>(name: string, initial: T): [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => (kept.has(name) ? (kept.get(name) as T) : initial));
  const set = (next: T) => {
    kept.set(name, next);
    setValue(next);
  };
  return [value, set];
}
