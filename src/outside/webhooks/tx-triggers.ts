// Which messages are posted to bots: direct messages to them, and messages that mention them or a group they are in.
// Messages of bots are never posted, so that two bots cannot answer each other forever.

import { isMember, memberOf } from "@/foundation/permissions/access.ts";
import { botTypes } from "@/foundation/permissions/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import type { SentMessage } from "@/messaging/sending/hooks.ts";
import { botsWithServices } from "@/outside/bots/access.ts";
import { mayRead } from "@/places/channels/access.ts";
import type { Rendered } from "@/text/rendering/render.ts";
import { triggers } from "./schema.ts";
import { insertCall } from "./store.ts";

/** Queues calls to the bots that a new message concerns. Runs in the transaction of sending it. */
export function noteForBots(tx: Tx, { row, recipient, rendered }: SentMessage): void {
  if (memberOf(tx, row.sender_id).is_bot) return;
  const isDirect = recipient.kind === "direct";
  if (!isDirect && rendered.mentionedUsers.length + rendered.mentionedGroups.length === 0) return;
  const addressed = isDirect ? recipient.people : mentionedIn(tx, rendered);
  const trigger = isDirect ? triggers.direct : triggers.mention;
  for (const id of addressed) {
    const bot = memberOf(tx, id);
    if (bot.bot_type !== botTypes.outgoingWebhook || !bot.is_active) continue;
    if (!isDirect && !mayRead(tx, bot, recipient.channel)) continue;
    insertCall(tx, { bot_id: id, message_id: row.id, trigger });
  }
}

/** The bots mentioned by name, and those in mentioned groups. */
function mentionedIn(tx: Tx, { mentionedUsers, mentionedGroups }: Rendered): ReadonlySet<number> {
  const inGroups = botsWithServices(tx).filter((id) =>
    mentionedGroups.some((group) => isMember(tx, group, memberOf(tx, id))),
  );
  return new Set([...mentionedUsers, ...inGroups]);
}
