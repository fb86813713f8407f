// A bot that gets another owner: what its former owner still knows of it, and what both are told.

import { newKey } from "@/foundation/auth/secrets.ts";
import { sendNotice } from "@/foundation/realm/notices.ts";
import { type UserRow, userFor } from "@/foundation/users/access.ts";
import { knownTo } from "@/foundation/users/acquaintance.ts";
import type { BotGiven } from "@/foundation/users/hooks.ts";
import type { Tx } from "@/kernel/context.ts";
import { quoted } from "@/text/rendering/quoting.ts";
import { userReference } from "@/text/rendering/references.ts";
import { serviceOf } from "./access.ts";
import { tellBotGiven } from "./notices.ts";
import * as store from "./store.ts";

/**
 * Stops posting a bot's messages to the address that its former owner chose, and replaces the token that they know;
 * returns that address, null where there is none.
 */
function closeService(tx: Tx, botId: number): string | null {
  const service = serviceOf(tx, botId);
  if (!service || service.base_url === store.noAddress) return null;
  store.setService(tx, botId, { ...service, base_url: store.noAddress, token: newKey() });
  return service.base_url;
}

interface Handover extends BotGiven {
  /** The address that its messages are no longer posted to, if there was one. */
  closed: string | null;
}

/** A bot has a new owner: ends what its former owner knows of it, and tells both. */
export function handOver(tx: Tx, given: BotGiven): void {
  const closed = given.endsKeys ? closeService(tx, given.bot.id) : null;
  tellBotGiven(tx, given.bot, given.from);
  writeToOwners(tx, { ...given, closed });
}

/** Writes to a bot's new owner what to do, and to its former owner if they still know its key. */
function writeToOwners(tx: Tx, { bot, from, to, endsKeys, closed }: Handover): void {
  const write = (person: number, ...lines: string[]) =>
    sendNotice(tx, { to: { people: [person] }, content: lines.join("\n") });
  const begin = `${made(tx, to)} the owner of the bot ${userReference(bot)}.`;
  if (endsKeys) {
    const key =
      "Its API key no longer works, so that nobody who knew it can act as the bot: make a new one to use it.";
    const address = "Its messages are no longer posted to this address; set it again if they should be:";
    write(to, `${begin} ${key}`, ...(closed === null ? [] : [address, quoted(closed)]));
    return;
  }
  const former = from === null ? null : userFor(tx, from);
  const known = former ? `, which ${nameFor(tx, to, former)} still knows` : "";
  const service = serviceOf(tx, bot.id);
  const posts = service
    ? ["Its messages are posted to this address, as before:", quoted(service.base_url)]
    : [];
  write(to, `${begin} It keeps running with its API key${known}: make a new one to end that.`, ...posts);
  if (!former?.is_active) return;
  const given = `${nameFor(tx, former.id, userFor(tx, to))} is the owner of your bot ${userReference(bot)} now.`;
  write(
    former.id,
    `${given} It keeps running with its API key, which you still know; its new owner has been told so.`,
  );
}

/** The beginning of a sentence that says who made `owner` the owner of something. */
function made(tx: Tx, owner: number): string {
  if (tx.actor.kind !== "user" || tx.actor.id === owner) return "You are now";
  return `${nameFor(tx, owner, userFor(tx, tx.actor.id))} made you`;
}

/** A user, as a mention that notifies nobody; unnamed to a guest who may not know them. */
function nameFor(tx: Tx, reader: number, user: UserRow): string {
  return (knownTo(tx, reader)?.has(user.id) ?? true) ? userReference(user) : "somebody";
}
