import type { Ctx } from "@/kernel/core/context.ts";
import type { Movable } from "@/messaging/message-rows/schema.ts";
import { reachedBy } from "@/messaging/receipts/reach.ts";
import { topicKey } from "@/places/topics/schema.ts";
import type { Thread } from "./schema.ts";
import * as store from "./store.ts";

/** So many messages take some ten milliseconds to move, besides what any move takes in a channel of ten thousand people. */
const maxReadAtOnce = 500;

interface Part {
  /** The first ID. */
  from: number;
  /** Whether the actor may read all messages of the channel, and not only those that reached them. */
  readsAll: boolean;
}

/**
 * The messages of a thread that the actor may read, starting at an ID: those among the first few hundred. `after` is the ID after
 * which to go on; null if there are no more.
 */
export function readableIn(
  ctx: Ctx,
  { conversationId, topic }: Thread,
  { from, readsAll }: Part,
): { rows: readonly Movable[]; after: number | null } {
  const place = { conversationId, topicKey: topicKey(topic) };
  const all = store.findInTopic(ctx, place, { from, max: maxReadAtOnce });
  const after = all.length < maxReadAtOnce ? null : (all.at(-1)?.id ?? null);
  if (readsAll) return { rows: all, after };
  const reached = new Set(reachedBy(ctx, all, [ctx.actor.id]).get(ctx.actor.id));
  return { rows: all.filter((row) => reached.has(row.id)), after };
}
