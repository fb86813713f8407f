// What the person may do, as far as the client can tell: menus offer only that. The server decides.
import type { UserGroup } from "@/foundation/groups/schema.ts";
import type { GroupSettingValue } from "@/foundation/permissions/schema.ts";
import { t } from "../lib/texts.ts";
import { duration } from "../lib/times.ts";
import type { Channel } from "./channels.ts";
import { isMember } from "./groups.ts";
import type { Message } from "./messages.ts";
import { ownerRole, type Person } from "./people.ts";
import { type Privacy, privacies, privacyOf } from "./privacy.ts";
import { channelOf } from "./selectors.ts";
import type { State } from "./state.ts";

/** Whether a user is in a group, given by ID or as a list of members and groups. */
function isGranted(
  state: Pick<State, "groups">,
  grant: GroupSettingValue | undefined,
  userId: number,
): boolean {
  if (grant === undefined) return false;
  if (typeof grant === "number") return isMember(state.groups, grant, userId);
  return (
    grant.direct_members.includes(userId) ||
    grant.direct_subgroups.some((id) => isMember(state.groups, id, userId))
  );
}

function grantOf(state: State, name: string): GroupSettingValue | undefined {
  return state.organization[name] as GroupSettingValue | undefined;
}

/** Whether a permission of the whole organization is the person's. */
function mayEverywhere(state: State, name: string): boolean {
  return isGranted(state, grantOf(state, name), state.self.user_id);
}

function isWithin(limit: unknown, { timestamp }: Message): boolean {
  return typeof limit !== "number" || Date.now() / 1000 - timestamp < limit;
}

export function mayEdit(state: State, message: Message | undefined): boolean {
  return message?.sender_id === state.self.user_id && whyNotEdited(state, message) === null;
}

/** Why the person may not edit their own message, in their words; null if they may. */
export function whyNotEdited(state: State, message: Message): string | null {
  const { realm_allow_message_editing, realm_message_content_edit_limit_seconds: limit } = state.organization;
  if (realm_allow_message_editing === false) return t("Your organization has turned off message editing.");
  if (!isWithin(limit, message))
    return t("Messages can be edited for {duration}.", { duration: duration(Number(limit)) });
  return message.submessages.length > 0 ? t("Polls and lists of tasks cannot be edited.") : null;
}

export function mayDelete(state: State, message: Message): boolean {
  if (mayDeleteAny(state, message)) return true;
  const { user_id } = state.self;
  const channel = message.stream_id === undefined ? undefined : channelOf(state, message.stream_id);
  return (
    message.sender_id === user_id &&
    (isGranted(state, grantOf(state, "realm_can_delete_own_message_group"), user_id) ||
      isGranted(state, channel?.can_delete_own_message_group, user_id)) &&
    isWithin(state.organization.realm_message_content_delete_limit_seconds, message)
  );
}

/** Whether the person may delete everybody's messages there, and so a whole topic. */
export function mayDeleteAny(state: State, { stream_id }: Pick<Message, "stream_id">): boolean {
  const { user_id } = state.self;
  const channel = stream_id === undefined ? undefined : channelOf(state, stream_id);
  return (
    isGranted(state, grantOf(state, "realm_can_delete_any_message_group"), user_id) ||
    isGranted(state, channel?.can_delete_any_message_group, user_id)
  );
}

export function mayMove(state: State, message: Pick<Message, "stream_id">): boolean {
  const channel = message.stream_id === undefined ? undefined : channelOf(state, message.stream_id);
  if (!channel) return false;
  const { user_id } = state.self;
  return (
    isGranted(state, grantOf(state, "realm_can_move_messages_between_topics_group"), user_id) ||
    isGranted(state, channel.can_move_messages_within_channel_group, user_id) ||
    isGranted(state, grantOf(state, "realm_can_move_messages_between_channels_group"), user_id) ||
    isGranted(state, channel.can_move_messages_out_of_channel_group, user_id)
  );
}

/** Whether the person may change a channel, and who may do what in it. */
export function mayAdminister({ self, groups }: State, channel: Channel): boolean {
  return (
    self.is_admin ||
    self.is_owner ||
    isGranted({ groups }, channel.can_administer_channel_group, self.user_id)
  );
}

/** Administrators see private channels that they may not read. */
export function mayRead(state: State, channel: Channel): boolean {
  return (
    channel.is_web_public ||
    (!channel.invite_only && !state.self.is_guest) ||
    channel.stream_id in state.subscriptions ||
    [channel.can_add_subscribers_group, channel.can_subscribe_group].some((grant) =>
      isGranted(state, grant, state.self.user_id),
    )
  );
}

export function mayAddOthers(state: State, channel: Channel): boolean {
  const grants = [grantOf(state, "realm_can_add_subscribers_group"), channel.can_add_subscribers_group];
  if (channel.is_archived || !mayRead(state, channel)) return false;
  return mayAdminister(state, channel) || grants.some((grant) => isGranted(state, grant, state.self.user_id));
}

export function mayRemoveOthers(state: State, channel: Channel): boolean {
  return (
    mayAdminister(state, channel) ||
    isGranted(state, channel.can_remove_subscribers_group, state.self.user_id)
  );
}

export function mayResolve(state: State, channelId: number): boolean {
  const { user_id } = state.self;
  return (
    isGranted(state, grantOf(state, "realm_can_resolve_topics_group"), user_id) ||
    isGranted(state, channelOf(state, channelId)?.can_resolve_topics_group, user_id)
  );
}

/** Whether the person may change an account: administrators may, but only owners those of owners. */
export function mayChangeAccount({ self }: State, { role, is_system_bot }: Person): boolean {
  return self.is_admin && !is_system_bot && (self.is_owner || role !== ownerRole);
}

/** Whether the person sees reports of messages: moderators do, and members who are in the channel that gets their notices. */
export function mayModerate({ self, organization, subscriptions }: State): boolean {
  const channel = organization.realm_moderation_request_channel_id;
  return self.is_moderator || (!self.is_guest && typeof channel === "number" && channel in subscriptions);
}

export const mayInvite = (state: State) => mayEverywhere(state, "realm_can_invite_users_group");
export const mayMakeLinks = (state: State) => mayEverywhere(state, "realm_create_multiuse_invite_group");
export const mayMakeGroups = (state: State) => mayEverywhere(state, "realm_can_create_groups");
export const mayAddEmoji = (state: State) => mayEverywhere(state, "realm_can_add_custom_emoji_group");
export const maySetTopicsPolicy = (state: State) => mayEverywhere(state, "realm_can_set_topics_policy_group");
export const maySetDeletion = (state: State) =>
  mayEverywhere(state, "realm_can_set_delete_message_policy_group");

/** Who may read a channel that the person makes; or, if it exists, to what they may change that. */
export function possiblePrivacies(state: State, channel?: Channel): readonly Privacy[] {
  const now = channel && privacyOf(channel);
  const mayOpen = mayEverywhere(state, "realm_can_create_public_channel_group");
  const mayClose = mayEverywhere(state, "realm_can_create_private_channel_group");
  const mayPublish =
    mayOpen &&
    state.organization.server_web_public_streams_enabled === true &&
    state.organization.realm_enable_spectator_access === true &&
    mayEverywhere(state, "realm_can_create_web_public_channel_group");
  const isPossible: Record<Privacy, boolean> = {
    public: mayOpen || now === "web",
    shared: mayClose || now === "protected",
    protected: mayClose || now === "shared",
    web: mayPublish,
  };
  return privacies.map(({ value }) => value).filter((value) => value === now || isPossible[value]);
}

type GroupPurpose = "manage" | "add" | "remove" | "join" | "leave";

export function mayChangeGroup(state: State, group: UserGroup, purpose: GroupPurpose): boolean {
  const grants: Record<GroupPurpose, readonly GroupSettingValue[]> = {
    manage: [],
    add: [group.can_add_members_group],
    remove: [group.can_remove_members_group],
    join: [group.can_add_members_group, group.can_join_group],
    leave: [group.can_remove_members_group, group.can_leave_group],
  };
  return (
    mayEverywhere(state, "realm_can_manage_all_groups") ||
    [group.can_manage_group, ...grants[purpose]].some((one) => isGranted(state, one, state.self.user_id))
  );
}

type Disabling =
  | "realm_name_changes_disabled"
  | "realm_email_changes_disabled"
  | "realm_avatar_changes_disabled";

/** Whether the person may change their own name, address or picture: administrators may, the organization can turn it off for others. */
export function mayChangeOwn({ self, organization }: State, setting: Disabling): boolean {
  return self.is_admin || organization[setting] !== true;
}

/** Whether the person may make bots: any, or at least those that can only write. */
export const mayMakeBots = (state: State) => mayEverywhere(state, "realm_can_create_bots_group");
export const mayMakeWritingBots = (state: State) =>
  mayMakeBots(state) || mayEverywhere(state, "realm_can_create_write_only_bots_group");
