import type { Tx } from "@/kernel/core/context.ts";
import { mutersOf } from "@/messaging/muted-users/access.ts";
import type { TopicRef } from "@/places/user-topics/schema.ts";
import { noteMentions } from "@/places/user-topics/tx-automatic.ts";

/**
 * Makes users follow a topic in which the actor mentioned them by name, if their settings say so and they do not mute the
 * actor.
 */
export function letMentionedFollow(tx: Tx, topic: TopicRef, userIds: readonly number[]): void {
  if (userIds.length === 0) return;
  const muters = mutersOf(tx, tx.actor.id);
  noteMentions(
    tx,
    topic,
    userIds.filter((id) => !muters.has(id)),
  );
}
