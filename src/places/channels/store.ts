import type { Reads } from "@/kernel/core/context.ts";
import { cache } from "@/kernel/store/cache.ts";
import { type ChannelRow, keyOf } from "./schema.ts";

const columns =
  "id, name, description, rendered_description, date_created, creator_id, invite_only, is_web_public, " +
  "history_public_to_subscribers, is_archived, message_retention_days, folder_id, topics_policy, is_recently_active, " +
  "stream_weekly_traffic";

export const findChannel = cache(["channels"], ({ db }, id: number) =>
  db.get<ChannelRow>(`SELECT ${columns} FROM channels WHERE id = ?`, id),
);

const idByName = cache(["channels"], ({ db }, key: string) =>
  db.get<{ id: number }>("SELECT id FROM channels WHERE name_key = ?", key),
);

/** Ignores case and surrounding spaces. */
export function findChannelByName(reads: Reads, name: string): ChannelRow | null {
  const found = idByName(reads, keyOf(name));
  return found && findChannel(reads, found.id);
}

export const listChannels = cache(["channels"], ({ db }): readonly ChannelRow[] =>
  db.all<ChannelRow>(`SELECT ${columns} FROM channels ORDER BY id`),
);
