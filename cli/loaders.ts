// Where each noun's commands are; a noun's code is loaded when a command line names it.
import type { Command } from "./command.ts";
import { allNouns, type Noun } from "./nouns.ts";

const loaders: Record<Noun, () => Promise<{ default: Command[] }>> = {
  serve: () => import("./serve.ts"),
  init: () => import("./init.ts"),
  config: () => import("./config.ts"),
  health: () => import("./health.ts"),
  doctor: () => import("./doctor.ts"),
  stats: () => import("./stats.ts"),
  metrics: () => import("./metrics.ts"),
  logs: () => import("./logs.ts"),
  queue: () => import("./queues.ts"),
  mail: () => import("./mail.ts"),
  files: () => import("./file-stores.ts"),
  backup: () => import("./backup.ts"),
  restore: () => import("./backup.ts"),
  export: () => import("./export.ts"),
  import: () => import("./import.ts"),
  cluster: () => import("./cluster.ts"),
  node: () => import("./cluster.ts"),
  user: () => import("./users.ts"),
  invite: () => import("./invites.ts"),
  bot: () => import("./bots.ts"),
  group: () => import("./groups.ts"),
  "profile-field": () => import("./profile-fields.ts"),
  settings: () => import("./personal.ts"),
  channel: () => import("./channels.ts"),
  folder: () => import("./folders.ts"),
  message: () => import("./messages.ts"),
  report: () => import("./reports.ts"),
  realm: () => import("./realm.ts"),
  default: () => import("./defaults.ts"),
  emoji: () => import("./emoji.ts"),
  linkifier: () => import("./linkifiers.ts"),
  playground: () => import("./playgrounds.ts"),
  webhook: () => import("./webhooks.ts"),
  audit: () => import("./audit.ts"),
  console: () => import("./console.ts"),
  profile: () => import("./servers.ts"),
  api: () => import("./api.ts"),
  completion: () => import("./completion.ts"),
  suggest: () => import("./suggest.ts"),
  reference: () => import("./reference.ts"),
  licenses: () => import("./licenses.ts"),
};

/** Commands by the nouns named. */
export async function commandsOf(nouns: readonly Noun[]): Promise<Command[]> {
  const modules = await Promise.all(nouns.map((noun) => loaders[noun]()));
  return [...new Set(modules)].flatMap((module) => module.default);
}

export function allCommands(): Promise<Command[]> {
  return commandsOf(allNouns);
}
