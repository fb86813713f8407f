// Posting a bot's reply, and notifying its owner of failures.

import { memberOf } from "@/foundation/permissions/access.ts";
import { sendNotice } from "@/foundation/realm/hooks.ts";
import { userFor } from "@/foundation/users/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { actingAs } from "@/kernel/core/operation.ts";
import { AppError } from "@/kernel/lib/errors.ts";
import { findMessageById } from "@/messaging/messages/access.ts";
import { messageUrl } from "@/messaging/messages/quotes.ts";
import { sendMessage } from "@/messaging/sending/actions.ts";
import { conversation, participantsOf } from "@/places/conversations/access.ts";
import { quoted } from "@/text/quoting/quoting.ts";
import { userReference } from "@/text/quoting/references.ts";
import type { CallRow } from "./store.ts";

/** Posts a reply as the bot, to the current topic of the message it was called for; does nothing if that is deleted. */
export function reply(tx: Tx, { bot_id, message_id }: CallRow, content: string): void {
  const row = findMessageById(tx, message_id);
  if (!row || !memberOf(tx, bot_id).is_active) return;
  const place = conversation(tx, row.conversation_id);
  const asBot = actingAs(tx, { kind: "user", id: bot_id, client: "Webhook" });
  const to =
    place.channel_id === null ? participantsOf(place).filter((id) => id !== bot_id) : [place.channel_id];
  const where =
    place.channel_id === null
      ? ({ type: "direct" } as const)
      : { type: "channel" as const, topic: row.topic };
  sendMessage.in(asBot, { ...where, to, content });
}

/** Says in the conversation that the bot could not answer, and notifies its owner of the reason. */
export function complain(tx: Tx, call: CallRow, reason: string): void {
  const row = findMessageById(tx, call.message_id);
  const bot = userFor(tx, call.bot_id);
  if (!row) return;
  sayIfAllowed(tx, call);
  const owner = bot.bot_owner_id;
  if (owner === null || !memberOf(tx, owner).is_active) return;
  const subject = `${userReference(bot)} could not answer [a message](${messageUrl(tx, row)})`;
  const content = `${subject}: the call to its service failed.\n${quoted(reason)}`;
  sendNotice(tx, { to: { people: [owner] }, content });
}

/** Stays silent if the bot may not post there. */
function sayIfAllowed(tx: Tx, call: CallRow): void {
  try {
    reply(tx, call, "Failure! I could not reach my service. My owner has been notified.");
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}
