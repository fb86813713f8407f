// Where each noun's commands are; a noun's code is loaded when a command line names it.
import type { Command } from "./command.ts";
import { allNouns, type CommandNoun } from "./nouns.ts";

const loaders: Record<CommandNoun, () => Promise<{ default: Command[] }>> = {
  serve: () => import("./commands/serve.ts"),
  setup: () => import("./commands/setup.ts"),
  init: () => import("./commands/init.ts"),
  config: () => import("./commands/config.ts"),
  health: () => import("./commands/health.ts"),
  doctor: () => import("./commands/doctor.ts"),
  stats: () => import("./commands/stats.ts"),
  metrics: () => import("./commands/metrics.ts"),
  logs: () => import("./commands/logs.ts"),
  queue: () => import("./commands/queue.ts"),
  mail: () => import("./commands/mail.ts"),
  files: () => import("./commands/files.ts"),
  backup: () => import("./commands/backup.ts"),
  restore: () => import("./commands/backup.ts"),
  export: () => import("./commands/export.ts"),
  import: () => import("./commands/import.ts"),
  cluster: () => import("./commands/cluster.ts"),
  node: () => import("./commands/cluster.ts"),
  user: () => import("./commands/user.ts"),
  invite: () => import("./commands/invite.ts"),
  bot: () => import("./commands/bot.ts"),
  group: () => import("./commands/group.ts"),
  "profile-field": () => import("./commands/profile-field.ts"),
  settings: () => import("./commands/settings.ts"),
  channel: () => import("./commands/channel.ts"),
  folder: () => import("./commands/folder.ts"),
  message: () => import("./commands/message.ts"),
  report: () => import("./commands/report.ts"),
  realm: () => import("./commands/realm.ts"),
  default: () => import("./commands/default.ts"),
  emoji: () => import("./commands/emoji.ts"),
  linkifier: () => import("./commands/linkifier.ts"),
  playground: () => import("./commands/playground.ts"),
  webhook: () => import("./commands/webhook.ts"),
  audit: () => import("./commands/audit.ts"),
  console: () => import("./commands/console.ts"),
  profile: () => import("./commands/profile.ts"),
  api: () => import("./commands/api.ts"),
  completion: () => import("./commands/completion.ts"),
  suggest: () => import("./commands/suggest.ts"),
  reference: () => import("./commands/reference.ts"),
  licenses: () => import("./commands/licenses.ts"),
};

/** Commands by the nouns named. */
export async function commandsOf(nouns: readonly CommandNoun[]): Promise<Command[]> {
  const modules = await Promise.all(nouns.map((noun) => loaders[noun]()));
  return [...new Set(modules)].flatMap((module) => module.default);
}

export function allCommands(): Promise<Command[]> {
  return commandsOf(allNouns);
}
