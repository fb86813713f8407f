import { me } from "@/foundation/permissions/access.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { fail, type KnownText, type Sentence } from "@/kernel/lib/errors.ts";
import type { Task } from "@/kernel/lib/tasks.ts";
import type { Movable } from "@/messaging/message-rows/schema.ts";
import { graceSeconds } from "@/messaging/messages/schema.ts";
import { listReached } from "@/messaging/receipts/reach.ts";
import { sharesHistory } from "@/places/channels/access.ts";
import { topicKey } from "@/places/topics/schema.ts";
import { sentence } from "@/text/language/tables.ts";
import { moveErrors, type TargetedMove, type Thread } from "./schema.ts";
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
  const reached = new Set(listReached(ctx, all, [ctx.actor.id]).get(ctx.actor.id));
  return { rows: all.filter((row) => reached.has(row.id)), after };
}

/** When the oldest message may have been sent that the actor may move; null without a limit. */
export function earliestToMove(ctx: Ctx, move: TargetedMove): number | null {
  const limit = limitFor(ctx, move);
  return limit === null || me(ctx).role <= roles.moderator ? null : ctx.now - limit - graceSeconds;
}

/**
 * Refuses to move messages that were sent before `earliest`. The error tells how many of the topic's readable messages could
 * be moved.
 */
export function* checkTimeLimit(ctx: Ctx, move: TargetedMove, earliest: number): Task<void> {
  const isRecent = (row: Pick<Movable, "sent_at">) => row.sent_at >= earliest;
  if (move.mode !== "change_all" && isRecent(move.target)) return;
  const readsAll = sharesHistory(move.from.channel);
  let [total, movable, first]: [number, number, number | null] = [0, 0, null];
  for (let after: number | null = 0; after !== null; ) {
    const some = readableIn(ctx, move.from, { from: after + 1, readsAll });
    const recent = some.rows.filter(isRecent);
    total += some.rows.length;
    movable += recent.length;
    first ??= recent[0]?.id ?? null;
    after = some.after;
    yield some.rows.length;
  }
  if (move.mode === "change_all" && movable === total) return;
  fail(moveErrors.MOVE_MESSAGES_TIME_LIMIT_EXCEEDED, limitRefusal(movable, total), {
    first_message_id_allowed_to_move: first,
    total_messages_in_topic: total,
    total_messages_allowed_to_move: movable,
  });
}

function limitRefusal(movable: number, all: number): KnownText | Sentence {
  return movable === 0
    ? "The time limit for moving these messages has passed."
    : sentence("You only have permission to move the {movable}/{all} most recent messages in this topic.", {
        movable: String(movable),
        all: String(all),
      });
}

/** The stricter of the time limits that apply, in seconds, or null. */
function limitFor(ctx: Ctx, { isTopicNew, isChannelNew }: TargetedMove): number | null {
  const settings = realmSettings.read(ctx);
  const limits = [
    isTopicNew ? settings.move_messages_within_stream_limit_seconds : null,
    isChannelNew ? settings.move_messages_between_streams_limit_seconds : null,
  ].filter((limit) => limit !== null);
  return limits.length === 0 ? null : Math.min(...limits);
}
