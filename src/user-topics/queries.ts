import { knownChannel, maySee } from "@/channels/access.ts";
import type { Ctx } from "@/kernel/context.ts";
import type { StateRequest } from "@/kernel/domain.ts";
import { me, memberOf } from "@/permissions/access.ts";
import { type MutedTopic, policies, shownMutedTopics, shownUserTopic, type UserTopic } from "./schema.ts";
import * as store from "./store.ts";

/** The `user_topic` section of the initial state (API-REFERENCE 5). */
export function userTopicsState(ctx: Ctx, { capabilities }: StateRequest): { user_topics: UserTopic[] } {
  const rows = store.listOfUser(ctx, me(ctx).id);
  const isCapable = capabilities.has("empty_topic_name");
  return { user_topics: rows.map((row) => shownUserTopic(presentPolicy(row), isCapable)) };
}

function presentPolicy({ channel_id, topic, last_updated, policy }: store.PolicyRow): UserTopic {
  return { stream_id: channel_id, topic_name: topic, last_updated, visibility_policy: policy };
}

/** The older form of the same, which who asks for `user_topic` by name does without. */
export function mutedTopicsState(ctx: Ctx, { capabilities, fetched }: StateRequest): Record<string, unknown> {
  if (fetched?.has("user_topic")) return {};
  const list = mutedTopicsOf(ctx, me(ctx).id);
  return { muted_topics: shownMutedTopics(list, capabilities.has("empty_topic_name")) };
}

/** The user's muted topics, of channels that they may see. */
export function mutedTopicsOf(ctx: Pick<Ctx, "db" | "now">, userId: number): MutedTopic[] {
  const member = memberOf(ctx, userId);
  const muted = store.listOfUser(ctx, userId).filter((row) => row.policy === policies.muted);
  return muted.flatMap((row): MutedTopic[] => {
    const channel = knownChannel(ctx, row.channel_id);
    return maySee(ctx, member, channel) ? [[channel.name, row.topic, row.last_updated]] : [];
  });
}
