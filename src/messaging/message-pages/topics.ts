// The topics of a channel that somebody may see.
import type { Ctx } from "@/kernel/core/context.ts";
import { narrowOf } from "@/messaging/narrows/narrow.ts";
import { sharesHistory } from "@/places/channels/access.ts";
import type { ChannelRow } from "@/places/channels/rows.ts";
import { channelConversation } from "@/places/conversations/access.ts";
import { topicKey } from "@/places/topics/schema.ts";
import { selectionOf } from "./selection.ts";
import * as store from "./store.ts";

/** The topics in which the actor may see messages, in no order. */
export function topicsShown(ctx: Ctx, channel: ChannelRow): store.TopicRow[] {
  const conversationId = channelConversation(ctx, channel.id);
  return sharesHistory(channel) ? store.findTopics(ctx, conversationId) : topicsReceived(ctx, conversationId);
}

/** For protected history: only topics in which messages reached the actor, with the newest of those. */
function topicsReceived(ctx: Ctx, conversationId: number): store.TopicRow[] {
  const selection = selectionOf(ctx, narrowOf(ctx, []));
  const own = store.receivedSpans(ctx, selection.userId).filter(({ home_id }) => home_id === conversationId);
  const movedIn = store.findMovedInto(ctx, conversationId).filter(selection.reached);
  const newest = new Map<string, store.TopicRow>();
  for (const row of [...own.flatMap((span) => store.findTopicsBetween(ctx, span)), ...movedIn]) {
    const key = topicKey(row.topic);
    if ((newest.get(key)?.max_id ?? 0) < row.max_id)
      newest.set(key, { topic: row.topic, max_id: row.max_id });
  }
  return [...newest.values()];
}
