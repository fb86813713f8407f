import { z } from "zod";
import { errorKinds } from "@/kernel/lib/errors.ts";

export const permissionErrors = errorKinds({
  UNAUTHORIZED_PRINCIPAL: { status: 400 },
  SYSTEM_GROUP_REQUIRED: { status: 400 },
});

/** Role codes as clients know them; a smaller code has more rights. */
export const roles = { owner: 100, admin: 200, moderator: 300, member: 400, guest: 600 } as const;

export type RoleName = keyof typeof roles;

export type Role = (typeof roles)[RoleName];

/** Kinds of bots, by the numbers that clients know; an incoming webhook may only send. */
export const botTypes = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3, embedded: 4 } as const;

/** A role as clients send it. */
export const role = z.literal(Object.values(roles), "There is no such role.");

export const roleName = z.enum(["owner", "admin", "moderator", "member", "guest"]);

export function roleNameOf(code: number): RoleName {
  return roleName.options.find((name) => roles[name] === code) ?? "member";
}

/** System groups from the widest to the narrowest; each contains the next. `role:nobody` is separate. */
export const nestedGroups = [
  { name: "role:internet", description: "Everyone on the Internet", role: null },
  { name: "role:everyone", description: "Everyone in this organization", role: roles.guest },
  {
    name: "role:members",
    description: "Members of this organization, not including guests",
    role: roles.member,
  },
  {
    name: "role:fullmembers",
    description: "Members of this organization, not including new accounts",
    role: null,
  },
  { name: "role:moderators", description: "Moderators of this organization", role: roles.moderator },
  { name: "role:administrators", description: "Administrators of this organization", role: roles.admin },
  { name: "role:owners", description: "Owners of this organization", role: roles.owner },
] as const;

export const nobodyGroup = { name: "role:nobody", description: "Nobody", role: null } as const;

export const systemGroups = [...nestedGroups, nobodyGroup];

export type SystemGroupName = (typeof systemGroups)[number]["name"];

/** The value of a permission setting on the wire: a group's ID, or people and groups named directly. */
export const groupSettingValue = z.union([
  z.int(),
  z.strictObject({ direct_members: z.array(z.int()), direct_subgroups: z.array(z.int()) }),
]);

export type GroupSettingValue = z.infer<typeof groupSettingValue>;

/** A new value for a permission setting, and optionally the old value that the client expects. */
export const groupSettingUpdate = z.strictObject({
  new: groupSettingValue,
  old: groupSettingValue.optional(),
});

export type GroupSettingUpdate = z.infer<typeof groupSettingUpdate>;

/** One row of a table of permission settings: its default, and the system groups that it must not be. */
export interface Grant {
  readonly default: SystemGroupName;
  readonly never: readonly SystemGroupName[];
  /** If given, the only groups allowed, all of them system groups. */
  readonly only?: readonly SystemGroupName[];
  /** The default as clients read it, if it depends on who creates the object. */
  readonly wireDefault?: string;
}

const members: readonly SystemGroupName[] = ["role:internet", "role:everyone"];

const anyone: readonly SystemGroupName[] = ["role:internet"];

const grant = (
  fallback: SystemGroupName,
  never: readonly SystemGroupName[],
  more: Partial<Grant> = {},
): Grant => {
  return { default: fallback, never, ...more };
};

export const realmGrants = {
  can_access_all_users_group: grant("role:everyone", [...anyone, "role:nobody"], {
    only: ["role:everyone", "role:members"],
  }),
  can_add_custom_emoji_group: grant("role:members", members),
  can_add_subscribers_group: grant("role:members", members),
  can_create_bots_group: grant("role:members", members),
  can_create_groups: grant("role:members", members),
  can_create_private_channel_group: grant("role:members", members),
  can_create_public_channel_group: grant("role:members", members),
  can_create_web_public_channel_group: grant("role:owners", members, {
    only: ["role:moderators", "role:administrators", "role:owners", "role:nobody"],
  }),
  can_create_write_only_bots_group: grant("role:members", members),
  can_delete_any_message_group: grant("role:administrators", members),
  can_delete_own_message_group: grant("role:everyone", anyone),
  can_invite_users_group: grant("role:members", members),
  can_manage_all_groups: grant("role:owners", [...members, "role:nobody"]),
  can_manage_billing_group: grant("role:administrators", [...members, "role:nobody"]),
  can_mention_many_users_group: grant("role:administrators", anyone),
  can_move_messages_between_channels_group: grant("role:members", members),
  can_move_messages_between_topics_group: grant("role:everyone", anyone),
  can_resolve_topics_group: grant("role:everyone", anyone),
  can_set_delete_message_policy_group: grant("role:moderators", members),
  can_set_topics_policy_group: grant("role:members", anyone),
  can_summarize_topics_group: grant("role:everyone", anyone),
  create_multiuse_invite_group: grant("role:administrators", members),
  direct_message_initiator_group: grant("role:everyone", anyone),
  direct_message_permission_group: grant("role:everyone", anyone),
  workplace_users_group: grant("role:everyone", [...anyone, "role:nobody"]),
} satisfies Record<string, Grant>;

export const channelGrants = {
  can_add_subscribers_group: grant("role:nobody", members),
  can_administer_channel_group: grant("role:nobody", members, { wireDefault: "channel_creator" }),
  can_create_topic_group: grant("role:everyone", anyone),
  can_delete_any_message_group: grant("role:nobody", anyone),
  can_delete_own_message_group: grant("role:nobody", anyone),
  can_move_messages_out_of_channel_group: grant("role:nobody", anyone),
  can_move_messages_within_channel_group: grant("role:nobody", anyone),
  can_remove_subscribers_group: grant("role:administrators", anyone),
  can_resolve_topics_group: grant("role:nobody", anyone),
  can_send_message_group: grant("role:everyone", anyone),
  can_subscribe_group: grant("role:nobody", members),
} satisfies Record<string, Grant>;

export const groupGrants = {
  can_add_members_group: grant("role:nobody", members, { wireDefault: "group_creator" }),
  can_join_group: grant("role:nobody", members),
  can_leave_group: grant("role:everyone", anyone),
  can_manage_group: grant("role:nobody", members, { wireDefault: "group_creator" }),
  can_mention_group: grant("role:everyone", [...anyone, "role:owners"]),
  can_remove_members_group: grant("role:nobody", members),
} satisfies Record<string, Grant>;

/** The permission settings of each kind of object, by the scope under which their values are stored. */
export const grants = { realm: realmGrants, channel: channelGrants, group: groupGrants };

export type GrantScope = keyof typeof grants;

export type GrantName<S extends GrantScope> = keyof (typeof grants)[S] & string;

/** Parameters that change an object's permission settings, all optional. */
export function grantUpdateParams<S extends GrantScope>(
  scope: S,
): { [K in GrantName<S>]: z.ZodOptional<typeof groupSettingUpdate> } {
  const names = Object.keys(grants[scope]) as GrantName<S>[];
  return Object.fromEntries(names.map((name) => [name, groupSettingUpdate.optional()])) as {
    [K in GrantName<S>]: z.ZodOptional<typeof groupSettingUpdate>;
  };
}

/** The fields of an object for its permission settings. */
export function grantFields<S extends GrantScope>(
  scope: S,
): { [K in GrantName<S>]: typeof groupSettingValue } {
  const names = Object.keys(grants[scope]) as GrantName<S>[];
  return Object.fromEntries(names.map((name) => [name, groupSettingValue])) as {
    [K in GrantName<S>]: typeof groupSettingValue;
  };
}

export const authErrors = errorKinds({
  UNAUTHENTICATED_USER: { status: 401 },
  AUTHENTICATION_FAILED: { status: 401 },
  PASSWORD_AUTH_DISABLED: { status: 401 },
  USER_DEACTIVATED: { status: 401 },
  CSRF_FAILED: { status: 403 },
  WRONG_CODE: { status: 400 },
});

export interface GrantRow {
  scope: GrantScope;
  owner_id: number;
  name: string;
}

/** The data that decides a user's permissions. */
export interface Member {
  id: number;
  role: Role;
  is_active: 0 | 1;
  is_bot: 0 | 1;
  bot_type: number | null;
  bot_owner_id: number | null;
  date_joined: number;
}
