// Who has been here lately, by the day. Whatever shows that a person is here notes it: sending a message, opening a
// client, being active at one. What is not written down yet is kept in memory, and counts as well.

import { memberOf } from "@/foundation/permissions/access.ts";
import type { Ctx, Db, Reads, ReadsNow, Tx } from "@/kernel/context.ts";
import * as store from "./store-activity.ts";

const daySeconds = 86_400;

const dayOf = (seconds: number) => Math.floor(seconds / daySeconds);

interface Signs {
  /** The last day of a sign of each user. */
  days: Map<number, number>;
  /** Users whose last day is not written down. */
  unsaved: Set<number>;
}

const signsByDb = new WeakMap<Db, Signs>();

function signsOf({ db }: Reads): Signs {
  const signs = signsByDb.get(db) ?? { days: new Map(), unsaved: new Set() };
  signsByDb.set(db, signs);
  return signs;
}

/** Notes that a person is here; written once a day for each. Bots, which always count as present, need no note. */
export function noteActivity(tx: Tx, userId: number): void {
  const today = dayOf(tx.now);
  if (memberOf(tx, userId).is_bot || store.lastDayOf(tx, userId) === today) return;
  store.setLastDay(tx, userId, today);
}

/** As `noteActivity`, in memory: counts at once, and is written down by who asks for `unsavedHere`. */
export function noteHere(ctx: ReadsNow, userId: number): void {
  const { days, unsaved } = signsOf(ctx);
  const today = dayOf(ctx.now);
  if (days.get(userId) === today) return;
  days.set(userId, today);
  unsaved.add(userId);
}

/** Who has been here since this was last asked, those who listen to events just now among them. */
export function unsavedHere(ctx: Ctx): number[] {
  for (const userId of ctx.env.queues.users.keys()) noteHere(ctx, userId);
  const { unsaved } = signsOf(ctx);
  const users = [...unsaved];
  unsaved.clear();
  return users;
}

/** Tells who was here in the last `days` days, or is now, and all bots. */
export function presentWithin(
  ctx: Pick<Ctx, "db" | "now" | "env">,
  days: number,
): (userId: number) => boolean {
  const since = dayOf(ctx.now) - days;
  const written = store.findPresentSince(ctx, since);
  const inMemory = signsOf(ctx).days;
  const listening = ctx.env.queues.users;
  return (userId) =>
    written.has(userId) ||
    (inMemory.get(userId) ?? Number.NEGATIVE_INFINITY) >= since ||
    listening.has(userId);
}
