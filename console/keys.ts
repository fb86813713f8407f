// Every key of the console: what it does, where, and how help and footer name it.

export type Command =
  | "up"
  | "down"
  | "pageUp"
  | "pageDown"
  | "first"
  | "last"
  | "previousScreen"
  | "nextScreen"
  | "open"
  | "filter"
  | "create"
  | "edit"
  | "undo"
  | "help"
  | "back"
  | "quit";

export interface KeyRow {
  command: Command;
  /** The first is the one that is shown. */
  keys: readonly string[];
  about: string;
}

export const keyTable: readonly KeyRow[] = [
  { command: "down", keys: ["down", "j"], about: "next line" },
  { command: "up", keys: ["up", "k"], about: "line before" },
  { command: "pageDown", keys: ["pagedown", "ctrl+f", "ctrl+d"], about: "a page down" },
  { command: "pageUp", keys: ["pageup", "ctrl+b", "ctrl+u"], about: "a page up" },
  { command: "first", keys: ["home", "g"], about: "to the beginning" },
  { command: "last", keys: ["end", "G"], about: "to the end" },
  { command: "nextScreen", keys: ["right", "l", "tab"], about: "next screen" },
  { command: "previousScreen", keys: ["left", "h", "shift+tab"], about: "screen before" },
  { command: "open", keys: ["enter"], about: "open" },
  { command: "filter", keys: ["/"], about: "filter" },
  { command: "create", keys: ["n"], about: "new" },
  { command: "edit", keys: ["e"], about: "edit" },
  { command: "undo", keys: ["u"], about: "undo" },
  { command: "help", keys: ["?"], about: "help" },
  { command: "back", keys: ["q", "esc"], about: "back; on a list, quit" },
  { command: "quit", keys: ["ctrl+c"], about: "quit at once" },
];

const byKey = new Map(keyTable.flatMap(({ command, keys }) => keys.map((key) => [key, command] as const)));

export function commandOf(key: string): Command | undefined {
  return byKey.get(key);
}

const signs: Record<string, string> = {
  down: "↓",
  up: "↑",
  left: "←",
  right: "→",
  enter: "⏎",
  "shift+tab": "⇧tab",
  pagedown: "PgDn",
  pageup: "PgUp",
};

/** A key as people read it. */
export function keyName(key: string): string {
  return signs[key] ?? key.replace("ctrl+", "^").replace(/^\^(.)$/, (all) => all.toUpperCase());
}

export function keyOf(command: Command): string {
  return keyName(keyTable.find((row) => row.command === command)?.keys[0] ?? "");
}

/** Keys of fields, for help; what else is typed goes into the field. */
export const fieldKeys: readonly (readonly [keys: string, about: string])[] = [
  ["tab ↓", "next field"],
  ["⇧tab ↑", "field before"],
  ["← →", "another choice, or another place in the text"],
  ["^U ^W", "delete to the beginning, or a word"],
  ["⏎", "next field; on the last one, save"],
  ["^S", "save"],
  ["esc", "leave everything as it was"],
];
