// Measures every hour which channels are active and how many messages they get, a few channels at a time.

import { allow } from "@/foundation/permissions/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { setActive, setTraffic } from "@/places/channel-administration/actions-properties.ts";
import { findChannel, visibleChannels } from "@/places/channels/access.ts";
import type { ChannelRow } from "@/places/channels/schema.ts";
import { countMessagesSince, firstMessageSince, lastSentIn } from "./access.ts";

const daySeconds = 86_400;
/** A channel without messages for this many days is inactive. */
const activeDays = 180;
/** Traffic is averaged over this many days, or over the channel's age if that is less but at least a week. */
const trafficDays = 28;
/** Channels per transaction. Small, so that other requests do not wait long. */
const atOnce = 20;

/** Updates `is_recently_active` and `stream_weekly_traffic` of all channels. */
export const measureChannels = operation(allow.system, async (ctx): Promise<void> => {
  const ids = visibleChannels(ctx).map(({ id }) => id);
  const firstId = firstMessageSince(ctx, ctx.now - trafficDays * daySeconds);
  for (let from = 0; from < ids.length; from += atOnce) {
    await measure(ctx, { ids: ids.slice(from, from + atOnce), firstId });
  }
});

const measure = action(
  allow.system,
  (tx, { ids, firstId }: { ids: readonly number[]; firstId: number }): void => {
    for (const id of ids) {
      const channel = findChannel(tx, id);
      if (channel) measureOne(tx, channel, firstId);
    }
  },
);

function measureOne(tx: Tx, channel: ChannelRow, firstId: number): void {
  const lastUse = Math.max(channel.date_created, lastSentIn(tx, channel.id) ?? 0);
  const isActive = lastUse > tx.now - activeDays * daySeconds;
  if (isActive !== (channel.is_recently_active === 1)) setActive(tx, channel, isActive);
  const traffic = weeklyTraffic(countMessagesSince(tx, channel.id, firstId), tx.now - channel.date_created);
  if (traffic !== channel.stream_weekly_traffic) setTraffic(tx, channel, traffic);
}

/** Messages per week, rounded to two significant digits; null if the channel is less than a week old. */
function weeklyTraffic(count: number, age: number): number | null {
  const days = Math.min(trafficDays, Math.floor(age / daySeconds));
  if (days < 7) return null;
  const average = (count * 7) / days;
  return count > 0 ? Math.max(1, Number(Math.round(average).toPrecision(2))) : 0;
}
