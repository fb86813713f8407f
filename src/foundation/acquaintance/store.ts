import { roles } from "@/foundation/permissions/schema.ts";
import { cache } from "@/kernel/store/cache.ts";

const tables = ["subscriptions", "direct_participants", "users"];

/** Everyone who shares a channel or direct conversation with a user; also all bots, a bot's owner, and the user. */
export const acquaintances = cache(tables, ({ db }, userId: number): ReadonlySet<number> => {
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
});

/** Active guests, ascending. */
export const guests = cache(["users"], ({ db }): readonly number[] => {
  const rows = db.all<{ id: number }>(
    "SELECT id FROM users WHERE role = ? AND is_active ORDER BY id",
    roles.guest,
  );
  return rows.map((row) => row.id);
});

/** The active guests who know a person. Cheap, because each guest has few channels. */
export const guestsKnowing = cache(tables, ({ db }, userId: number): ReadonlySet<number> => {
  const rows = db.all<{ id: number }>(
    "SELECT id FROM users AS guest WHERE role = ?2 AND is_active AND (id = ?1 OR bot_owner_id = ?1 " +
      "OR EXISTS (SELECT 1 FROM subscriptions AS own JOIN subscriptions AS other ON other.channel_id = own.channel_id " +
      "AND other.user_id = ?1 AND other.is_subscribed WHERE own.user_id = guest.id AND own.is_subscribed) " +
      "OR EXISTS (SELECT 1 FROM direct_participants AS own JOIN direct_participants AS other " +
      "ON other.user_id = ?1 AND other.conversation_id = own.conversation_id WHERE own.user_id = guest.id))",
    userId,
    roles.guest,
  );
  return new Set(rows.map((row) => row.id));
});
