import type { Reads, SqlValue, Tx } from "@/kernel/core/context.ts";
import { cache } from "@/kernel/store/cache.ts";
import { rowDeleter } from "@/kernel/store/owned-rows.ts";

/** A subscriber's settings for one channel. Null inherits the user's setting for all channels. */
export interface PersonalRow {
  color: string;
  is_muted: 0 | 1;
  pin_to_top: 0 | 1;
  desktop_notifications: 0 | 1 | null;
  audible_notifications: 0 | 1 | null;
  push_notifications: 0 | 1 | null;
  email_notifications: 0 | 1 | null;
  wildcard_mentions_notify: 0 | 1 | null;
}

export interface SubscriptionRow extends PersonalRow {
  channel_id: number;
  user_id: number;
  is_subscribed: 0 | 1;
}

const columns =
  "channel_id, user_id, is_subscribed, color, is_muted, pin_to_top, desktop_notifications, audible_notifications, " +
  "push_notifications, email_notifications, wildcard_mentions_notify";

/** IDs of a channel's active subscribers, ascending. */
export const subscriberIds = cache(
  ["subscriptions", "users"],
  ({ db }, channelId: number): ReadonlySet<number> => {
    const rows = db.all<{ id: number }>(
      "SELECT user_id AS id FROM subscriptions JOIN users ON users.id = user_id " +
        "WHERE channel_id = ? AND is_subscribed AND is_active ORDER BY user_id",
      channelId,
    );
    return new Set(rows.map((row) => row.id));
  },
);

/** The number of active subscribers of each channel, which triggers keep. Channels without any are missing. */
export const subscriberCounts = cache(["subscriptions", "users"], ({ db }): ReadonlyMap<number, number> => {
  const rows = db.all<{ id: number; n: number }>(
    "SELECT channel_id AS id, active AS n FROM subscriber_counts WHERE active > 0",
  );
  return new Map(rows.map((row) => [row.id, row.n]));
});

/** Of the active people of a role with IDs from `from` to `to`, the one who is in most channels. */
export function findBusiest(
  { db }: Reads,
  { role, from, to }: { role: number; from: number; to: number },
): { id: number; channels: number } | null {
  return db.get(
    "SELECT users.id, COUNT(*) AS channels FROM users JOIN subscriptions ON user_id = users.id AND is_subscribed = 1 " +
      "WHERE users.id BETWEEN ? AND ? AND is_active AND NOT is_bot AND role = ? GROUP BY users.id ORDER BY channels DESC LIMIT 1",
    from,
    to,
    role,
  );
}

/** IDs of the channels a user is subscribed to, ascending. */
export const channelsOf = cache(["subscriptions"], ({ db }, userId: number): ReadonlySet<number> => {
  const rows = db.all<{ id: number }>(
    "SELECT channel_id AS id FROM subscriptions WHERE user_id = ? AND is_subscribed = 1 ORDER BY channel_id",
    userId,
  );
  return new Set(rows.map((row) => row.id));
});

/** All rows of a user, including channels they have left. */
export function listOfUser({ db }: Reads, userId: number): SubscriptionRow[] {
  return db.all<SubscriptionRow>(
    `SELECT ${columns} FROM subscriptions WHERE user_id = ? ORDER BY channel_id`,
    userId,
  );
}

const fewUsers = 100;

/** As `listOfUser`, by channel and kept for a few users. */
export const mapOfUser = cache(
  ["subscriptions"],
  (reads, userId: number): ReadonlyMap<number, SubscriptionRow> =>
    new Map(listOfUser(reads, userId).map((row) => [row.channel_id, row])),
  fewUsers,
);

/** IDs of the channels a user is subscribed to and has muted. */
export const listMutedChannels = cache(["subscriptions"], (reads, userId: number): ReadonlySet<number> => {
  const muted = new Set<number>();
  for (const [id, row] of mapOfUser(reads, userId)) if (row.is_subscribed && row.is_muted) muted.add(id);
  return muted;
});

/** Subscribed users who chose to get mails of all messages in a channel. */
export const usersWithMails = cache(["subscriptions"], ({ db }, channelId: number): ReadonlySet<number> => {
  const rows = db.all<{ id: number }>(
    "SELECT user_id AS id FROM subscriptions WHERE channel_id = ? AND is_subscribed = 1 AND email_notifications = 1",
    channelId,
  );
  return new Set(rows.map((row) => row.id));
});

export interface Choices {
  email_notifications: 0 | 1 | null;
  push_notifications: 0 | 1 | null;
  wildcard_mentions_notify: 0 | 1 | null;
}

export function findChoices({ db }: Reads, channelId: number, userId: number): Choices | null {
  return db.get<Choices>(
    "SELECT email_notifications, push_notifications, wildcard_mentions_notify FROM subscriptions " +
      "WHERE channel_id = ? AND user_id = ? AND is_subscribed = 1",
    channelId,
    userId,
  );
}

/** Rows of these users in one channel, including those who have left. */
export function listOfChannel(
  { db }: Reads,
  channelId: number,
  userIds: readonly number[],
): SubscriptionRow[] {
  return db.all<SubscriptionRow>(
    `SELECT ${columns} FROM subscriptions WHERE channel_id = ? AND user_id IN (SELECT value FROM json_each(?))`,
    channelId,
    JSON.stringify(userIds),
  );
}

/** The colors that each of these users uses, including channels they have left. */
export function colorsOf({ db }: Reads, userIds: readonly number[]): { user_id: number; color: string }[] {
  return db.all(
    "SELECT user_id, color FROM subscriptions WHERE user_id IN (SELECT value FROM json_each(?))",
    JSON.stringify(userIds),
  );
}

/** Subscribes users, for the first time or again. Of their settings, only the color changes. */
export function setSubscribed(
  tx: Tx,
  rows: readonly { channel_id: number; user_id: number; color: string }[],
): void {
  tx.run(
    "INSERT INTO subscriptions (channel_id, user_id, is_subscribed, color) " +
      "SELECT value ->> 0, value ->> 1, 1, value ->> 2 FROM json_each(?) WHERE true " +
      "ON CONFLICT (channel_id, user_id) DO UPDATE SET is_subscribed = 1, color = excluded.color",
    JSON.stringify(rows.map(({ channel_id, user_id, color }) => [channel_id, user_id, color])),
  );
}

export function setUnsubscribed(tx: Tx, channelId: number, userIds: readonly number[]): void {
  tx.run(
    "UPDATE subscriptions SET is_subscribed = 0 " +
      "WHERE channel_id = ? AND user_id IN (SELECT value FROM json_each(?))",
    channelId,
    JSON.stringify(userIds),
  );
}

const settingColumns: Record<keyof PersonalRow, string> = {
  color: "UPDATE subscriptions SET color = ? WHERE channel_id = ? AND user_id = ?",
  is_muted: "UPDATE subscriptions SET is_muted = ? WHERE channel_id = ? AND user_id = ?",
  pin_to_top: "UPDATE subscriptions SET pin_to_top = ? WHERE channel_id = ? AND user_id = ?",
  desktop_notifications:
    "UPDATE subscriptions SET desktop_notifications = ? WHERE channel_id = ? AND user_id = ?",
  audible_notifications:
    "UPDATE subscriptions SET audible_notifications = ? WHERE channel_id = ? AND user_id = ?",
  push_notifications: "UPDATE subscriptions SET push_notifications = ? WHERE channel_id = ? AND user_id = ?",
  email_notifications:
    "UPDATE subscriptions SET email_notifications = ? WHERE channel_id = ? AND user_id = ?",
  wildcard_mentions_notify:
    "UPDATE subscriptions SET wildcard_mentions_notify = ? WHERE channel_id = ? AND user_id = ?",
};

export function setPersonal(
  tx: Tx,
  row: { channel_id: number; user_id: number },
  change: { property: keyof PersonalRow; value: SqlValue },
): void {
  tx.run(settingColumns[change.property], change.value, row.channel_id, row.user_id);
}

export const deleteSomeSubscriptions = rowDeleter({ table: "subscriptions", key: "channel_id, user_id" });
