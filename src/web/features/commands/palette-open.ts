import { createStore } from "../../lib/observable.ts";

/** The text that the palette starts with; null while it is closed. */
export const paletteQuery = createStore<string | null>(null);

/** Opens it: "@" for people, "#" for channels, ">" for commands, otherwise anything. */
export function openPalette(query = ""): void {
  paletteQuery.set(query);
}
