import type { Reads, Tx } from "@/kernel/core/context.ts";
import { cache } from "@/kernel/store/cache.ts";
import { rowDeleter } from "@/kernel/store/owned-rows.ts";
import { topicKey } from "@/places/topics/schema.ts";
import { type Policy, policies, type TopicRef } from "./schema.ts";

export interface PolicyRow {
  user_id: number;
  channel_id: number;
  topic_key: string;
  topic: string;
  policy: Exclude<Policy, 0>;
  last_updated: number;
}

const columns = "user_id, channel_id, topic_key, topic, policy, last_updated";

export function findPolicy(reads: Reads, userId: number, { channelId, topic }: TopicRef): Policy {
  return policyOf(reads, `${userId} ${channelId} ${topicKey(topic)}`);
}

/** Of a user, a channel and a topic's key, with blanks between them. */
const policyOf = cache(
  ["user_topics"],
  ({ db }, key: string): Policy => {
    const [, user = "", channel = "", topicKey = ""] = /^(\d+) (\d+) (.*)$/s.exec(key) ?? [];
    const row = db.get<{ policy: Policy }>(
      "SELECT policy FROM user_topics WHERE user_id = ? AND channel_id = ? AND topic_key = ?",
      Number(user),
      Number(channel),
      topicKey,
    );
    return row?.policy ?? policies.none;
  },
  5_000,
);

export function countPolicies({ db }: Reads, userId: number): number {
  return db.get<{ n: number }>("SELECT COUNT(*) AS n FROM user_topics WHERE user_id = ?", userId)?.n ?? 0;
}

/** The policies of all users who have one for a topic, by user ID. */
export function findPoliciesOn({ db }: Reads, { channelId, topic }: TopicRef): Map<number, Policy> {
  const rows = db.all<{ user_id: number; policy: Policy }>(
    "SELECT user_id, policy FROM user_topics WHERE channel_id = ? AND topic_key = ? ORDER BY user_id",
    channelId,
    topicKey(topic),
  );
  return new Map(rows.map((row) => [row.user_id, row.policy]));
}

export function findUsersWithPolicies({ db }: Reads, channelId: number): number[] {
  return db
    .all<{ user_id: number }>("SELECT DISTINCT user_id FROM user_topics WHERE channel_id = ?", channelId)
    .map((row) => row.user_id);
}

/** All of a user's policies, ordered by channel and topic. */
export const listOfUser = cache(
  ["user_topics"],
  ({ db }, userId: number): readonly PolicyRow[] =>
    db.all<PolicyRow>(
      `SELECT ${columns} FROM user_topics WHERE user_id = ? ORDER BY channel_id, topic_key`,
      userId,
    ),
  1000,
);

export function setPolicy(
  tx: Tx,
  userId: number,
  { channelId, topic, policy }: TopicRef & { policy: Policy },
): void {
  const key = topicKey(topic);
  if (policy === policies.none) {
    tx.run(
      "DELETE FROM user_topics WHERE user_id = ? AND channel_id = ? AND topic_key = ?",
      userId,
      channelId,
      key,
    );
    return;
  }
  tx.run(
    `INSERT INTO user_topics (${columns}) VALUES (?, ?, ?, ?, ?, ?) ` +
      "ON CONFLICT (user_id, channel_id, topic_key) DO UPDATE SET policy = excluded.policy, " +
      "topic = excluded.topic, last_updated = excluded.last_updated",
    userId,
    channelId,
    key,
    topic,
    policy,
    tx.now,
  );
}

export const deleteSomePolicies = rowDeleter({
  table: "user_topics",
  key: "user_id, channel_id, topic_key",
});
