// Changing a bot's owner: revokes what the former owner knows, and notifies both.

import { listKnownTo } from "@/foundation/acquaintance/access.ts";
import { sendNotice } from "@/foundation/realm/hooks.ts";
import { newKey } from "@/foundation/secrets/secrets.ts";
import { userFor } from "@/foundation/users/access.ts";
import type { BotGiven } from "@/foundation/users/hooks.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { quote } from "@/text/quoting/quoting.ts";
import { userReference } from "@/text/quoting/references.ts";
import { serviceOf } from "./access.ts";
import { emitBotGiven } from "./actions-notices.ts";
import * as store from "./store.ts";

/**
 * Stops posting a bot's messages to the URL that its former owner set, and replaces the token that they know. Returns
 * that URL, or null.
 */
function closeService(tx: Tx, botId: number): string | null {
  const service = serviceOf(tx, botId);
  if (!service || service.base_url === store.noAddress) return null;
  store.setService(tx, botId, { ...service, base_url: store.noAddress, token: newKey() });
  return service.base_url;
}

interface Handover extends BotGiven {
  /** The URL that messages are no longer posted to, if there was one. */
  closed: string | null;
}

/** Hands a bot over to its new owner: revokes what the former owner knows of it, and notifies both. */
export function handOver(tx: Tx, given: BotGiven): void {
  const closed = given.endsKeys ? closeService(tx, given.bot.id) : null;
  emitBotGiven(tx, given.bot, given.from);
  writeToOwners(tx, { ...given, closed });
}

/** Tells the new owner what to do, and the former owner if they still know the key. */
function writeToOwners(tx: Tx, { bot, from, to, endsKeys, closed }: Handover): void {
  const write = (person: number, ...lines: string[]) =>
    sendNotice(tx, { to: { people: [person] }, content: lines.join("\n") });
  const begin = `${phraseOfChange(tx, to)} the owner of the bot ${userReference(bot)}.`;
  if (endsKeys) {
    const key = "Its old API key no longer works. Create a new one to use the bot.";
    const address = "Its messages are no longer posted to this URL; to resume, set it again:";
    write(to, `${begin} ${key}`, ...(closed === null ? [] : [address, quote(closed)]));
    return;
  }
  const former = from === null ? null : userFor(tx, from);
  const known = former ? `, which ${nameFor(tx, to, former)} still knows` : "";
  const service = serviceOf(tx, bot.id);
  const posts = service ? ["Its messages are still posted to this URL:", quote(service.base_url)] : [];
  write(
    to,
    `${begin} It keeps running with its API key${known}. To revoke the key, create a new one.`,
    ...posts,
  );
  if (!former?.is_active) return;
  const given = `${nameFor(tx, former.id, userFor(tx, to))} is now the owner of your bot ${userReference(bot)}.`;
  write(
    former.id,
    `${given} It keeps running with its API key, which you still know. The new owner knows that you do.`,
  );
}

/** Notifies a bot's owner that an administrator knows its key, because a bot may go where its owner may. */
export function notifyOfKey(tx: Tx, bot: UserRow, how: "made" | "renewed"): void {
  if (tx.actor.kind !== "user" || bot.bot_owner_id === null) return;
  const owner = userFor(tx, bot.bot_owner_id);
  if (!owner.is_active) return;
  const actor = nameFor(tx, owner.id, userFor(tx, tx.actor.id));
  const reference = userReference(bot);
  const done =
    how === "made"
      ? `${actor} made the bot ${reference} for you, and knows its API key.`
      : `${actor} created a new API key for your bot ${reference}, and knows it. The old one no longer works.`;
  sendNotice(tx, { to: { people: [owner.id] }, content: `${done} To revoke the key, create a new one.` });
}

/** The beginning of a sentence that says who made `owner` the owner. */
function phraseOfChange(tx: Tx, owner: number): string {
  if (tx.actor.kind !== "user" || tx.actor.id === owner) return "You are now";
  return `${nameFor(tx, owner, userFor(tx, tx.actor.id))} made you`;
}

/** A silent mention of a user, or "somebody" for a guest who may not know them. */
function nameFor(tx: Tx, reader: number, user: UserRow): string {
  return (listKnownTo(tx, reader)?.has(user.id) ?? true) ? userReference(user) : "somebody";
}
