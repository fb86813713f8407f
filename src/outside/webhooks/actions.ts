import { recordAudit } from "@/foundation/audit/actions.ts";
import { allow, isMember, memberOf } from "@/foundation/permissions/access.ts";
import { botTypes } from "@/foundation/permissions/schema.ts";
import { translatorToAll } from "@/foundation/realm/access.ts";
import { sendNotice } from "@/foundation/realm/hooks.ts";
import { translatorTo } from "@/foundation/user-settings/access.ts";
import { userFor } from "@/foundation/users/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { actingAs, action } from "@/kernel/core/operation.ts";
import { AppError, failInEnglish } from "@/kernel/lib/errors.ts";
import type { MessageRow } from "@/messaging/message-rows/schema.ts";
import { findMessageById } from "@/messaging/messages/access.ts";
import { messageUrl } from "@/messaging/messages/quotes.ts";
import { sendMessage } from "@/messaging/sending/actions.ts";
import type { SentMessage } from "@/messaging/sending/hooks.ts";
import { botsWithServices } from "@/outside/bots/access.ts";
import { mayRead } from "@/places/channels/access.ts";
import { conversation, participantsOf } from "@/places/conversations/access.ts";
import { quote } from "@/text/quoting/quoting.ts";
import { linkedText, userReference } from "@/text/quoting/references.ts";
import type { Rendered } from "@/text/rendering/render.ts";
import { triggers } from "./schema.ts";
import type { CallRow } from "./store.ts";
import * as store from "./store.ts";

/** Makes a call that waits due at once; the server tries it again within a second or two. */
export const tryCallNow = action(allow.admin, (tx, id: number): void => {
  if (!store.findCall(tx, id)) failInEnglish("MISSING", "This call is not waiting any more.");
  store.setDue(tx, id, tx.now);
});

/** Deletes a waiting call: the bot never gets the message. */
export const discardCall = action(allow.admin, (tx, id: number): void => {
  const call = store.findCall(tx, id) ?? failInEnglish("MISSING", "This call is not waiting any more.");
  store.deleteCall(tx, id);
  const bot = userFor(tx, call.bot_id);
  recordAudit(tx, {
    event: "webhook_call_discarded",
    about: { kind: "webhook", id, name: bot.full_name },
    personId: bot.bot_owner_id,
    data: { message: call.message_id },
  });
});

/**
 * Queues calls to the bots that a new message concerns: those it is sent to directly, those it mentions, and those in a group that it
 * mentions. Messages of bots are never posted, so that two bots cannot answer each other forever.
 */
export function noteForBots(tx: Tx, { row, recipient, rendered }: SentMessage): void {
  if (memberOf(tx, row.sender_id).is_bot) return;
  const isDirect = recipient.kind === "direct";
  if (!isDirect && rendered.mentionedUsers.length + rendered.mentionedGroups.length === 0) return;
  const addressed = isDirect ? recipient.people : listMentioned(tx, rendered);
  const trigger = isDirect ? triggers.direct : triggers.mention;
  for (const id of addressed) {
    const bot = memberOf(tx, id);
    if (bot.bot_type !== botTypes.outgoingWebhook || !bot.is_active) continue;
    if (!isDirect && !mayRead(tx, bot, recipient.channel)) continue;
    store.insertCall(tx, { bot_id: id, message_id: row.id, trigger });
  }
}

/** The bots mentioned by name, and those in mentioned groups. */
function listMentioned(tx: Tx, { mentionedUsers, mentionedGroups }: Rendered): ReadonlySet<number> {
  const inGroups = botsWithServices(tx).filter((id) =>
    mentionedGroups.some((group) => isMember(tx, group, memberOf(tx, id))),
  );
  return new Set([...mentionedUsers, ...inGroups]);
}

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
  sayIfAllowed(tx, call, row);
  const owner = bot.bot_owner_id;
  if (owner === null || !memberOf(tx, owner).is_active) return;
  const news = translatorTo(tx, owner).parts(
    "{bot} could not answer <link>a message</link>: the call to its service failed.",
    { bot: userReference(bot) },
  );
  const content = `${linkedText(news, messageUrl(tx, row))}\n${quote(reason)}`;
  sendNotice(tx, { to: { people: [owner] }, content });
}

/** Stays silent if the bot may not post there. */
function sayIfAllowed(tx: Tx, call: CallRow, { conversation_id }: MessageRow): void {
  const place = conversation(tx, conversation_id);
  const readers = place.channel_id === null ? participantsOf(place).filter((id) => id !== call.bot_id) : [];
  const [reader] = readers;
  const { t } = reader !== undefined && readers.length === 1 ? translatorTo(tx, reader) : translatorToAll(tx);
  try {
    reply(tx, call, t("Failure! I could not reach my service. My owner has been notified."));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}
