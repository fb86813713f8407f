// All keys of the console: their actions, where they apply, and their descriptions in help and footer.

interface KeyRow {
  command: string;
  /** The first one is shown. */
  keys: readonly string[];
  about: string;
}

export const keyTable = [
  { command: "down", keys: ["down", "j"], about: "next line" },
  { command: "up", keys: ["up", "k"], about: "previous line" },
  { command: "pageDown", keys: ["pagedown", "ctrl+f", "ctrl+d"], about: "a page down" },
  { command: "pageUp", keys: ["pageup", "ctrl+b", "ctrl+u"], about: "a page up" },
  { command: "first", keys: ["home", "g"], about: "to the beginning" },
  { command: "last", keys: ["end", "G"], about: "to the end" },
  {
    command: "nextScreen",
    keys: ["right"],
    about: "next screen; in details, the next name that leads somewhere",
  },
  { command: "previousScreen", keys: ["left"], about: "previous screen or name" },
  {
    command: "find",
    keys: [":", "ctrl+p"],
    about: "go to any screen, person, channel, group, setting or command",
  },
  { command: "open", keys: ["enter"], about: "open; in details, go where the selected name leads" },
  { command: "other", keys: ["tab", "shift+tab"], about: "from the list to the details, and back" },
  { command: "filter", keys: ["/"], about: "filter; !word leaves out rows with it" },
  { command: "sort", keys: ["o"], about: "order by the next column" },
  { command: "reverse", keys: ["O"], about: "reverse the order" },
  { command: "mark", keys: [" "], about: "mark the row; the next action applies to all marked rows" },
  { command: "markAll", keys: ["*"], about: "mark all rows that the filter shows, or none" },
  { command: "create", keys: ["n"], about: "new" },
  { command: "edit", keys: ["e"], about: "edit" },
  { command: "undo", keys: ["u"], about: "undo" },
  { command: "copy", keys: ["y"], about: "copy to this computer's clipboard" },
  { command: "copyText", keys: ["Y"], about: "copy the row, or all marked ones, as text" },
  { command: "copyJson", keys: ["Z"], about: "copy the same as JSON, with its details" },
  {
    command: "browse",
    keys: ["V"],
    about: "open it in the browser, or copy its address if no browser opens",
  },
  { command: "columns", keys: ["c"], about: "choose the columns" },
  { command: "help", keys: ["?"], about: "help" },
  { command: "back", keys: ["esc"], about: "back" },
  { command: "leave", keys: ["q"], about: "back, or leave the console" },
  { command: "quit", keys: ["ctrl+c"], about: "leave at once" },
] as const satisfies readonly KeyRow[];
export type KeyCommand = (typeof keyTable)[number]["command"];

const byKey = new Map<string, KeyCommand>(
  keyTable.flatMap(({ command, keys }) => keys.map((key) => [key, command] as const)),
);

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
  " ": "space",
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
