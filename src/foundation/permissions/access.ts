// Every permission check of the core ends here.

import { checkRealmActive, hasRealm } from "@/foundation/realm/access.ts";
import { realmSettings, serverOptions } from "@/foundation/realm/schema.ts";
import type { Ctx, Reads, ReadsNow } from "@/kernel/core/context.ts";
import type { Permission } from "@/kernel/core/operation.ts";
import { fail, failInEnglish, type KnownText } from "@/kernel/lib/errors.ts";
import { cache } from "@/kernel/store/cache.ts";
import { closureFrom, directMembersOf, groupsWithin, isFullMember } from "./closure.ts";
import {
  authErrors,
  botTypes,
  type Grant,
  type GrantName,
  type GrantScope,
  type GroupSettingValue,
  grants,
  type Member,
  nestedGroups,
  permissionErrors,
  type Role,
  roles,
} from "./schema.ts";
import * as store from "./store.ts";

/** The acting user; throws UNAUTHORIZED if nobody is logged in. */
export function me(ctx: Ctx): Member {
  const member = ctx.actor.kind === "user" ? store.findMember(ctx, ctx.actor.id) : null;
  if (!member) fail("UNAUTHORIZED", "Not logged in: API authentication or user session required");
  if (!member.is_active) fail(authErrors.USER_DEACTIVATED, "Account is deactivated");
  return member;
}

/** A visitor without an account: in no group and no channel. */
const spectator: Member = {
  id: 0,
  role: roles.guest,
  is_active: 1,
  is_bot: 0,
  bot_type: null,
  bot_owner_id: null,
  date_joined: 0,
};

/** True for a visitor without an account; `viewer` checks whether visitors are allowed. */
export function isSpectator(member: Pick<Member, "id">): boolean {
  return member.id === spectator.id;
}

/** The acting user or, if public access is on, a visitor without an account; otherwise throws like `me`. */
export function viewer(ctx: Ctx): Member {
  return ctx.actor.kind === "anonymous" && isOpenToPublic(ctx) ? spectator : me(ctx);
}

/** Whether people without an account may read web-public channels. */
export function isOpenToPublic(reads: Reads): boolean {
  if (!hasRealm(reads) || !realmSettings.read(reads).enable_spectator_access) return false;
  checkRealmActive(reads);
  return serverOptions.read(reads).web_public_channels;
}

/** The data that decides the permissions of an existing user. */
export function memberOf(reads: Reads, userId: number): Member {
  return store.findMember(reads, userId) ?? fail("BAD_REQUEST", "No such user");
}

/** The acting user; throws for a bot that may only send. */
function meInFull(ctx: Ctx): Member {
  const member = me(ctx);
  if (member.bot_type === botTypes.incomingWebhook) {
    fail("BAD_REQUEST", "This API is not available to incoming webhook bots.");
  }
  return member;
}

const isSystem = (ctx: Ctx) => ctx.actor.kind === "system";

function roleFloor(floor: Role, message: KnownText): Permission {
  return (ctx) => {
    if (!isSystem(ctx) && meInFull(ctx).role > floor) fail(permissionErrors.UNAUTHORIZED_PRINCIPAL, message);
  };
}

/** Permissions that depend only on the actor; permissions for an object are in the access files. */
export const allow = {
  anyone: (() => {}) as Permission,
  user: ((ctx) => void (isSystem(ctx) || meInFull(ctx))) as Permission,
  /** Like `user`, plus bots that may only send. */
  sender: ((ctx) => void (isSystem(ctx) || me(ctx))) as Permission,
  /** A user or, if public access is on, a visitor without an account. */
  viewer: ((ctx) =>
    void (isSystem(ctx) || (ctx.actor.kind === "anonymous" ? viewer(ctx) : meInFull(ctx)))) as Permission,
  moderator: roleFloor(roles.moderator, "Must be an organization moderator"),
  admin: roleFloor(roles.admin, "Must be an organization administrator"),
  /** An administrator, or a monitoring program with a token, which may see nothing else. */
  watcher: ((ctx) => {
    if (ctx.actor.by?.kind !== "token") allow.admin(ctx);
  }) as Permission,
  owner: roleFloor(roles.owner, "Must be an organization owner"),
  /** Only who acts at the server's machine; a role gives nobody this. */
  operator: ((ctx) => {
    if (isSystem(ctx) || ctx.actor.isOperator) return;
    fail(permissionErrors.UNAUTHORIZED_PRINCIPAL, "Only the operator may do this, at the server's machine");
  }) as Permission,
  /** Only the server itself. */
  system: ((ctx) => {
    if (!isSystem(ctx))
      failInEnglish(permissionErrors.UNAUTHORIZED_PRINCIPAL, "Only the server itself may do this");
  }) as Permission,
};

export function isAdmin(member: Pick<Member, "role">): boolean {
  return member.role <= roles.admin;
}

export function isGuest(member: Pick<Member, "role">): boolean {
  return member.role === roles.guest;
}

const closureTables = ["users", "group_members", "group_subgroups", "user_groups"];

/** All groups a user is in, directly or through subgroups; except full members, which depend on time. */
const groupsOfUser = cache(closureTables, (reads, userId: number): ReadonlySet<number> => {
  const member = store.findMember(reads, userId);
  if (!member) return new Set();
  const ofRole = nestedGroups.find((group) => group.role === member.role);
  const direct = store.groupsNaming(reads, userId);
  return closureFrom(reads, ofRole ? [...direct, store.systemGroupId(reads, ofRole.name)] : direct);
});

const groupsOfFullMembers = cache(closureTables, (reads): ReadonlySet<number> => {
  return closureFrom(reads, [store.systemGroupId(reads, "role:fullmembers")]);
});

/** Whether a user is in a group, directly or through subgroups. */
export function isMember(ctx: ReadsNow, groupId: number, member: Member): boolean {
  if (groupsOfUser(ctx, member.id).has(groupId)) return true;
  return groupsOfFullMembers(ctx).has(groupId) && isFullMember(ctx, member);
}

/** Active members of a group and of its subgroups. */
export function membersOf(ctx: ReadsNow, groupId: number): ReadonlySet<number> {
  const found = new Set<number>();
  for (const group of groupsWithin(ctx, groupId))
    for (const member of directMembersOf(ctx, group)) found.add(member);
  return found;
}

/** Active users with this role or a stronger one. */
export const usersUpTo = cache(["users"], (reads, floor: Role): ReadonlySet<number> => {
  const narrower = nestedGroups.filter((group) => group.role !== null && group.role <= floor);
  return new Set(
    narrower.flatMap((group) => store.directMembers(reads, store.systemGroupId(reads, group.name))),
  );
});

/** The group that has a permission for an object; the owner ID of the organization is 0. */
export function groupWithGrant<S extends GrantScope>(
  reads: Reads,
  scope: S,
  ownerId: number,
  name: GrantName<S>,
): number {
  const stored = store.findGrants(reads, `${scope}:${ownerId}`).get(name);
  return stored ?? store.systemGroupId(reads, grantRow(scope, name).default);
}

const grantRows: Record<GrantScope, Readonly<Record<string, Grant>>> = grants;

export function grantRow<S extends GrantScope>(scope: S, name: GrantName<S>): Grant {
  return grantRows[scope][name] as Grant;
}

/** Whether this user has the permission. Guests have only those that may be granted to everyone. */
export function holds<S extends GrantScope>(
  ctx: ReadsNow,
  member: Member,
  permission: { scope: S; ownerId: number; name: GrantName<S> },
): boolean {
  const { scope, ownerId, name } = permission;
  if (isGuest(member) && grantRow(scope, name).never.includes("role:everyone")) return false;
  return isMember(ctx, groupWithGrant(ctx, scope, ownerId, name), member);
}

/** Like `holds`, for the permissions of the organization. */
export function may(ctx: Ctx, name: GrantName<"realm">): boolean {
  return isSystem(ctx) || holds(ctx, me(ctx), { scope: "realm", ownerId: 0, name });
}

/** A permission setting as clients read it: the group's ID, or the active people and groups named directly. */
export function presentGroup(reads: Reads, groupId: number): GroupSettingValue {
  if (store.findGroup(reads, groupId)?.kind !== "anonymous") return groupId;
  return canonical({
    direct_members: store.directMembers(reads, groupId),
    direct_subgroups: store.directSubgroups(reads, groupId),
  });
}

/** The normal form of a value: IDs ascending and unique, a single group as its ID. */
export function canonical(value: GroupSettingValue): GroupSettingValue {
  if (typeof value === "number") return value;
  const direct_members = ascending(value.direct_members);
  const direct_subgroups = ascending(value.direct_subgroups);
  const [only] = direct_subgroups;
  if (direct_members.length === 0 && direct_subgroups.length === 1 && only !== undefined) return only;
  return { direct_members, direct_subgroups };
}

const ascending = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b);

/** All permission settings of an object, as clients read them. */
export function presentGrants<S extends GrantScope>(
  reads: Reads,
  scope: S,
  ownerId: number,
): Record<GrantName<S>, GroupSettingValue> {
  const names = Object.keys(grants[scope]) as GrantName<S>[];
  return Object.fromEntries(
    names.map((name) => [name, presentGroup(reads, groupWithGrant(reads, scope, ownerId, name))]),
  ) as Record<GrantName<S>, GroupSettingValue>;
}

/** An active group by its name in a mention, or null. */
export function findNamedGroup(
  reads: Reads,
  name: string,
): { id: number; name: string; is_system: boolean; description: string } | null {
  const group = store.findGroupByName(reads, name);
  if (!group || group.deactivated || group.kind === "anonymous") return null;
  return {
    id: group.id,
    name: group.name,
    is_system: group.kind === "system",
    description: group.description,
  };
}

/** Why the actor may not make channels web-public; null if server, organization and permission allow it. */
export function webPublicRefusal(ctx: Ctx): KnownText | null {
  if (!serverOptions.read(ctx).web_public_channels) {
    return "Web-public channels are not enabled on this server.";
  }
  if (!realmSettings.read(ctx).enable_spectator_access) {
    return "Web-public channels are not enabled in this organization.";
  }
  const isAllowed = may(ctx, "can_create_web_public_channel_group");
  return isAllowed ? null : "You do not have permission to create web-public channels.";
}

export function mayMakeWebPublic(ctx: Ctx): boolean {
  return webPublicRefusal(ctx) === null;
}
