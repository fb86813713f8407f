// Quotes messages in other messages.

import { mayKnow } from "@/foundation/acquaintance/access.ts";
import { shorten } from "@/foundation/realm/texts.ts";
import { userFor } from "@/foundation/users/access.ts";
import { strangerFacts } from "@/foundation/users/present.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import type { MessageRow } from "@/messaging/message-rows/schema.ts";
import { existingChannel } from "@/places/channels/access.ts";
import { conversation, participantsOf } from "@/places/conversations/access.ts";
import type { Translator } from "@/text/language/translator.ts";
import { directMessageUrl, topicUrl } from "@/text/quoting/narrow-url.ts";
import { quoteWithin } from "@/text/quoting/quoting.ts";
import { linkedText, userReference } from "@/text/quoting/references.ts";

/**
 * A quote block: the sender, a link to the message, and its text, truncated so that the whole has at most `max`
 * characters.
 */
export function quotation(ctx: Ctx, { t, parts }: Translator, row: MessageRow, max: number): string {
  const sender = userFor(ctx, row.sender_id);
  const name = mayKnow(ctx, sender) ? userReference(sender) : strangerFacts(ctx, sender.id).full_name;
  const begin = `${linkedText(parts("{name} <link>wrote</link>:", { name }), messageUrl(ctx, row))}\n`;
  const cut = (text: string, room: number) => shorten(text, room, `\n${t("[message truncated]")}`);
  return begin + quoteWithin(row.content, max - begin.length, cut);
}

/** The web app's address of a message. */
export function messageUrl(reads: Reads, row: Pick<MessageRow, "id" | "conversation_id" | "topic">): string {
  const place = conversation(reads, row.conversation_id);
  const narrow =
    place.channel_id === null
      ? directMessageUrl(participantsOf(place))
      : topicUrl(existingChannel(reads, place.channel_id), row.topic);
  return `${narrow}/near/${row.id}`;
}
