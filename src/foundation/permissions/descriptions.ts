// What the organization's permissions are called, for all doors: commands, console and browser. Pure data.
import type { FixedKey } from "@/text/language/translator.ts";
import type { GrantName } from "./schema.ts";

/** Who may do what in the whole organization. */
export const grantAreas = [
  {
    title: "Channels",
    grants: {
      can_create_public_channel_group: "Create public channels",
      can_create_private_channel_group: "Create private channels",
      can_create_web_public_channel_group: "Create channels that can be read without an account",
      can_add_subscribers_group: "Add people to channels",
      can_mention_many_users_group: "Mention everybody in a large channel",
      can_set_topics_policy_group: "Say which topics a channel has",
      can_set_delete_message_policy_group: "Say who may delete messages in a channel",
    },
  },
  {
    title: "People",
    grants: {
      can_access_all_users_group: "See everybody",
      can_invite_users_group: "Invite people by their addresses",
      create_multiuse_invite_group: "Make links by which people join",
      can_create_groups: "Create groups",
      can_manage_all_groups: "Change all groups",
      can_create_bots_group: "Create bots that can do what people can",
      can_create_write_only_bots_group: "Create bots that can only write",
    },
  },
  {
    title: "Messages",
    grants: {
      can_delete_any_message_group: "Delete every message",
      can_delete_own_message_group: "Delete their own messages",
      can_move_messages_between_channels_group: "Move messages to another channel",
      can_move_messages_between_topics_group: "Move messages to another topic",
      can_resolve_topics_group: "Mark topics as resolved",
      can_add_custom_emoji_group: "Add emoji",
    },
  },
  {
    title: "Direct messages",
    grants: {
      direct_message_permission_group: "Take part in direct messages",
      direct_message_initiator_group: "Begin direct messages",
    },
  },
] as const satisfies readonly { title: FixedKey; grants: Partial<Record<GrantName<"realm">, FixedKey>> }[];

/** For other clients: this server has nothing of the kind. */
const unusedGrants = {
  can_manage_billing_group: "Change what is paid for, which this server does not do",
  can_summarize_topics_group: "Have topics summarized, which this server does not do",
  workplace_users_group: "Count as people who work here, which this server does not ask",
} satisfies Partial<Record<GrantName<"realm">, string>>;

/** A permission of the organization in words. */
export const grantWords: Readonly<Record<GrantName<"realm">, string>> = Object.assign(
  {},
  unusedGrants,
  ...grantAreas.map(({ grants }) => grants),
);

/** Permissions that only owners may give. */
export const ownersGrants: readonly GrantName<"realm">[] = [
  "can_create_groups",
  "can_invite_users_group",
  "can_manage_all_groups",
  "create_multiuse_invite_group",
];
