import { allow } from "@/foundation/permissions/access.ts";
import { dayOf } from "@/foundation/user-activity/access.ts";
import { listActiveDays } from "@/foundation/user-activity/queries.ts";
import { query } from "@/kernel/core/operation.ts";
import { countingState, type Statistics } from "./schema.ts";
import * as store from "./store.ts";

const dayMs = 86_400_000;

/** What happened on each of the last days, today included. */
export const getStatistics = query(allow.admin, (ctx, days: number): Statistics => {
  const first = dayOf(ctx.now) - days + 1;
  const sent = new Map(store.listDays(ctx, first).map((one) => [one.day, one]));
  const active = new Map(listActiveDays(ctx, first).map((one) => [one.day, one]));
  const { counted_at, uploads } = countingState.read(ctx);
  const each = <T>(of: (day: number) => T) => Array.from({ length: days }, (_, i) => of(first + i));
  return {
    first_day: new Date(first * dayMs).toISOString().slice(0, 10),
    messages: each((day) => sent.get(day)?.messages ?? 0),
    direct_messages: each((day) => sent.get(day)?.direct_messages ?? 0),
    senders: each((day) => sent.get(day)?.senders ?? 0),
    channels_in_use: each((day) => sent.get(day)?.channels ?? 0),
    active_people: each((day) => active.get(day)?.people ?? null),
    active_people_of_week: each((day) => active.get(day)?.week_people ?? null),
    channels: each(sumUpTo(store.countCreated(ctx))),
    people: each(sumUpTo(store.countJoined(ctx))),
    storage: { database: store.databaseBytes(ctx), ...uploads },
    counted_at: counted_at === 0 ? null : counted_at,
  };
});

/** The sum of all counts up to a day, for days that ascend. */
function sumUpTo(begun: readonly { day: number; count: number }[]): (day: number) => number {
  let [at, sum] = [0, 0];
  return (day) => {
    for (let next = begun[at]; next && next.day <= day; next = begun[at]) {
      sum += next.count;
      at++;
    }
    return sum;
  };
}
