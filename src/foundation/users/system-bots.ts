import type { Reads } from "@/kernel/context.ts";
import type { SystemBotKind } from "./schema.ts";
import type { UserRow } from "./store.ts";
import * as store from "./store.ts";

function systemBot(reads: Reads, kind: SystemBotKind): UserRow {
  const bot = store.listSystemBots(reads).find((row) => row.system_bot === kind);
  if (!bot) throw new Error(`The organization lacks its ${kind} bot`);
  return bot;
}

/** The bot that sends notices. */
export function notificationBot(reads: Reads): UserRow {
  return systemBot(reads, "notification");
}

/** The bot that greets new people. */
export function welcomeBot(reads: Reads): UserRow {
  return systemBot(reads, "welcome");
}
