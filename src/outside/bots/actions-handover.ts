// Changing a bot's owner: revokes what the former owner knows, and notifies both.

import { listKnownTo } from "@/foundation/acquaintance/access.ts";
import { sendNotice } from "@/foundation/realm/hooks.ts";
import { newKey } from "@/foundation/secrets/secrets.ts";
import { translatorTo } from "@/foundation/user-settings/access.ts";
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
  const { t } = translatorTo(tx, to);
  const first = sentenceOfChange(tx, to, userReference(bot));
  if (endsKeys) {
    const second = t("Its old API key no longer works. Create a new one to use the bot.");
    const address = t("Its messages are no longer posted to this URL; to resume, set it again:");
    write(to, t("{first} {second}", { first, second }), ...(closed === null ? [] : [address, quote(closed)]));
    return;
  }
  const former = from === null ? null : userFor(tx, from);
  const second = former
    ? t(
        "It keeps running with its API key, which {person} still knows. To revoke the key, create a new one.",
        {
          person: nameFor(tx, to, former),
        },
      )
    : t("It keeps running with its API key. To revoke the key, create a new one.");
  const service = serviceOf(tx, bot.id);
  const posts = service ? [t("Its messages are still posted to this URL:"), quote(service.base_url)] : [];
  write(to, t("{first} {second}", { first, second }), ...posts);
  if (former?.is_active) write(former.id, textToFormer(tx, { former, bot, owner: userFor(tx, to) }));
}

function textToFormer(
  tx: Tx,
  { former, bot, owner }: { former: UserRow; bot: UserRow; owner: UserRow },
): string {
  const { t } = translatorTo(tx, former.id);
  return t(
    "{person} is now the owner of your bot {bot}. It keeps running with its API key, which you still know. The new owner knows that you do.",
    { person: nameFor(tx, former.id, owner), bot: userReference(bot) },
  );
}

/** Notifies a bot's owner that an administrator knows its key, because a bot may go where its owner may. */
export function notifyOfKey(tx: Tx, bot: UserRow, how: "made" | "renewed"): void {
  if (tx.actor.kind !== "user" || bot.bot_owner_id === null) return;
  const owner = userFor(tx, bot.bot_owner_id);
  if (!owner.is_active) return;
  const { t } = translatorTo(tx, owner.id);
  const names = { person: nameFor(tx, owner.id, userFor(tx, tx.actor.id)), bot: userReference(bot) };
  const content =
    how === "made"
      ? t(
          "{person} made the bot {bot} for you, and knows its API key. To revoke the key, create a new one.",
          names,
        )
      : t(
          "{person} created a new API key for your bot {bot}, and knows it. The old one no longer works. To revoke the key, create a new one.",
          names,
        );
  sendNotice(tx, { to: { people: [owner.id] }, content });
}

/** Says who made `owner` the owner. */
function sentenceOfChange(tx: Tx, owner: number, bot: string): string {
  const { t } = translatorTo(tx, owner);
  if (tx.actor.kind !== "user" || tx.actor.id === owner) {
    return t("You are now the owner of the bot {bot}.", { bot });
  }
  const person = nameFor(tx, owner, userFor(tx, tx.actor.id));
  return t("{person} made you the owner of the bot {bot}.", { person, bot });
}

/** A silent mention of a user, or "somebody" for a guest who may not know them. */
function nameFor(tx: Tx, reader: number, user: UserRow): string {
  const isKnown = listKnownTo(tx, reader)?.has(user.id) ?? true;
  return isKnown ? userReference(user) : translatorTo(tx, reader).t("somebody");
}
