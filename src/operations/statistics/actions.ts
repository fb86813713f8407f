// Counts every hour what was sent on each day: from the first message of the last day on, so at first everything. It reads in slices,
// and stores many days in a transaction. IDs ascend with time, except where the clock was set back or history was imported: of a day
// that comes in several stretches, the senders and channels of each are added.

import { allow } from "@/foundation/permissions/access.ts";
import { lastArrival } from "@/foundation/retention/access.ts";
import { dayOf } from "@/foundation/user-activity/access.ts";
import { countWeek } from "@/foundation/user-activity/actions.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { runInSlices, type Task } from "@/kernel/lib/tasks.ts";
import { oneAtATime } from "@/kernel/store/per-app.ts";
import { countDueAt } from "./access.ts";
import { countingState, countSeconds, type DayMessages, type UploadSizes } from "./schema.ts";
import * as store from "./store.ts";

const page = 500;
/** So many days are stored together. */
const daysAtOnce = 50;

/** Counts the days since the last time, and uploaded files, once an hour has passed. */
export const countDays = operation(allow.system, async (ctx): Promise<void> => {
  const due = countDueAt(ctx);
  // If the clock was set back, the last time lies in the future.
  if (due <= ctx.now || due > ctx.now + countSeconds) await count(ctx);
});

const count = oneAtATime(async (ctx: Ctx): Promise<void> => {
  const { counted_at } = countingState.read(ctx);
  if (counted_at !== 0 && counted_at <= lastArrival(ctx)) await startOver(ctx);
  for (let isLast = false; !isLast; ) {
    const found = await runInSlices(countSome(ctx, countingState.read(ctx).next_id));
    await storeDays(ctx, found);
    isLast = found.isLast;
  }
  await storeSizes(ctx, await runInSlices(sumFiles(ctx)));
  await countWeek(ctx);
});

/** Since an import, older days have other messages. */
const startOver = action(allow.system, (tx): void => {
  store.deleteDays(tx);
  countingState.write(tx, "next_id", 0);
  countingState.write(tx, "open", null);
  countingState.write(tx, "counted_at", 0);
});

interface Stretch {
  day: number;
  firstId: number;
  messages: number;
  direct: number;
  senders: Set<number>;
  channels: Set<number>;
}

interface Counted {
  /** By day, without the last stretch. */
  days: readonly Stretch[];
  /** The messages from the last change of days on, which the next count counts again; null if there are none. */
  last: Stretch | null;
  isLast: boolean;
}

/** Counts messages from an ID on, of a number of days. */
function* countSome(ctx: Ctx, from: number): Task<Counted> {
  const days = new Map<number, Stretch>();
  let last: Stretch | null = null;
  for (let next = from; ; ) {
    const rows = store.listMessages(ctx, next, page);
    for (const row of rows) {
      const day = dayOf(row.sent_at);
      if (last?.day !== day) {
        if (last) addStretch(days, last);
        last = emptyStretch(row.id, day);
      }
      last.messages++;
      last.senders.add(row.sender_id);
      if (row.channel_id === null) last.direct++;
      else last.channels.add(row.channel_id);
    }
    yield rows.length + 1;
    const isLast = rows.length < page;
    if (isLast || days.size > daysAtOnce) return { days: [...days.values()], last, isLast };
    next = (rows.at(-1)?.id ?? next) + 1;
  }
}

const emptyStretch = (firstId: number, day: number): Stretch => ({
  ...{ day, firstId, messages: 0, direct: 0 },
  senders: new Set(),
  channels: new Set(),
});

function addStretch(days: Map<number, Stretch>, stretch: Stretch): void {
  const known = days.get(stretch.day);
  if (!known) return void days.set(stretch.day, stretch);
  known.messages += stretch.messages;
  known.direct += stretch.direct;
  known.senders = known.senders.union(stretch.senders);
  known.channels = known.channels.union(stretch.channels);
}

const presentDay = ({ day, messages, direct, senders, channels }: Stretch): DayMessages => ({
  ...{ day, messages, direct_messages: direct, senders: senders.size, channels: channels.size },
});

const storeDays = action(allow.system, (tx, { days, last }: Counted): void => {
  const { open } = countingState.read(tx);
  if (open) store.addToDay(tx, open, -1);
  for (const day of days) store.addToDay(tx, presentDay(day));
  const added = last && presentDay(last);
  if (added) store.addToDay(tx, added);
  countingState.write(tx, "open", added);
  if (last) countingState.write(tx, "next_id", last.firstId);
});

const storeSizes = action(allow.system, (tx, uploads: UploadSizes): void => {
  countingState.write(tx, "uploads", uploads);
  countingState.write(tx, "counted_at", tx.now);
});

const kinds = { image: "pictures", video: "videos", audio: "sounds" } as const;

function* sumFiles(ctx: Ctx): Task<UploadSizes> {
  const sizes: UploadSizes = { pictures: 0, videos: 0, sounds: 0, others: 0 };
  for (let after = 0; ; ) {
    const files = store.listFiles(ctx, after, page);
    for (const { size, content_type } of files) {
      const [type = ""] = content_type.split("/");
      sizes[type in kinds ? kinds[type as keyof typeof kinds] : "others"] += size;
    }
    yield files.length + 1;
    if (files.length < page) return sizes;
    after = files.at(-1)?.id ?? after;
  }
}
