import { recordAudit } from "@/foundation/audit/actions.ts";
import { allow, isAdmin, me } from "@/foundation/permissions/access.ts";
import { translatorToAll } from "@/foundation/realm/access.ts";
import { sendNotice } from "@/foundation/realm/hooks.ts";
import { limits, realmSettings } from "@/foundation/realm/schema.ts";
import { shorten } from "@/foundation/realm/texts.ts";
import { userFor } from "@/foundation/users/access.ts";
import type { Ctx, Tx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import type { MessageRow } from "@/messaging/message-rows/schema.ts";
import { messageFor } from "@/messaging/messages/access.ts";
import { quotation } from "@/messaging/messages/quotes.ts";
import { findChannel } from "@/places/channels/access.ts";
import { mentionOf, noticeTopic } from "@/places/channels/queries.ts";
import type { ChannelRow } from "@/places/channels/schema.ts";
import { conversation } from "@/places/conversations/access.ts";
import { withoutIsolates } from "@/text/language/translator.ts";
import { quote } from "@/text/quoting/quoting.ts";
import { type Handling, type NewReport, reasons } from "./schema.ts";
import * as store from "./store.ts";

/** Reports a message to the moderators. */
export const reportMessage = action(allow.user, (tx, input: NewReport): void => {
  const channel = moderationChannel(tx);
  const row = messageFor(tx, input.message_id);
  if (input.report_type === "other" && input.description === "") {
    fail("BAD_REQUEST", "Please describe what is wrong with this message.");
  }

  const topic = noticeTopic(channel, topicAbout(tx, row));
  const notice_id = sendNotice(tx, {
    to: { channelId: channel.id, topic },
    content: noticeOf(tx, row, input),
  });
  store.insertReport(tx, { ...input, reported_id: row.sender_id, reporter_id: me(tx).id, notice_id });
});

/** Marks a report as handled, with a note, or as open again. A moderator who is reported leaves that to others. */
export const handleReport = action(
  allow.moderator,
  (tx, { report_id: id, is_handled, note }: Handling): void => {
    const before = store.findReport(tx, id) ?? fail("NOT_FOUND", "This report does not exist.");
    if (before.reported_id === tx.actor.id && !isAdmin(me(tx)))
      fail("BAD_REQUEST", "This report is about a message of yours: another moderator has to handle it.");
    if ((before.handled_at !== null) === is_handled)
      fail("BAD_REQUEST", is_handled ? "This report is handled already." : "This report is open.");

    store.setHandled(tx, id, {
      handled_at: is_handled ? tx.now : null,
      handled_by: is_handled ? me(tx).id : null,
      handled_note: is_handled ? note : "",
    });
    recordAudit(tx, {
      event: is_handled ? "report_handled" : "report_reopened",
      about: { kind: "report", id },
      personId: before.reported_id,
      data: { message: before.message_id, ...(note !== "" && { note }) },
    });
  },
);

function moderationChannel(ctx: Ctx): ChannelRow {
  const channel = findChannel(ctx, realmSettings.read(ctx).moderation_request_channel_id);
  return channel ?? fail("BAD_REQUEST", "This organization has no channel for message reports.");
}

function topicAbout(ctx: Ctx, row: MessageRow): string {
  const { t } = translatorToAll(ctx);
  const topic = withoutIsolates(t("Reports about {name}", { name: userFor(ctx, row.sender_id).full_name }));
  return shorten(topic, limits.max_topic_length, "...");
}

/** The notice to moderators: who reports which sender and why, then the description and the message in quote blocks. */
function noticeOf(tx: Tx, row: MessageRow, { report_type, description }: NewReport): string {
  const translator = translatorToAll(tx);
  const { t } = translator;
  const names = { person: mentionOf(tx, me(tx).id), sender: mentionOf(tx, row.sender_id) };
  const isDirect = conversation(tx, row.conversation_id).channel_id === null;
  const news = isDirect
    ? t("{person} reported a direct message by {sender}.", names)
    : t("{person} reported a message by {sender}.", names);
  const parts = [
    `${news}\n${t("**Reason**: {reason}", { reason: t(reasons[report_type]) })}`,
    ...(description === "" ? [] : [quote(description)]),
  ];
  const before = `${parts.join("\n\n")}\n\n`;
  return before + quotation(tx, translator, row, limits.max_message_length - before.length);
}
