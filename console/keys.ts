// All keys of the console: what they do, where, and how help and footer describe them.

export type KeyCommand =
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
  command: KeyCommand;
  /** The first one is shown. */
  keys: readonly string[];
  about: string;
}

export const keyTable: readonly KeyRow[] = [
  { command: "down", keys: ["down", "j"], about: "next line" },
  { command: "up", keys: ["up", "k"], about: "previous line" },
  { command: "pageDown", keys: ["pagedown", "ctrl+f", "ctrl+d"], about: "a page down" },
  { command: "pageUp", keys: ["pageup", "ctrl+b", "ctrl+u"], about: "a page up" },
  { command: "first", keys: ["home", "g"], about: "to the beginning" },
  { command: "last", keys: ["end", "G"], about: "to the end" },
  { command: "nextScreen", keys: ["right", "l", "tab"], about: "next screen" },
  { command: "previousScreen", keys: ["left", "h", "shift+tab"], about: "previous screen" },
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

export function commandOf(key: string): KeyCommand | undefined {
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

/** A key's name as shown. */
export function keyName(key: string): string {
  return signs[key] ?? key.replace("ctrl+", "^").replace(/^\^(.)$/, (all) => all.toUpperCase());
}

export function keyOf(command: KeyCommand): string {
  return keyName(keyTable.find((row) => row.command === command)?.keys[0] ?? "");
}

/** Keys in fields, for help; all other keys type text. */
export const fieldKeys: readonly (readonly [keys: string, about: string])[] = [
  ["tab ↓", "next field"],
  ["⇧tab ↑", "previous field"],
  ["← →", "change the choice, or move in the text"],
  ["^U ^W", "delete to the beginning, or one word"],
  ["⏎", "next field; on the last one, save"],
  ["^S", "save"],
  ["esc", "cancel without saving"],
];
