// Names and codes of the Unicode emoji. Parsed at first use: most server processes never need it.
import iamcal from "emojibase-data/en/shortcodes/iamcal.json" with { type: "text" };
import joypixels from "emojibase-data/en/shortcodes/joypixels.json" with { type: "text" };

interface EmojiTable {
  codes: Map<string, string>;
  names: Map<string, string>;
}

// Wire: names this family of clients uses for other code points than the data sets do.
const overrides: [name: string, code: string][] = [
  ["smile", "1f642"],
  ["frown", "1f641"],
  ["big_smile", "1f604"],
  ["working_on_it", "1f6e0"],
  ["check", "2705"],
];

const skinTone = /1F3F[B-F]/;

let table: EmojiTable | undefined;

/** The dash-separated lower-case hex code of an emoji's name. */
export function emojiByName(name: string): string | null {
  table ??= loadTable();
  return table.codes.get(name) ?? null;
}

/** The preferred name of an emoji's code. */
export function nameOfEmoji(code: string): string | null {
  table ??= loadTable();
  return table.names.get(code) ?? null;
}

function loadTable(): EmojiTable {
  const loaded: EmojiTable = {
    codes: new Map(overrides),
    names: new Map(overrides.map(([name, code]) => [code, name])),
  };
  for (const source of [iamcal, joypixels]) {
    // The attribute makes Bun import text; TypeScript knows the file as JSON.
    const entries: Record<string, string | string[]> = JSON.parse(source as unknown as string);
    for (const [hex, names] of Object.entries(entries)) {
      // Codes leave out the variation selector, as in `2764` for the heart.
      if (!skinTone.test(hex)) addEmoji(loaded, hex.toLowerCase().replaceAll("-fe0f", ""), names);
    }
  }
  return loaded;
}

function addEmoji({ codes, names }: EmojiTable, code: string, found: string | string[]): void {
  for (const name of typeof found === "string" ? [found] : found) {
    // Half of the names come as `rainbow-flag`; clients write `rainbow_flag`.
    const spelled = name.startsWith("-") ? name : name.replaceAll("-", "_");
    for (const each of [spelled, name]) if (!codes.has(each)) codes.set(each, code);
    if (!names.has(code) && codes.get(spelled) === code) names.set(code, spelled);
  }
}
