// Events about bots go to the bot's owner and to administrators, who may change it.

import { isAdmin, memberOf, usersUpTo } from "@/foundation/permissions/access.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { everyBot } from "@/foundation/users/access.ts";
import type { RoleChange } from "@/foundation/users/hooks.ts";
import { clientsOutdated, maxChangesSent, type UserRow } from "@/foundation/users/schema.ts";
import type { Reads, Tx } from "@/kernel/core/context.ts";
import { type Audience, to as toUsers } from "@/kernel/core/events.ts";
import { presentConfiguration, servicesOf } from "./queries.ts";
import { type BotConfiguration, botAdded, botDeleted, botUpdated } from "./schema.ts";

type Owned = Pick<UserRow, "id" | "bot_owner_id">;

function keepersOf(reads: Reads, { bot_owner_id }: Owned): Audience {
  return { to: usersUpTo(reads, roles.admin), also: bot_owner_id === null ? [] : [bot_owner_id] };
}

export function emitBotAdded(tx: Tx, bot: UserRow): void {
  tx.emit(botAdded, keepersOf(tx, bot), { bot: presentConfiguration(tx, bot.id) });
}

export function emitBotChanged(tx: Tx, bot: Owned, change: Partial<BotConfiguration>): void {
  tx.emit(botUpdated, keepersOf(tx, bot), { bot: { user_id: bot.id, ...change } });
}

/** Emits a change of owner: the bot disappears for its former owner and appears for the new one. */
export function emitBotGiven(tx: Tx, bot: UserRow, before: number | null): void {
  const { id, bot_owner_id: owner_id } = bot;
  const keeps = (user: number | null): user is number => user !== null && !isAdmin(memberOf(tx, user));
  if (keeps(before)) tx.emit(botDeleted, { to: [before] }, { bot: { user_id: id } });
  if (keeps(owner_id)) tx.emit(botAdded, { to: [owner_id] }, { bot: presentConfiguration(tx, id) });
  const services = servicesOf(tx, id);
  if (services.length === 0) return;
  tx.emit(botUpdated, { to: usersUpTo(tx, roles.admin) }, { bot: { user_id: id, services } });
}

/** Emits all bots to a new administrator, and their removal to a former one, except for the user's own bots. */
export function emitVisibleBots(tx: Tx, { userId, from, to }: RoleChange): void {
  if (isAdmin({ role: from }) === isAdmin({ role: to })) return;
  const others = everyBot(tx).filter((bot) => bot.bot_owner_id !== userId);
  if (others.length > maxChangesSent) {
    tx.emit(clientsOutdated, toUsers(), { user_ids: [userId] });
    return;
  }
  const audience = { to: [userId] };
  for (const bot of others) {
    if (isAdmin({ role: to })) tx.emit(botAdded, audience, { bot: presentConfiguration(tx, bot.id) });
    else tx.emit(botDeleted, audience, { bot: { user_id: bot.id } });
  }
}
