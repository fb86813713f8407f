import { watched } from "../../lib/watched.ts";

/** The text that the palette starts with; null while it is closed. */
export const paletteQuery = watched<string | null>(null);

/** Opens it: "@" for people, "#" for channels, ">" for commands, otherwise anything. */
export function openPalette(query = ""): void {
  paletteQuery.set(query);
}
