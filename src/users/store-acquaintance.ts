import { cache } from "@/kernel/cache.ts";

/** Who shares a channel or a direct conversation with a user; all bots, the owner of one, and the user too. */
export const acquaintances = cache(
  ["subscriptions", "direct_participants", "users"],
  ({ db }, userId: number): ReadonlySet<number> => {
    const rows = db.all<{ id: number }>(
      "SELECT id FROM users WHERE is_bot OR id = ?1 " +
        "UNION SELECT bot_owner_id FROM users WHERE id = ?1 AND bot_owner_id IS NOT NULL " +
        "UNION SELECT other.user_id FROM subscriptions AS own JOIN subscriptions AS other " +
        "ON other.channel_id = own.channel_id AND other.is_subscribed WHERE own.user_id = ?1 AND own.is_subscribed " +
        "UNION SELECT other.user_id FROM direct_participants AS own JOIN direct_participants AS other " +
        "ON other.conversation_id = own.conversation_id WHERE own.user_id = ?1",
      userId,
    );
    return new Set(rows.map((row) => row.id));
  },
);
