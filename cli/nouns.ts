// Where each noun's commands lie, in the order of the help; a noun's code is loaded when a command line names it.
import type { Command } from "./command.ts";

type Load = () => Promise<{ default: Command[] }>;

const groups: Record<string, Record<string, Load>> = {
  "The server": {
    serve: () => import("./serve.ts"),
    init: () => import("./init.ts"),
    config: () => import("./config.ts"),
    health: () => import("./health.ts"),
    doctor: () => import("./doctor.ts"),
    stats: () => import("./stats.ts"),
    queue: () => import("./queues.ts"),
    backup: () => import("./backup.ts"),
    restore: () => import("./backup.ts"),
    export: () => import("./export.ts"),
  },
  People: {
    user: () => import("./users.ts"),
    invite: () => import("./invites.ts"),
    bot: () => import("./bots.ts"),
    group: () => import("./groups.ts"),
    "profile-field": () => import("./profile-fields.ts"),
    settings: () => import("./personal.ts"),
  },
  Conversations: {
    channel: () => import("./channels.ts"),
    folder: () => import("./folders.ts"),
    message: () => import("./messages.ts"),
    report: () => import("./reports.ts"),
  },
  "The organization": {
    realm: () => import("./realm.ts"),
    default: () => import("./defaults.ts"),
    emoji: () => import("./emoji.ts"),
    linkifier: () => import("./linkifiers.ts"),
    playground: () => import("./playgrounds.ts"),
    audit: () => import("./audit.ts"),
  },
  "By hand, and for scripts": {
    console: () => import("./console.ts"),
    api: () => import("./api.ts"),
    completion: () => import("./completion.ts"),
    reference: () => import("./reference.ts"),
    licenses: () => import("./licenses.ts"),
  },
};

const loads = new Map(Object.values(groups).flatMap((nouns) => Object.entries(nouns)));

/** Both are understood: `confab users list` is `confab user list`. */
export function pluralOf(noun: string): string {
  return noun.endsWith("s") ? noun : `${noun}s`;
}

/** The heading in the help under which a noun stands. */
export function groupOf(noun: string): string {
  return Object.keys(groups).find((name) => groups[name]?.[noun] !== undefined) ?? "";
}

/** The nouns that are among these words, in either number. */
export function nounsIn(words: readonly string[]): string[] {
  return [...loads.keys()].filter((noun) => words.includes(noun) || words.includes(pluralOf(noun)));
}

/** Commands by the nouns named. */
export async function commandsOf(nouns: readonly string[]): Promise<Command[]> {
  const modules = await Promise.all(nouns.map((noun) => loads.get(noun)?.()));
  return [...new Set(modules)].flatMap((module) => module?.default ?? []);
}

export function allCommands(): Promise<Command[]> {
  return commandsOf([...loads.keys()]);
}
