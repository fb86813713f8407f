import { mayRead, sharesHistory, visibleChannel } from "@/channels/access.ts";
import { conversation, participantsOf } from "@/conversations/access.ts";
import type { Ctx } from "@/kernel/context.ts";
import type { Audience } from "@/kernel/events.ts";
import { memberOf } from "@/permissions/access.ts";
import { formerRecordHolders, hasReceived } from "@/receipts/access.ts";
import { subscriberIds } from "@/subscriptions/access.ts";
import type { MessageRow } from "./store.ts";

/**
 * Who hears of what happens to a message (API-REFERENCE 6.3): who has a record of it, and who is subscribed where it
 * stands, as far as they may read it now.
 */
export function readersOf(ctx: Ctx, row: MessageRow): Audience {
  const place = conversation(ctx, row.conversation_id);
  if (place.channel_id === null) return { to: participantsOf(place) };
  const channel = visibleChannel(ctx, place.channel_id);
  if (!channel) return { to: [] };
  const subscribers = subscriberIds(ctx, channel.id);
  const others = formerRecordHolders(ctx, row).filter(
    (id) => !subscribers.has(id) && mayRead(ctx, memberOf(ctx, id), channel),
  );
  if (sharesHistory(channel)) return { to: subscribers, also: others };
  return { to: [...subscribers, ...others].filter((id) => hasReceived(ctx, id, row)) };
}

/** The people of `readersOf`. */
export function readerIds(ctx: Ctx, row: MessageRow): ReadonlySet<number> {
  const { to, also = [] } = readersOf(ctx, row);
  const people = to as Exclude<Audience["to"], "everyone">;
  return people instanceof Set && also.length === 0 ? people : new Set([...people, ...also]);
}
