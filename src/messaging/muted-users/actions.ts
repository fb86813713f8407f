import { allow, me } from "@/foundation/permissions/access.ts";
import { userKnownFor } from "@/foundation/users/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { to } from "@/kernel/core/events.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { lastMessageId } from "@/messaging/messages/access.ts";
import { findSpan, findUnmarked, listMuted, openSpan } from "@/messaging/mute-spans/access.ts";
import { advanceSpan, beginSpan, endSpan } from "@/messaging/mute-spans/actions.ts";
import type { MuteSpan } from "@/messaging/mute-spans/schema.ts";
import { readAsMuted } from "@/messaging/receipts/actions-marks.ts";
import { markAsRead } from "@/messaging/receipts/actions-reception.ts";
import { unreadOf } from "@/messaging/receipts/unread.ts";
import { mutedUsersChanged } from "./schema.ts";

/** The unread messages that clients load when they register. */
const maxUnread = 50_000;

/** Mutes a user: all their messages, including earlier ones, count as read by the actor. */
export const muteUser = action(allow.user, (tx, userId: number): void => {
  const { id: own } = me(tx);
  const muted = userKnownFor(tx, userId);
  if (muted.id === own) fail("BAD_REQUEST", "You cannot mute yourself.");
  if (openSpan(tx, own, muted.id)) fail("BAD_REQUEST", "You have muted this user already.");

  beginSpan(tx, { user_id: own, muted_user_id: muted.id, from_id: lastMessageId(tx) + 1 });
  emitMuted(tx, own);
  const unread = unreadOf(tx, own, { max: maxUnread, everywhere: true });
  markAsRead(
    tx,
    own,
    unread.filter((row) => row.sender_id === muted.id),
  );
});

/** Unmutes a user: their new messages arrive unread. Messages sent while muted stay read. */
export const unmuteUser = action(allow.user, (tx, userId: number): void => {
  const { id: own } = me(tx);
  // The actor may unmute a user that they may no longer see.
  const span = openSpan(tx, own, userId) ?? notMuted(tx, userId);

  endSpan(tx, span, lastMessageId(tx));
  emitMuted(tx, own);
});

function notMuted(tx: Tx, userId: number): never {
  userKnownFor(tx, userId);
  fail("BAD_REQUEST", "You have not muted this user.");
}

function emitMuted(tx: Tx, own: number): void {
  tx.emit(mutedUsersChanged, to(own), { muted_users: listMuted(tx, own) });
}

const spansAtOnce = 1000;
const messagesAtOnce = 1000;

/**
 * Converts mute spans into read marks, so that finding unread messages need not skip the muted ones each time: one batch per
 * transaction, so that other requests run in between.
 */
export const markMutedRead = operation(allow.system, async (ctx): Promise<void> => {
  for (const span of findUnmarked(ctx, spansAtOnce)) await markSpan(ctx, span);
});

const markSpan = action(allow.system, (tx, found: MuteSpan): void => {
  const span = findSpan(tx, found);
  if (!span) return;
  const upto = span.to_id ?? lastMessageId(tx);
  const range = { senderId: span.muted_user_id, from: span.from_id, upto, max: messagesAtOnce };
  advanceSpan(tx, span, readAsMuted(tx, span.user_id, range) + 1);
});
