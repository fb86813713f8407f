// Presents the messages of a page, with their reactions, submessages, edits and flags, in slices.

import { listKnownTo } from "@/foundation/acquaintance/access.ts";
import { me, viewer } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import type { Budget, Task } from "@/kernel/lib/tasks.ts";
import { pastOf } from "@/messaging/message-history/queries.ts";
import type { Candidate, MessageRow } from "@/messaging/message-rows/schema.ts";
import { findMessages } from "@/messaging/messages/access.ts";
import { type MessageView, presentHiddenSender, presentMessage } from "@/messaging/messages/queries.ts";
import type { Message } from "@/messaging/messages/schema.ts";
import { narrowOf } from "@/messaging/narrows/narrow.ts";
import { reactionsShown } from "@/messaging/reactions/access.ts";
import { flagsOf } from "@/messaging/receipts/access.ts";
import { submessagesOn } from "@/messaging/submessages/access.ts";
import { readableIn, selectionOf } from "./selection.ts";
import { asSpectatorsRead } from "./spectators.ts";

export interface Presenting {
  view: MessageView;
  /** The database's count of changes when it was checked that the actor may read the messages. */
  changes: number;
  budget?: Budget;
}

/** Messages presented at once: each can have many reactions, and a topic with many links. */
const portion = 64;

/**
 * Messages by ID, as the actor reads them, without those that have become unreadable. Once the budget is spent, the messages after
 * the first `done` are left out.
 */
export function* presentMessages(
  ctx: Ctx,
  ids: readonly number[],
  { view, changes, budget }: Presenting,
): Task<{ done: number; presented: ReadonlyMap<number, Message> }> {
  const stillReadable = readableSince(ctx, changes);
  const presented = new Map<number, Message>();
  for (let at = 0; at < ids.length; at += portion) {
    if (budget?.isSpent) return { done: at, presented };
    const isReadable = stillReadable() ?? (() => true);
    const rows = findMessages(ctx, ids.slice(at, at + portion)).filter(isReadable);
    for (const message of yield* messagesFrom(ctx, rows, view)) presented.set(message.id, message);
  }
  return { done: ids.length, presented };
}

/** Decides which messages are still readable that were so when the database had counted `changes`; null if all are. */
export function readableSince(ctx: Ctx, changes: number): () => ((row: Candidate) => boolean) | null {
  let isReadable: ((row: Candidate) => boolean) | null = null;
  let checked = changes;
  return () => {
    if (ctx.db.changes !== checked) isReadable = readableIn(selectionOf(ctx, narrowOf(ctx, [])));
    checked = ctx.db.changes;
    return isReadable;
  };
}

/** Messages as the actor reads them. */
export function* messagesFrom(ctx: Ctx, rows: readonly MessageRow[], view: MessageView): Task<Message[]> {
  const flags = flagsOf(ctx, viewer(ctx).id, rows);
  const messages: Message[] = [];
  for (const message of yield* withoutFlags(ctx, rows, view)) {
    messages.push({ ...message, flags: [...(flags.get(message.id) ?? [])] });
    yield 1;
  }
  return messages;
}

/** Messages as the actor reads them, without their flags, which are the last field. */
export function* withoutFlags(ctx: Ctx, rows: readonly MessageRow[], view: MessageView): Task<Message[]> {
  const isSpectator = ctx.actor.kind === "anonymous";
  const ids = rows.map((row) => row.id);
  const reactions = reactionsShown(ctx, ids);
  const submessages = submessagesOn(ctx, ids);
  const isHidden = hiddenSenderTest(ctx);
  const pasts = pastOf(ctx, rows, view.allow_empty_topic_name);
  // Clients cannot derive the avatar without the real email address.
  const present = (row: MessageRow) =>
    isSpectator
      ? asSpectatorsRead(ctx, presentMessage(ctx, row, { ...view, client_gravatar: false }))
      : presentMessage(ctx, row, view);
  const messages: Message[] = [];
  for (const row of rows) {
    messages.push({
      ...present(row),
      ...(isHidden?.(row.sender_id) ? presentHiddenSender(ctx, row.sender_id) : {}),
      ...pasts.get(row.id),
      reactions: reactions.get(row.id) ?? [],
      submessages: submessages.get(row.id) ?? [],
    });
    yield 1;
  }
  return messages;
}

/** Whether a placeholder stands for a sender that the actor may not know; null if they know everyone. */
export function hiddenSenderTest(ctx: Ctx): ((senderId: number) => boolean) | null {
  const known = ctx.actor.kind === "anonymous" ? null : listKnownTo(ctx, me(ctx).id);
  return known && ((senderId) => !known.has(senderId));
}
