// Which sections of the sidebar and groups of the inbox are collapsed on this device.
import { createStore, useStore } from "./observable.ts";

const key = "folded sections";

function readFolded(): string[] {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(names) ? names.map(String) : [];
  } catch {
    return [];
  }
}

/** At most so many are remembered, those that were folded last: channels come and go. */
const maxRemembered = 500;

const folded = createStore<ReadonlySet<string>>(new Set(readFolded()));

export function setFolded(name: string, isFolded: boolean): void {
  const others = [...folded.get()].filter((one) => one !== name);
  const names = (isFolded ? [...others, name] : others).slice(-maxRemembered);
  localStorage.setItem(key, JSON.stringify(names));
  folded.set(new Set(names));
}

/** The names of all that are collapsed. */
export const useAllFolded = (): ReadonlySet<string> => useStore(folded);

export function useFolded(name: string): [isFolded: boolean, setFolded: (isFolded: boolean) => void] {
  return [useAllFolded().has(name), (isFolded) => setFolded(name, isFolded)];
}
