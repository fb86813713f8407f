import { z } from "zod";
import { grantFields, grantUpdateParams, groupSettingValue } from "@/foundation/permissions/schema.ts";
import { limits } from "@/foundation/realm/schema.ts";
import { descriptionOf, nameOf } from "@/foundation/realm/texts.ts";
import { userId } from "@/foundation/users/schema.ts";
import { event, type Traits } from "@/kernel/core/events.ts";
import { looseJson } from "@/kernel/http/wire.ts";
import { errorKinds } from "@/kernel/lib/errors.ts";

export const channelErrors = errorKinds({
  STREAM_DOES_NOT_EXIST: { status: 400 },
});

export const folderId = z.int();

export const channelId = z.int();

/** Per user, because every client loads all channels. Administrators have no limit. */
export const maxChannelsMade = 2000;

export const channelName = nameOf("A channel", limits.max_stream_name_length);

export const channelDescription = descriptionOf("A channel", limits.max_stream_description_length);

export const topicsPolicy = z.enum([
  "inherit",
  "allow_empty_topic",
  "disable_empty_topic",
  "empty_topic_only",
]);

export type TopicsPolicy = z.infer<typeof topicsPolicy>;

/** Deprecated on the wire: `stream_post_policy` is the closest of these to the channel's `can_send_message_group`. */
export const postPolicies = { anyone: 1, admins: 2, fullMembers: 3, moderators: 4 } as const;

const channelGrantParams = z.object(grantFields("channel")).partial();

export type ChannelGrantValues = z.infer<typeof channelGrantParams>;

const maxDays = 36_500;

const retentionForm = `How long messages are kept is a number of days from 1 to ${maxDays}, 'realm_default' or 'unlimited'.`;

/** Message retention: a number of days or a keyword, bare or as JSON. Null is the organization's default, -1 forever. */
export const retention = z
  .string()
  .transform(looseJson)
  .pipe(
    z.union(
      [
        z.int().refine((days) => days >= 1 && days <= maxDays, retentionForm),
        z.literal("realm_default"),
        z.literal("unlimited"),
      ],
      retentionForm,
    ),
  )
  .transform((kept) => (kept === "realm_default" ? null : kept === "unlimited" ? -1 : kept));

/** The settings of a new channel apart from its name, and options for its creation. */
export const newChannelTraits = z
  .object({
    invite_only: z.boolean(),
    is_web_public: z.boolean(),
    history_public_to_subscribers: z.boolean(),
    is_default_stream: z.boolean(),
    folder_id: folderId,
    topics_policy: topicsPolicy,
    message_retention_days: retention,
    announce: z.boolean(),
    ...grantFields("channel"),
  })
  .partial();

export type NewChannelTraits = z.infer<typeof newChannelTraits>;

export const newChannel = z.object({
  name: channelName,
  description: channelDescription.optional(),
  /** User IDs. The creator is subscribed only if included. */
  subscribers: z.array(userId),
  /** Sends a notice to each subscriber other than the creator. */
  send_new_subscription_messages: z.boolean().optional(),
  ...newChannelTraits.shape,
});

export type NewChannel = z.infer<typeof newChannel>;

/** A channel without a subscriber's personal settings. */
export const channel = z.object({
  stream_id: channelId,
  name: z.string(),
  is_archived: z.boolean(),
  description: z.string(),
  rendered_description: z.string(),
  date_created: z.int(),
  creator_id: z.int().nullable(),
  invite_only: z.boolean(),
  is_web_public: z.boolean(),
  history_public_to_subscribers: z.boolean(),
  stream_post_policy: z.int(),
  is_announcement_only: z.boolean(),
  message_retention_days: z.int().nullable(),
  first_message_id: z.int().nullable(),
  folder_id: z.int().nullable(),
  topics_policy: topicsPolicy,
  is_recently_active: z.boolean(),
  stream_weekly_traffic: z.int().nullable(),
  subscriber_count: z.int(),
  ...grantFields("channel"),
});

export type Channel = z.infer<typeof channel>;

export const channelPatch = z
  .object({
    new_name: channelName,
    description: channelDescription,
    is_private: z.boolean(),
    is_web_public: z.boolean(),
    history_public_to_subscribers: z.boolean(),
    is_default_stream: z.boolean(),
    is_archived: z.boolean(),
    folder_id: folderId.nullable(),
    topics_policy: topicsPolicy,
    message_retention_days: retention,
  })
  .partial()
  .extend(grantUpdateParams("channel"));

export type ChannelPatch = z.infer<typeof channelPatch>;

/** Clients without this capability get no events about archived channels. */
export function knowsArchived({ capabilities }: Pick<Traits, "capabilities">): boolean {
  return capabilities.has("archived_channels");
}

/** For clients without that capability, an archived channel is deleted. `older` marks events that only those clients get. */
export interface Addressed {
  only?: "older";
}

export function isAddressed({ only }: Addressed, queue: Pick<Traits, "capabilities">): boolean {
  return only === undefined || !knowsArchived(queue);
}

export function archiveVariant(queue: Pick<Traits, "capabilities">): string {
  return String(knowsArchived(queue));
}

/** Of these channels, those that the queue's client gets events about. */
export function channelsFor(
  ids: number[],
  archived: readonly number[],
  queue: Pick<Traits, "capabilities">,
): number[] {
  return knowsArchived(queue) ? ids : ids.filter((id) => !archived.includes(id));
}

/** The channels as events name them. */
export function nameChannels(
  channels: readonly Pick<ChannelRow, "id" | "is_archived">[],
): Pick<ChannelsGone, "stream_ids" | "archived"> {
  const archived = channels.filter((channel) => channel.is_archived);
  return { stream_ids: channels.map(({ id }) => id), archived: archived.map(({ id }) => id) };
}

export const channelCreated = event("stream", {
  about:
    "Channels were created, or the user may now see them. The `subscription` events that follow add the subscribers.",
  op: "create",
  schema: z.object({ streams: z.array(channel) }),
  variant: archiveVariant,
  shape: ({ streams, only }: { streams: Channel[] } & Addressed, queue) => {
    const shown = streams.filter((one) => !one.is_archived || knowsArchived(queue));
    return shown.length > 0 && isAddressed({ only }, queue) ? { streams: shown } : null;
  },
});

/** A channel that older clients had deleted is back. */
export const channelReturned = event("channel", {
  about: "An archived channel is back, with more than events carry.",
  op: "return",
  schema: z.object({ user_ids: z.array(z.int()) }),
  after: ({ user_ids }, queues) => {
    // They would need the user's policies for its topics and all that is unread there, which the initial state has.
    for (const id of user_ids)
      queues.closeAllOf(id, ({ traits }) => !knowsArchived(traits) && keepsTopics(traits));
  },
  isInternal: true,
});

/** Whether the client keeps policies for topics, or what is unread. */
const keepsTopics = ({ types }: Traits) =>
  types === null || ["user_topic", "muted_topics", "update_message_flags"].some((type) => types.has(type));

interface ChannelsGone extends Addressed {
  stream_ids: number[];
  /** Of these, the ones that are archived. */
  archived: number[];
}

export const channelDeleted = event("stream", {
  about: "Channels were archived, or the user may no longer see them.",
  op: "delete",
  schema: z.object({ stream_ids: z.array(channelId), streams: z.array(z.object({ stream_id: channelId })) }),
  variant: archiveVariant,
  shape: ({ stream_ids: all, archived, only }: ChannelsGone, queue) => {
    const stream_ids = channelsFor(all, archived, queue);
    if (stream_ids.length === 0 || !isAddressed({ only }, queue)) return null;
    // Wire: `streams` is the older form of `stream_ids`.
    return { stream_ids, streams: stream_ids.map((stream_id) => ({ stream_id })) };
  },
});

const channelChange = z.object({
  property: z.string(),
  value: z.union([z.boolean(), z.int(), z.string(), groupSettingValue, z.null()]),
  /** If the description changed. */
  rendered_description: z.string().optional(),
  /** If `invite_only` changed. */
  history_public_to_subscribers: z.boolean().optional(),
  is_web_public: z.boolean().optional(),
});

/** A changed property of a channel, as events carry it. */
export type ChannelChange = z.infer<typeof channelChange>;

interface ChannelUpdated {
  change: { stream_id: number; name: string } & ChannelChange;
  /** Older clients get no updates of archived channels, including the archiving itself. */
  is_archived: boolean;
}

export const channelUpdated = event("stream", {
  about: "One property of a channel has changed.",
  op: "update",
  schema: channelChange.extend({ stream_id: channelId, name: z.string() }),
  variant: archiveVariant,
  shape: ({ change, is_archived }: ChannelUpdated, queue) =>
    is_archived && !knowsArchived(queue) ? null : change,
});

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
export interface ChannelAccess {
  readonly seen: readonly ChannelRow[];
  readonly read: readonly ChannelRow[];
}

export function keyOf(name: string): string {
  return name.trim().toLowerCase();
}
