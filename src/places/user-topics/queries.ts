import { me, memberOf } from "@/foundation/permissions/access.ts";
import type { Ctx, ReadsNow, StateRequest } from "@/kernel/core/context.ts";
import { existingChannel, maySee } from "@/places/channels/access.ts";
import { knowsArchived } from "@/places/channels/schema.ts";
import {
  type MutedTopic,
  type MutedTopics,
  policies,
  presentMutedTopics,
  presentUserTopic,
  type UserTopic,
} from "./schema.ts";
import * as store from "./store.ts";

/** The `user_topic` section of the initial state. */
export function userTopicsState(ctx: Ctx, { capabilities }: StateRequest): { user_topics: UserTopic[] } {
  const isShown = (row: store.PolicyRow) =>
    knowsArchived({ capabilities }) || !existingChannel(ctx, row.channel_id).is_archived;
  const rows = store.listOfUser(ctx, me(ctx).id).filter(isShown);
  const isCapable = capabilities.has("empty_topic_name");
  return { user_topics: rows.map((row) => presentUserTopic(presentPolicy(row), isCapable)) };
}

export function presentPolicy({ channel_id, topic, last_updated, policy }: store.PolicyRow): UserTopic {
  return { stream_id: channel_id, topic_name: topic, last_updated, visibility_policy: policy };
}

/** The older form of the same. Left out for clients that ask for `user_topic` by name. */
export function mutedTopicsState(ctx: Ctx, request: StateRequest): Record<string, unknown> {
  if (request.fetched?.has("user_topic")) return {};
  return { ...presentMutedTopics(readMutedTopics(ctx, me(ctx).id), request) };
}

/** The user's muted topics in channels that they may see. */
export function readMutedTopics(ctx: ReadsNow, userId: number): MutedTopics {
  const member = memberOf(ctx, userId);
  const muted = store.listOfUser(ctx, userId).filter((row) => row.policy === policies.muted);
  const found = muted.flatMap((row) => {
    const channel = existingChannel(ctx, row.channel_id);
    const topic: MutedTopic = [channel.name, row.topic, row.last_updated];
    return maySee(ctx, member, channel) ? [{ topic, isArchived: channel.is_archived === 1 }] : [];
  });
  const active = found.filter(({ isArchived }) => !isArchived);
  return { all: found.map(({ topic }) => topic), active: active.map(({ topic }) => topic) };
}
