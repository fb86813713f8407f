// Which messages are posted to bots: those that mention them, and direct ones. The message of a bot never is, so that
// no two bots talk to each other without end.
import { mayRead } from "@/channels/access.ts";
import type { Tx } from "@/kernel/context.ts";
import type { MessageRow } from "@/messages/access.ts";
import type { Recipient } from "@/messages/recipients.ts";
import { memberOf } from "@/permissions/access.ts";
import { botTypes } from "@/permissions/schema.ts";
import { triggers } from "./schema.ts";
import { insertCall } from "./store.ts";

/** Has a message posted to the bots it is for; part of sending it. */
export function noteForBots(
  tx: Tx,
  row: MessageRow,
  { recipient, mentioned }: { recipient: Recipient; mentioned: readonly number[] },
): void {
  if (memberOf(tx, row.sender_id).is_bot) return;
  const isDirect = recipient.kind === "direct";
  const addressed = isDirect ? [...recipient.people] : mentioned;
  const trigger = isDirect ? triggers.direct : triggers.mention;
  for (const id of addressed) {
    const bot = memberOf(tx, id);
    if (bot.bot_type !== botTypes.outgoingWebhook || !bot.is_active) continue;
    if (!isDirect && !mayRead(tx, bot, recipient.channel)) continue;
    insertCall(tx, { bot_id: id, message_id: row.id, trigger });
  }
}
