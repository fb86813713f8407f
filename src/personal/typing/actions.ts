// Typing notifications. They are emitted but never stored; an action that writes nothing costs no disk access.

import { strangersTo } from "@/foundation/acquaintance/access.ts";
import { allow, me, memberOf } from "@/foundation/permissions/access.ts";
import { settingOf } from "@/foundation/user-settings/access.ts";
import { userFor } from "@/foundation/users/access.ts";
import type { Ctx, Tx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import type { MessageRow } from "@/messaging/message-rows/schema.ts";
import { messageFor } from "@/messaging/messages/access.ts";
import { readersOf } from "@/messaging/messages/audience.ts";
import { parseTopic, receiversOf, resolveRecipient } from "@/messaging/sending/recipients.ts";
import { channelToPostIn } from "@/places/channels/access.ts";
import { conversation, participantsOf } from "@/places/conversations/access.ts";
import { subscriberIds } from "@/places/subscriptions/access.ts";
import {
  editTypingEvents,
  maxSubscribers,
  type TypingOp,
  type TypingPerson,
  type TypingTarget,
  typingEvents,
} from "./schema.ts";

/** Tells the participants of a direct conversation (the actor included) that the actor started or stopped typing. */
export const typeToPeople = action(
  allow.user,
  (tx, { op, to }: { op: TypingOp; to: readonly number[] }): void => {
    if (to.length === 0) fail("BAD_REQUEST", "Empty 'to' list");
    checkSending(tx, "direct");
    const people = [...receiversOf(resolveRecipient(tx, { type: "direct", to }))].sort((a, b) => a - b);

    const target = { people: people.map((id) => personOf(tx, id)) };
    tx.emit(typingEvents[op], listeners(tx, people), { sender: personOf(tx, tx.actor.id), target });
  },
);

export interface ChannelTyping {
  op: TypingOp;
  channel_id: number;
  topic: string;
}

/** As `typeToPeople`, for the subscribers of a channel that is not too large. */
export const typeInChannel = action(allow.user, (tx, { op, channel_id, topic }: ChannelTyping): void => {
  checkSending(tx, "channel");
  const { id } = channelToPostIn(tx, channel_id);
  const subscribers = subscriberIds(tx, id);
  if (subscribers.size > maxSubscribers) return;

  const target = { channel_id: id, topic: parseTopic(topic) };
  tx.emit(typingEvents[op], listeners(tx, subscribers), { sender: personOf(tx, tx.actor.id), target });
});

/** Tells the readers of one of the actor's messages that the actor started or stopped editing it. */
export const typeEdit = action(
  allow.user,
  (tx, { op, message_id }: { op: TypingOp; message_id: number }): void => {
    const row = messageFor(tx, message_id);
    if (row.sender_id !== me(tx).id) fail("BAD_REQUEST", "You may only edit your own messages.");
    const target = targetOf(tx, row);
    checkSending(tx, "people" in target ? "direct" : "channel");
    if ("channel_id" in target && subscriberIds(tx, target.channel_id).size > maxSubscribers) return;

    const { to, also = [] } = readersOf(tx, row);
    const readers = to === "everyone" ? [] : [...to, ...also];
    tx.emit(editTypingEvents[op], listeners(tx, readers), { sender_id: row.sender_id, message_id, target });
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

/** The users who want typing notifications and may know the actor. */
function listeners(ctx: Ctx, users: Iterable<number>): { to: number[] } {
  const strangers = strangersTo(ctx, memberOf(ctx, ctx.actor.id));
  const wanting = [...users].filter((id) => settingOf(ctx, id, "receives_typing_notifications"));
  return { to: wanting.filter((id) => !strangers.includes(id)) };
}

function personOf(tx: Tx, user_id: number): TypingPerson {
  return { user_id, email: userFor(tx, user_id).email };
}

function targetOf(ctx: Ctx, row: MessageRow): TypingTarget<number> {
  const target = conversation(ctx, row.conversation_id);
  if (target.channel_id === null) return { people: participantsOf(target) };
  return { channel_id: target.channel_id, topic: row.topic };
}
