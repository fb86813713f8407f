// Who is writing to whom. Told, and kept nowhere: an action that writes nothing costs no disk.

import { allow, me, memberOf } from "@/foundation/permissions/access.ts";
import { settingOf } from "@/foundation/user-settings/access.ts";
import { userFor } from "@/foundation/users/access.ts";
import { strangersTo } from "@/foundation/users/acquaintance.ts";
import type { Ctx, Tx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { action } from "@/kernel/operation.ts";
import { type MessageRow, messageFor } from "@/messaging/messages/access.ts";
import { readersOf } from "@/messaging/messages/audience.ts";
import { parsedTopic, receiversOf, resolveRecipient } from "@/messaging/messages/recipients.ts";
import { channelToPostIn } from "@/places/channels/access.ts";
import { conversation, participantsOf } from "@/places/conversations/access.ts";
import { subscriberIds } from "@/places/subscriptions/access.ts";
import {
  editTypingEvents,
  mostSubscribers,
  type Person,
  type Place,
  type TypingOp,
  typingEvents,
} from "./schema.ts";

/** Tells the people of a direct conversation, the actor included, that the actor writes to them or has stopped. */
export const typeToPeople = action(
  allow.user,
  (tx, { op, to }: { op: TypingOp; to: readonly number[] }): void => {
    if (to.length === 0) fail("BAD_REQUEST", "Empty 'to' list");
    checkSending(tx, "direct");
    const people = [...receiversOf(resolveRecipient(tx, { type: "direct", to }))].sort((a, b) => a - b);

    const place = { people: people.map((id) => personOf(tx, id)) };
    tx.emit(typingEvents[op], listeners(tx, people), { sender: personOf(tx, tx.actor.id), place });
  },
);

export interface ChannelTyping {
  op: TypingOp;
  channel_id: number;
  topic: string;
}

/** As `typeToPeople`, to the subscribers of a channel that is small enough. */
export const typeInChannel = action(allow.user, (tx, { op, channel_id, topic }: ChannelTyping): void => {
  checkSending(tx, "channel");
  const { id } = channelToPostIn(tx, channel_id);
  const subscribers = subscriberIds(tx, id);
  if (subscribers.size > mostSubscribers) return;

  const place = { channel_id: id, topic: parsedTopic(topic) };
  tx.emit(typingEvents[op], listeners(tx, subscribers), { sender: personOf(tx, tx.actor.id), place });
});

/** Tells who reads a message of the actor's that they are about to change it, or have stopped. */
export const typeEdit = action(
  allow.user,
  (tx, { op, message_id }: { op: TypingOp; message_id: number }): void => {
    const row = messageFor(tx, message_id);
    if (row.sender_id !== me(tx).id) fail("BAD_REQUEST", "You may only edit messages of your own.");
    const place = placeOf(tx, row);
    checkSending(tx, "people" in place ? "direct" : "channel");
    if ("channel_id" in place && subscriberIds(tx, place.channel_id).size > mostSubscribers) return;

    const { to, also = [] } = readersOf(tx, row);
    const readers = to === "everyone" ? [] : [...to, ...also];
    tx.emit(editTypingEvents[op], listeners(tx, readers), { sender_id: row.sender_id, message_id, place });
  },
);

const settings = {
  direct: "send_private_typing_notifications",
  channel: "send_stream_typing_notifications",
} as const;
const refusals = {
  direct: "User has disabled typing notifications for direct messages",
  channel: "User has disabled typing notifications for channel messages",
} as const;

function checkSending(ctx: Ctx, kind: keyof typeof settings): void {
  if (!settingOf(ctx, me(ctx).id, settings[kind])) fail("BAD_REQUEST", refusals[kind]);
}

/** Those who want to see who is typing, and may know them. */
function listeners(ctx: Ctx, users: Iterable<number>): { to: number[] } {
  const strangers = strangersTo(ctx, memberOf(ctx, ctx.actor.id));
  const wanting = [...users].filter((id) => settingOf(ctx, id, "receives_typing_notifications"));
  return { to: wanting.filter((id) => !strangers.includes(id)) };
}

function personOf(tx: Tx, user_id: number): Person {
  return { user_id, email: userFor(tx, user_id).email };
}

function placeOf(ctx: Ctx, row: MessageRow): Place<number> {
  const place = conversation(ctx, row.conversation_id);
  if (place.channel_id === null) return { people: participantsOf(place) };
  return { channel_id: place.channel_id, topic: row.topic };
}
