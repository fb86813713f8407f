// Sends notices: messages by the organization's bots.

import type { Notice } from "@/foundation/realm/hooks.ts";
import { notificationBot } from "@/foundation/users/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { actingAs } from "@/kernel/core/operation.ts";
import { knownChannel } from "@/places/channels/access.ts";
import { channelConversation } from "@/places/conversations/access.ts";
import { subscriberIds } from "@/places/subscriptions/access.ts";
import type { Rendered } from "@/text/rendering/render.ts";
import { renderMessage } from "./lookup.ts";
import type { Recipient } from "./recipients.ts";
import { storedContent } from "./schema.ts";
import { post } from "./tx-posting.ts";

/** Provides `sendNotice`. */
export function postNotice(tx: Tx, { to, content, from, ...reading }: Notice): number {
  const sender = from ?? notificationBot(tx).id;
  const stored = storedContent(content);
  const rendered = quiet(renderMessage(tx, stored));
  const asBot = actingAs(tx, { kind: "user", id: sender, client: "Internal" });
  const recipient = recipientOf(tx, to, sender);
  return post(asBot, { input: { read_by_sender: true }, content: stored, rendered, recipient, reading }).id;
}

/** Removes group and wildcard mentions: a notice may quote a user's text, which must not notify everyone. */
function quiet(rendered: Rendered): Rendered {
  return { ...rendered, mentionedGroups: [], channelWildcard: false, topicWildcard: false };
}

function recipientOf(tx: Tx, to: Notice["to"], botId: number): Recipient {
  if ("people" in to) return { kind: "direct", people: new Set([...to.people, botId]) };
  return {
    kind: "channel",
    channel: knownChannel(tx, to.channelId),
    conversationId: channelConversation(tx, to.channelId),
    topic: to.topic,
    subscribers: subscriberIds(tx, to.channelId),
  };
}
