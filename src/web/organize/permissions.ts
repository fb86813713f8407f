// What the person may do with the parts of the organization, as far as the client can tell: pages offer only that. The server decides.
import { isGranted, mayEverywhere } from "../message/permissions.ts";
import type { Channel, Grant, Group, State } from "../state/shape.ts";
import { type Privacy, privacies, privacyOf } from "./privacy.ts";

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

export function mayChangeGroup(state: State, group: Group, purpose: GroupPurpose): boolean {
  const grants: Record<GroupPurpose, readonly Grant[]> = {
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
