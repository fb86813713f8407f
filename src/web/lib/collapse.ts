// Which parts of the sidebar are collapsed on this device.
import { useState } from "react";

const key = "folded sections";

function readFolded(): string[] {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(names) ? names.map(String) : [];
  } catch {
    return [];
  }
}

export function useFolded(name: string): [isFolded: boolean, setFolded: (isFolded: boolean) => void] {
  const [isFolded, setFolded] = useState(() => readFolded().includes(name));
  const change = (next: boolean) => {
    const others = readFolded().filter((one) => one !== name);
    localStorage.setItem(key, JSON.stringify(next ? [...others, name] : others));
    setFolded(next);
  };
  return [isFolded, change];
}
