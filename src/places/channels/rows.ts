import type { TopicsPolicy } from "./schema.ts";

export interface ChannelRow {
  id: number;
  name: string;
  description: string;
  rendered_description: string;
  date_created: number;
  creator_id: number | null;
  invite_only: 0 | 1;
  is_web_public: 0 | 1;
  history_public_to_subscribers: 0 | 1;
  is_archived: 0 | 1;
  message_retention_days: number | null;
  folder_id: number | null;
  topics_policy: TopicsPolicy;
  is_recently_active: 0 | 1;
  stream_weekly_traffic: number | null;
}

/** Of some channels, those that a user may see, and those that they may read. */
export interface Access {
  readonly seen: readonly ChannelRow[];
  readonly read: readonly ChannelRow[];
}
