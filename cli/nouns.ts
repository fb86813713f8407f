// Where each noun's commands lie; a noun's code is loaded when a command line names it.
import type { Command } from "./command.ts";

export const nouns: Record<string, () => Promise<{ default: Command[] }>> = {
  serve: () => import("./serve.ts"),
  init: () => import("./init.ts"),
  config: () => import("./config.ts"),
  doctor: () => import("./doctor.ts"),
  stats: () => import("./stats.ts"),
  export: () => import("./export.ts"),
  backup: () => import("./backup.ts"),
  restore: () => import("./backup.ts"),
  user: () => import("./users.ts"),
  invite: () => import("./invites.ts"),
  "profile-field": () => import("./profile-fields.ts"),
  bot: () => import("./bots.ts"),
  channel: () => import("./channels.ts"),
  folder: () => import("./folders.ts"),
  group: () => import("./groups.ts"),
  default: () => import("./defaults.ts"),
  realm: () => import("./realm.ts"),
  emoji: () => import("./emoji.ts"),
  linkifier: () => import("./linkifiers.ts"),
  playground: () => import("./playgrounds.ts"),
  settings: () => import("./personal.ts"),
  report: () => import("./reports.ts"),
  queue: () => import("./queues.ts"),
  audit: () => import("./audit.ts"),
  api: () => import("./api.ts"),
  console: () => import("./console.ts"),
  reference: () => import("./reference.ts"),
  completion: () => import("./completion.ts"),
  message: () => import("./messages.ts"),
};

/** Both are understood: `confab users list` is `confab user list`. */
export function pluralOf(noun: string): string {
  return noun.endsWith("s") ? noun : `${noun}s`;
}

/** Commands by the nouns named; all of them where none is given. */
export async function commandsOf(named: readonly string[]): Promise<Command[]> {
  const modules = await Promise.all(named.map((noun) => nouns[noun]?.()));
  return [...new Set(modules)].flatMap((module) => module?.default ?? []);
}

export function allCommands(): Promise<Command[]> {
  return commandsOf(Object.keys(nouns));
}
