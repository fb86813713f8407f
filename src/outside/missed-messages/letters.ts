// The mails about missed messages: one for each conversation, or a single one without their texts.

import { listKnownTo } from "@/foundation/acquaintance/access.ts";
import type { MailPosting } from "@/foundation/mail/actions.ts";
import type { MailBlock } from "@/foundation/mail/schema.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { settingsOf, translatorTo } from "@/foundation/user-settings/access.ts";
import { userFor } from "@/foundation/users/access.ts";
import { strangerFacts } from "@/foundation/users/present.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import type { MessageRow } from "@/messaging/message-rows/schema.ts";
import { messageUrl } from "@/messaging/messages/quotes.ts";
import { existingChannel } from "@/places/channels/access.ts";
import { conversation, participantsOf } from "@/places/conversations/access.ts";
import { topicKey } from "@/places/topics/schema.ts";
import type { Translator } from "@/text/language/translator.ts";
import { mailForms } from "./forms.ts";
import { missed, type Reason, reasons } from "./schema.ts";

export interface Missed {
  row: MessageRow;
  reason: Reason;
}

/** What all mails to one person have in common. */
interface MailReader {
  ctx: Ctx;
  userId: number;
  translator: Translator;
  /** "[Organization] " if the person wants it before each subject. */
  prefix: string;
  nameOf(userId: number): string;
  timeOf(seconds: number): string;
}

/** The mails about these messages, in the order of the conversations. */
export function lettersFor(ctx: Ctx, userId: number, messages: readonly Missed[]): MailPosting[] {
  const { name, message_content_allowed_in_email_notifications: isAllowed } = realmSettings.read(ctx);
  const settings = settingsOf(ctx, userId);
  const prefix = settings.realm_name_in_email_notifications_policy === namePolicy.always ? `[${name}] ` : "";
  const translator = translatorTo(ctx, userId);
  const timeOf = clockOf(ctx, userId, translator);
  const reader = { ctx, userId, translator, prefix, nameOf: namesFor(ctx, userId), timeOf };
  if (!isAllowed || !settings.message_content_in_email_notifications) return [silent(reader, messages)];
  const groups = Map.groupBy(messages, ({ row }) => `${row.conversation_id}:${topicKey(row.topic)}`);
  return [...groups.values()].flatMap(([first, ...others]) =>
    first ? [quoting(reader, [first, ...others])] : [],
  );
}

/** A server has one organization, so "automatic" is the same as "never". */
const namePolicy = { always: 2 } as const;

function namesFor(ctx: Ctx, userId: number): MailReader["nameOf"] {
  const known = listKnownTo(ctx, userId);
  return (id) => (known?.has(id) === false ? strangerFacts(ctx, id) : userFor(ctx, id)).full_name;
}

function clockOf(ctx: Ctx, userId: number, { language }: Translator): MailReader["timeOf"] {
  const timeZone = userFor(ctx, userId).timezone || "UTC";
  const { twenty_four_hour_time } = settingsOf(ctx, userId);
  const format = new Intl.DateTimeFormat(language.tag, {
    timeZone,
    ...(twenty_four_hour_time ? { hourCycle: "h23" } : {}),
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
  });
  return (seconds) => format.format(seconds * 1000);
}

/** Contains the number of messages, but not their text, place or senders. */
function silent({ ctx, userId, translator, prefix }: MailReader, messages: readonly Missed[]): MailPosting {
  const { name: organization } = realmSettings.read(ctx);
  const { t } = translator;
  return {
    ...addressTo(ctx, userId, messages),
    letter: {
      translator,
      subject: prefix + t("New messages"),
      heading: t("You have {count, plural, one {# unread message} other {# unread messages}}", {
        count: messages.length,
      }),
      blocks: [
        { text: t("Your settings, or the organization's, keep the texts of messages out of mails.") },
        { label: t("Open {organization}", { organization }), url: `${ctx.env.site}/#inbox` },
      ],
      footer: t("You get this mail because you were away when they came."),
    },
    thread: `unread-u${userId}`,
    list: { id: "messages", name: t("Messages") },
  };
}

function quoting(reader: MailReader, messages: readonly [Missed, ...Missed[]]): MailPosting {
  const { ctx, userId, translator, prefix, nameOf } = reader;
  const { t, list } = translator;
  const [{ row: first }] = messages;
  const { conversation_id, topic } = first;
  const { channel_id: channelId } = conversation(ctx, conversation_id);
  const title = titleOf(reader, first);
  const senders = [...new Set(messages.map(({ row }) => nameOf(row.sender_id)))];
  const hidden = messages.length - missed.maxQuoted;
  const blocks: MailBlock[] = messages.slice(0, missed.maxQuoted).map((one) => quoteMessage(reader, one));
  if (hidden > 0) {
    const more = "And {count, plural, one {# more message} other {# more messages}}.";
    blocks.push({ text: t(more, { count: hidden }) });
  }
  blocks.push({ label: t("Open the conversation"), url: ctx.env.site + messageUrl(ctx, first) });
  return {
    ...addressTo(ctx, userId, messages),
    letter: {
      translator,
      subject: prefix + title,
      heading: title,
      blocks,
      footer: t(
        "You get this mail because {reason}. To reply, open the conversation: nobody reads replies to this mail.",
        { reason: explainMail(reader, messages) },
      ),
    },
    from_name: senders.length > 3 ? `${list(senders.slice(0, 3))} …` : list(senders),
    thread: `c${conversation_id}-${hashOf(topicKey(topic))}-u${userId}`,
    list:
      channelId === null
        ? { id: "direct-messages", name: t("Direct messages") }
        : { id: `channel-${channelId}`, name: existingChannel(ctx, channelId).name },
  };
}

function addressTo(ctx: Ctx, userId: number, messages: readonly Missed[]) {
  return {
    recipient: userFor(ctx, userId).delivery_email,
    sender_id: userId,
    reader_id: userId,
    // A notice about a mail would cause the next mail.
    tells_sender: false,
    unsubscribe: { userId, kind: "messages" as const },
    quotes: messages.map(({ row }) => row.id),
  };
}

function titleOf(
  { ctx, userId, translator: { t, list }, nameOf }: MailReader,
  { conversation_id, topic }: MessageRow,
): string {
  const place = conversation(ctx, conversation_id);
  if (place.channel_id !== null) {
    const { name: channel } = existingChannel(ctx, place.channel_id);
    return t("{channel} > {topic}", { channel: `#${channel}`, topic: topic || t("general chat") });
  }
  const others = participantsOf(place).filter((id) => id !== userId);
  return t("Direct messages with {names}", { names: list(others.map(nameOf)) });
}

function quoteMessage({ ctx, translator, nameOf, timeOf }: MailReader, { row }: Missed): MailBlock {
  const forms = mailForms(row.rendered, ctx.env.site, translator);
  return { message: { sender: nameOf(row.sender_id), time: timeOf(row.sent_at), ...forms } };
}

/** For instance "Mel mentioned you, and Max wrote in a topic that you follow". */
function explainMail({ translator: { t }, nameOf }: MailReader, messages: readonly Missed[]): string {
  const clauses = new Set(
    messages.map(({ row, reason }) => t(reasons[reason], { name: nameOf(row.sender_id) })),
  );
  const [first = "", second, third] = clauses;
  if (second === undefined) return first;
  if (third === undefined) return t("{first}, and {second}", { first, second });
  return t("{first}, {second}, and {third}", { first, second, third });
}

const hashOf = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 16);
