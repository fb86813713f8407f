import { strangersTo } from "@/foundation/acquaintance/access.ts";
import type { Emoji } from "@/foundation/emoji/schema.ts";
import { allow, me } from "@/foundation/permissions/access.ts";
import { userFor } from "@/foundation/users/access.ts";
import { strangerFacts } from "@/foundation/users/present.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import type { MessageRow } from "@/messaging/message-rows/schema.ts";
import { findMessageById, messageToChange } from "@/messaging/messages/access.ts";
import { readerIds, readersOf } from "@/messaging/messages/audience.ts";
import { addToHistory } from "@/messaging/receipts/actions-marks.ts";
import { noteParticipation } from "@/places/user-topics/actions-automatic.ts";
import { emojiFor, reactionsOn } from "./access.ts";
import {
  maxEmoji,
  type Reaction,
  type ReactionChange,
  type ReactionInput,
  reactionAdded,
  reactionErrors,
  reactionRemoved,
} from "./schema.ts";
import * as store from "./store.ts";

/** Adds the actor's reaction to a message that they may read. */
export const addReaction = action(allow.user, (tx, input: ReactionInput): void => {
  const row = messageToChange(tx, input.message_id);
  const present = presentOn(tx, row);
  const emoji = emojiFor(tx, input, present);
  if (own(tx, present, emoji)) fail(reactionErrors.REACTION_ALREADY_EXISTS, "Reaction already exists.");
  checkRoom(tx, present, emoji);

  addToHistory(tx, me(tx).id, [row]);
  store.insertReaction(tx, row.id, me(tx).id, emoji);
  emitReaction(tx, reactionAdded, { row, emoji, userId: me(tx).id });
  noteParticipation(tx, row);
});

/** Removes the actor's reaction. */
export const removeReaction = action(allow.user, (tx, input: ReactionInput): void => {
  const row = messageToChange(tx, input.message_id);
  const present = presentOn(tx, row);
  const emoji = emojiFor(tx, input, present);
  if (!own(tx, present, emoji)) fail(reactionErrors.REACTION_DOES_NOT_EXIST, "Reaction doesn't exist.");

  store.deleteReaction(tx, row.id, me(tx).id, emoji);
  emitReaction(tx, reactionRemoved, { row, emoji, userId: me(tx).id });
});

function checkRoom(tx: Tx, present: readonly Reaction[], emoji: Emoji): void {
  const mine = present.filter(({ user_id }) => user_id === me(tx).id).length;
  if (mine >= maxEmoji.ofOne) {
    fail("BAD_REQUEST", `You can react to a message with at most ${maxEmoji.ofOne} emoji.`);
  }
  const kinds = new Set(present.map(kindOf));
  if (kinds.has(kindOf(emoji)) || kinds.size < maxEmoji.ofAll) return;
  fail("BAD_REQUEST", `A message can have at most ${maxEmoji.ofAll} different reactions.`);
}

const kindOf = ({ reaction_type, emoji_code }: Emoji) => `${reaction_type} ${emoji_code}`;

function presentOn(tx: Tx, row: MessageRow): Reaction[] {
  return reactionsOn(tx, [row.id]).get(row.id) ?? [];
}

function own(tx: Tx, present: readonly Reaction[], emoji: Emoji): boolean {
  const user = me(tx).id;
  return present.some((one) => one.user_id === user && kindOf(one) === kindOf(emoji));
}

/** Emits to the message's readers, with a placeholder to those who may not see the user who reacted. */
function emitReaction(
  tx: Tx,
  event: typeof reactionAdded | typeof reactionRemoved,
  { row, emoji, userId }: { row: MessageRow; emoji: Emoji; userId: number },
): void {
  const user = userFor(tx, userId);
  const by = ({ email, full_name }: { email: string; full_name: string }): ReactionChange => {
    const user_id = user.id;
    return { ...emoji, message_id: row.id, user_id, user: { user_id, email, full_name } };
  };
  const strangers = new Set(strangersTo(tx, user));
  if (strangers.size === 0) {
    tx.emit(event, readersOf(tx, row), by(user));
    return;
  }
  const hearers = [...readerIds(tx, row)];
  tx.emit(event, { to: hearers.filter((id) => !strangers.has(id)) }, by(user));
  const apart = hearers.filter((id) => strangers.has(id));
  if (apart.length > 0) tx.emit(event, { to: apart }, by(strangerFacts(tx, user.id)));
}

/** Removes the first `max` reactions of a user on a range of messages. Returns the messages that they were on. */
export function removeReactionsOf(
  tx: Tx,
  userId: number,
  range: { after: number; upTo: number; max: number },
): number[] {
  return store.findReactionsOf(tx, userId, range).flatMap(({ message_id, user_id: _, ...emoji }) => {
    const row = findMessageById(tx, message_id);
    if (!row) return [];
    store.deleteReaction(tx, message_id, userId, emoji);
    emitReaction(tx, reactionRemoved, { row, emoji, userId });
    return [message_id];
  });
}

/** Deletes all reactions on messages that are about to be deleted. */
export function forgetReactions(tx: Tx, messageIds: readonly number[]): void {
  store.deleteReactions(tx, messageIds);
}

/** Adds an imported reaction, at the transaction's time, without events. */
export function addImportedReaction(
  tx: Tx,
  reaction: { messageId: number; userId: number; emoji: Emoji },
): void {
  store.insertReaction(tx, reaction.messageId, reaction.userId, reaction.emoji);
}
