import type { Ctx } from "@/kernel/context.ts";
import type { Movable } from "@/messaging/messages/rows.ts";
import { reachedBy } from "@/messaging/receipts/reach.ts";
import { sharesHistory } from "@/places/channels/access.ts";
import { topicKey } from "@/places/topics/schema.ts";
import type { Way } from "./planned.ts";
import * as store from "./store.ts";

/** So many messages take some ten milliseconds to move, besides what any move takes in a channel of ten thousand people. */
const maxReadAtOnce = 500;

/**
 * The messages of the old thread that the actor may read, starting at an ID: those among the first few hundred. `after` is the ID after
 * which to go on; null if there are no more.
 */
export function readableIn(
  ctx: Ctx,
  { from: { channel, conversationId, topic }, target }: Way,
  firstId: number,
): { rows: readonly Movable[]; after: number | null } {
  const all = store.findInTopic(
    ctx,
    { conversationId, topicKey: topicKey(topic) },
    { from: firstId, max: maxReadAtOnce },
  );
  const after = all.length < maxReadAtOnce ? null : (all.at(-1)?.id ?? null);
  if (sharesHistory(channel)) return { rows: all, after };
  const reached = new Set(reachedBy(ctx, all, [ctx.actor.id]).get(ctx.actor.id) ?? [target.id]);
  return { rows: all.filter((row) => reached.has(row.id)), after };
}
