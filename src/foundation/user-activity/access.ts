// The last day on which each person was active: sent a message, opened a client or used one. Changes take effect in memory at
// once, and are stored later.

import type { Ctx, ReadsNow } from "@/kernel/core/context.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import * as store from "./store.ts";

const daySeconds = 86_400;

export const dayOf = (seconds: number) => Math.floor(seconds / daySeconds);

interface Signs {
  /** The last active day of each user. */
  days: Map<number, number>;
  /** Users whose last day is not stored yet. */
  unsaved: Set<number>;
}

const signsOf = perApp((): Signs => ({ days: new Map(), unsaved: new Set() }));

/** Like `noteActivity`, but in memory: counts at once; the caller of `takeUnsaved` stores it. */
export function noteHere(ctx: ReadsNow, userId: number): void {
  const { days, unsaved } = signsOf(ctx);
  const today = dayOf(ctx.now);
  if (days.get(userId) === today) return;
  days.set(userId, today);
  unsaved.add(userId);
}

/** Users active since the last call, including those whose clients wait for events now. */
export function takeUnsaved(ctx: Ctx): number[] {
  const unsaved = collectUnsaved(ctx);
  const users = [...unsaved];
  unsaved.clear();
  return users;
}

/** On a node that follows: users active today whose day the leader has not stored yet, so it must be sent them. */
export function listUnsavedElsewhere(ctx: Ctx): number[] {
  const unsaved = collectUnsaved(ctx);
  const stored = store.findPresentSince(ctx, dayOf(ctx.now));
  for (const userId of unsaved) if (stored.has(userId)) unsaved.delete(userId);
  return [...unsaved];
}

function collectUnsaved(ctx: Ctx): Set<number> {
  const { queues } = ctx.env;
  for (const userId of queues.users.keys()) if (queues.isHere(userId)) noteHere(ctx, userId);
  return signsOf(ctx).unsaved;
}

/** The last active day of each user, with what this process has not stored yet. Another may have stored a later one. */
export function lastDays(ctx: Ctx): Map<number, number> {
  const days = new Map(store.listLastDays(ctx).map(({ user_id, day }) => [user_id, day]));
  for (const [userId, day] of signsOf(ctx).days) days.set(userId, Math.max(day, days.get(userId) ?? 0));
  for (const userId of ctx.env.queues.users.keys())
    if (ctx.env.queues.isHere(userId)) days.set(userId, dayOf(ctx.now));
  return days;
}

/** The last active day of one user, as `lastDays` has it; null if there was none. */
export function lastDayOf(ctx: Ctx, userId: number): number | null {
  if (ctx.env.queues.isHere(userId)) return dayOf(ctx.now);
  const [stored, here] = [store.lastDayOf(ctx, userId), signsOf(ctx).days.get(userId)];
  return here === undefined ? stored : Math.max(here, stored ?? 0);
}

/** Returns the users who were active in the last `days` days or are now, and all bots. */
export function presentWithin(
  ctx: Pick<Ctx, "db" | "now" | "env">,
  days: number,
): (userId: number) => boolean {
  const since = dayOf(ctx.now) - days;
  const written = store.findPresentSince(ctx, since);
  const inMemory = signsOf(ctx).days;
  const { queues } = ctx.env;
  return (userId) =>
    written.has(userId) ||
    (inMemory.get(userId) ?? Number.NEGATIVE_INFINITY) >= since ||
    queues.isHere(userId);
}
