// Decides whose messages arrive as read, and for which users. Sending stores nothing for this: it follows from the mute spans.

import type { Reads } from "@/kernel/core/context.ts";
import type { MuteSpan } from "./schema.ts";
import * as store from "./store.ts";

type MessageSender = { id: number; sender_id: number };

const covers = ({ from_id, to_id }: MuteSpan, id: number) => id >= from_id && (to_id === null || id <= to_id);

/** Users who had muted the sender when the message was sent, whether they received it or not. */
export function usersWhoMuted(reads: Reads, { id, sender_id }: MessageSender): ReadonlySet<number> {
  const spans = store.spansOn(reads, sender_id).filter((span) => covers(span, id));
  return new Set(spans.map((span) => span.user_id));
}

/** As `usersWhoMuted`, for one user and many messages. */
export function mutingOf(reads: Reads, userId: number): (message: MessageSender) => boolean {
  const spans = store.spansOf(reads, userId);
  if (spans.length === 0) return () => false;
  return ({ id, sender_id }) => spans.some((span) => span.muted_user_id === sender_id && covers(span, id));
}

/** Whether `mutingOf` may be true of any message. */
export function hasMutedAnybody(reads: Reads, userId: number): boolean {
  return store.spansOf(reads, userId).length > 0;
}

const isOpen = ({ to_id }: MuteSpan) => to_id === null;

/** Differs whenever `mutingOf` decides differently. */
export function mutingKey(reads: Reads, userId: number): string {
  return JSON.stringify(store.spansOf(reads, userId));
}

/** Users who currently mute this user. */
export function mutersOf(reads: Reads, userId: number): ReadonlySet<number> {
  const spans = store.spansOn(reads, userId).filter(isOpen);
  return new Set(spans.map((span) => span.user_id));
}

/** Users who currently mute this user, or are muted by them. */
export function listMutedEitherWay(reads: Reads, userId: number): ReadonlySet<number> {
  const muted = store.spansOf(reads, userId).filter(isOpen);
  return new Set([...mutersOf(reads, userId), ...muted.map((span) => span.muted_user_id)]);
}

/** The users that a user currently mutes, and since when, in the order of muting. */
export function listMuted(reads: Reads, userId: number): { id: number; timestamp: number }[] {
  return store.listMuted(reads, userId);
}

/** Where a user has muted another and not unmuted them. */
export function openSpan(reads: Reads, userId: number, mutedId: number): MuteSpan | undefined {
  return store.spansOf(reads, userId).find((span) => span.muted_user_id === mutedId && isOpen(span));
}

/** Spans with messages for which marks are still to be made, and ended ones. */
export function findUnmarked(reads: Reads, max: number): MuteSpan[] {
  return store.findUnmarked(reads, max);
}

/** A span as it is now; null if it is gone. */
export function findSpan(reads: Reads, span: MuteSpan): MuteSpan | null {
  return store.findSpan(reads, span);
}
