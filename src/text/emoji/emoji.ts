// Names and codes of the Unicode emoji. Parsed on first use, because most processes never need them.
import iamcal from "emojibase-data/en/shortcodes/iamcal.json" with { type: "text" };
import joypixels from "emojibase-data/en/shortcodes/joypixels.json" with { type: "text" };
import sentByClients from "./emoji-names.txt" with { type: "text" };

interface EmojiTable {
  /** Code by name; holds every name in all its spellings. */
  codes: Map<string, string>;
  /** Names by code, the preferred one first, each in one spelling. */
  names: Map<string, string[]>;
}

const skinTone = /1F3F[B-F]/;

let table: EmojiTable | undefined;

/** The code of an emoji's name: lower-case hex with dashes, without variation selectors. */
export function emojiByName(name: string): string | null {
  table ??= loadTable();
  return table.codes.get(name) ?? null;
}

export function nameOfEmoji(code: string): string | null {
  return emojiNames().get(code)?.[0] ?? null;
}

/** The names of every Unicode emoji, by code; the preferred name first. */
export function emojiNames(): ReadonlyMap<string, readonly string[]> {
  table ??= loadTable();
  return table.names;
}

/** Removes variation selectors, which some clients include, as in `1f575-fe0f-200d-2642-fe0f`. */
export function plainCode(code: string): string {
  return code.replaceAll("-fe0f", "");
}

/** Reads the clients' own names first; the data sets only add names that are still free. */
function loadTable(): EmojiTable {
  const loaded: EmojiTable = { codes: new Map(), names: new Map() };
  for (const line of sentByClients.split("\n")) {
    const [code = "", ...names] = line.split(" ");
    if (code !== "" && code !== "#") for (const name of names) addName(loaded, name, code);
  }
  for (const source of [iamcal, joypixels]) {
    // The import attribute makes Bun import the file as text; TypeScript still types it as JSON.
    const entries: Record<string, string | string[]> = JSON.parse(source as unknown as string);
    for (const [hex, names] of Object.entries(entries)) {
      if (skinTone.test(hex)) continue;
      const code = plainCode(hex.toLowerCase());
      for (const name of typeof names === "string" ? [names] : names) addSpellings(loaded, name, code);
    }
  }
  return loaded;
}

/** Half of the data sets' names are spelled `rainbow-flag`; clients write `rainbow_flag`. */
function addSpellings(table: EmojiTable, name: string, code: string): void {
  addName(table, name.startsWith("-") ? name : name.replaceAll("-", "_"), code);
  if (!table.codes.has(name)) table.codes.set(name, code);
}

function addName({ codes, names }: EmojiTable, name: string, code: string): void {
  if (codes.has(name)) return;
  codes.set(name, code);
  const others = names.get(code);
  if (others) others.push(name);
  else names.set(code, [name]);
}
