// What the organization says by itself: moved topics, reports, failed deliveries (API-REFERENCE 7.6).

import type { UserRow } from "@/foundation/users/access.ts";
import { notificationBot } from "@/foundation/users/system-bots.ts";
import type { Tx } from "@/kernel/context.ts";
import { actingAs } from "@/kernel/operation.ts";
import { knownChannel } from "@/places/channels/access.ts";
import { channelConversation } from "@/places/conversations/access.ts";
import { subscriberIds } from "@/places/subscriptions/access.ts";
import type { Rendered } from "@/text/rendering/render.ts";
import { post, type Reading } from "./actions.ts";
import { renderMessage } from "./lookup.ts";
import type { Recipient } from "./recipients.ts";
import { storedContent } from "./schema.ts";

export interface Notice extends Reading {
  /** A topic, or people, to each other of whom the notice is then visible. */
  to: { channelId: number; topic: string } | { people: readonly number[] };
  content: string;
}

/**
 * Sends a message as the notification bot, which needs nobody's leave; returns its ID. Names and links in it mean what
 * they mean to the actor of `tx`, and only people can be mentioned.
 */
export function sendNotice(
  tx: Tx,
  { to, content, ...reading }: Notice,
  from: UserRow = notificationBot(tx),
): number {
  const stored = storedContent(content);
  const rendered = quiet(renderMessage(tx, stored));
  const asBot = actingAs(tx, { kind: "user", id: from.id, client: "Internal" });
  const recipient = recipientOf(tx, to, from.id);
  return post(asBot, { input: { read_by_sender: true }, content: stored, rendered, recipient, reading }).id;
}

/** A notice may quote what somebody wrote: it must not call everyone for them. */
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
