// The nouns of the commands, in the order of the help.

const groups = {
  "The server": [
    "serve",
    "setup",
    "init",
    "config",
    "health",
    "doctor",
    "stats",
    "metrics",
    "logs",
    "queue",
    "mail",
    "files",
    "backup",
    "restore",
    "export",
    "import",
    "cluster",
    "node",
  ],
  People: ["user", "invite", "bot", "group", "profile-field", "settings"],
  Conversations: ["channel", "folder", "message", "report"],
  "The organization": ["realm", "default", "emoji", "linkifier", "playground", "webhook", "audit"],
  Tools: ["console", "profile", "api", "completion", "suggest", "reference", "licenses"],
} as const;

export type CommandNoun = (typeof groups)[keyof typeof groups][number];

const headings = new Map(
  Object.entries(groups).flatMap(([heading, nouns]) =>
    nouns.map((noun): [CommandNoun, string] => [noun, heading]),
  ),
);

export const allNouns: readonly CommandNoun[] = [...headings.keys()];

/** Plurals work too: `confab users list` is `confab user list`. */
export function pluralOf(noun: string): string {
  return noun.endsWith("s") ? noun : `${noun}s`;
}

/** The heading of a noun in the help. */
export function groupOf(noun: string): string {
  return headings.get(noun as CommandNoun) ?? "";
}

/** The nouns among these words, in singular or plural. */
export function nounsIn(words: readonly string[]): CommandNoun[] {
  return allNouns.filter((noun) => words.includes(noun) || words.includes(pluralOf(noun)));
}
