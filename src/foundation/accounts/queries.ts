import { isRestricted, listKnownTo } from "@/foundation/acquaintance/access.ts";
import { allow, isAdmin, isGuest, may, mayMakeWebPublic, me } from "@/foundation/permissions/access.ts";
import { type Role, roles } from "@/foundation/permissions/schema.ts";
import { profileOf } from "@/foundation/profile-fields/access.ts";
import {
  checkMayGrantRole,
  everySystemBot,
  everyUser,
  myself,
  userByEmail,
  userFor,
  userKnownFor,
  userToChange,
  userWithAddress,
} from "@/foundation/users/access.ts";
import { userHooks } from "@/foundation/users/hooks.ts";
import { avatarFields, avatarUrl, presentStranger, presentUser } from "@/foundation/users/present.ts";
import type { User, UserRow, UserView } from "@/foundation/users/schema.ts";
import type { Ctx, StateRequest } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { AppError, fail, failInEnglish } from "@/kernel/lib/errors.ts";
import type { JsonText } from "@/kernel/lib/json-text.ts";
import { runInSlices, runSoon, type Task } from "@/kernel/lib/tasks.ts";
import { sentence } from "@/text/language/tables.ts";
import { prepareList } from "./prepared-list.ts";
import * as store from "./store.ts";

const plain: UserView = { client_gravatar: false, include_custom_profile_fields: false };

function presentInView(ctx: Ctx, row: UserRow, view: UserView): User {
  const shown = presentUser(ctx, row, view.client_gravatar);
  if (ctx.actor.kind === "anonymous") return shown;
  return view.include_custom_profile_fields ? withProfile(ctx, shown) : shown;
}

function withProfile(ctx: Ctx, user: User): User {
  return { ...user, profile_data: profileOf(ctx, user.user_id) };
}

/** All users that the actor may know. */
function listKnownUsers(ctx: Ctx): UserRow[] {
  if (ctx.actor.kind === "anonymous" && isRestricted(ctx)) return [];
  const known = ctx.actor.kind === "user" ? listKnownTo(ctx, ctx.actor.id) : null;
  return everyUser(ctx).filter((row) => !known || known.has(row.id));
}

/** All users that the actor may know; as prepared text if all users of their role see the same. */
export const listEveryone = query(allow.viewer, function* (ctx, view: UserView): Task<User[] | JsonText> {
  const prepared = yield* prepareList(ctx, { ...view, people: "all" });
  return prepared ?? (yield* allViewed(ctx, listKnownUsers(ctx), view));
});

function* allViewed(ctx: Ctx, rows: readonly UserRow[], view: UserView): Task<User[]> {
  const users: User[] = [];
  for (const row of rows) {
    users.push(presentInView(ctx, row, view));
    yield 1;
  }
  return users;
}

/** As `listUsers` for everyone, in slices. */
export const listAllUsers = query(
  allow.viewer,
  (ctx): Promise<User[]> => runInSlices(allViewed(ctx, listKnownUsers(ctx), plain)),
);

export const listUsers = query(
  allow.viewer,
  (ctx, input: Partial<UserView> & { user_ids?: number[] }): User[] => {
    const view = { ...plain, ...input };
    const wanted = input.user_ids && new Set(input.user_ids);
    const rows = listKnownUsers(ctx).filter((row) => !wanted || wanted.has(row.id));
    return rows.map((row) => presentInView(ctx, row, view));
  },
);

export const getUser = query(allow.user, (ctx, input: Partial<UserView> & { user_id: number }): User => {
  return presentInView(ctx, userKnownFor(ctx, input.user_id), { ...plain, ...input });
});

export const getUserByEmail = query(allow.user, (ctx, input: Partial<UserView> & { email: string }): User => {
  return presentInView(ctx, userByEmail(ctx, input.email), { ...plain, ...input });
});

export const getOwnUser = query(allow.user, async (ctx) => {
  const max_message_id = await runSoon(userHooks.newestMessage(ctx));
  const { bot_type, bot_owner_id, ...own } = presentUser(ctx, myself(ctx), false);
  return { ...own, max_message_id, profile_data: profileOf(ctx, own.user_id) };
});

/** Bots with their owners, for the terminal. */
export const listBots = query(allow.user, (ctx): User[] => {
  return listKnownUsers(ctx)
    .filter((row) => row.is_bot)
    .map((row) => presentUser(ctx, row, false));
});

interface RequestedChange {
  user_ids: readonly number[];
  /** Their new role; null to deactivate them. */
  role: Role | null;
}

/** Which of these users the actor cannot deactivate, or give a role, and why; taken together, because an owner must remain. */
export const listRefusedChanges = query(
  allow.admin,
  (ctx, { user_ids, role }: RequestedChange): ReadonlyMap<number, string> => {
    const refused = new Map<number, string>();
    if (role !== null) checkMayGrantRole(ctx, role);
    for (const id of user_ids) {
      const reason = reasonAgainst(() => userToChange(ctx, id));
      if (reason !== null) refused.set(id, reason);
    }
    const owners = role === roles.owner ? [] : user_ids.filter((id) => isActiveOwner(ctx, id));
    if (owners.length > 0 && owners.length >= store.countActiveOwners(ctx, roles.owner))
      for (const id of owners)
        if (!refused.has(id))
          refused.set(id, "The owner permission cannot be removed from the only organization owner.");
    return refused;
  },
);

function reasonAgainst(check: () => unknown): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

function isActiveOwner(ctx: Ctx, id: number): boolean {
  const { role, is_active, is_bot } = userFor(ctx, id);
  return role === roles.owner && is_active === 1 && is_bot === 0;
}

/** The `realm_user` section of the initial state. */
export function* usersState(
  ctx: Ctx,
  { options, capabilities }: StateRequest,
): Task<Record<string, unknown>> {
  const clientGravatar = options.client_gravatar === true;
  const view = { client_gravatar: clientGravatar, include_custom_profile_fields: true };
  const active = yield* prepareList(ctx, { ...view, people: "active" });
  const inactive = yield* prepareList(ctx, { ...view, people: "inactive" });
  const rows = active
    ? []
    : listKnownUsers(ctx).map((row) => withProfile(ctx, presentUser(ctx, row, clientGravatar)));
  const strangers = capabilities.has("user_list_incomplete") ? [] : unknownUsers(ctx);
  const bots = everySystemBot(ctx).map((row) => presentUser(ctx, row, clientGravatar));
  return {
    realm_users: active ?? [...rows.filter((user) => user.is_active), ...strangers],
    realm_non_active_users: inactive ?? rows.filter((user) => !user.is_active),
    cross_realm_bots: bots.map((row) => ({ ...row, is_system_bot: true })),
    ...(ctx.actor.kind === "anonymous" ? nobody(ctx) : ownState(ctx)),
  };
}

/** Like `ownState`, for visitors without an account. */
function nobody(ctx: Ctx): Record<string, unknown> {
  const generated = { id: 0, avatar_file: null };
  return {
    user_id: -1,
    email: "",
    delivery_email: "",
    full_name: "",
    avatar_url: avatarUrl(ctx, generated),
    avatar_url_medium: avatarUrl(ctx, generated, "-medium"),
    avatar_source: "G",
    is_owner: false,
    is_admin: false,
    is_moderator: false,
    is_guest: false,
    can_create_public_streams: false,
    can_create_private_streams: false,
    can_create_web_public_streams: false,
    can_create_streams: false,
    can_invite_others_to_realm: false,
  };
}

/** Placeholders for users that the actor may not know, for clients that need an entry for every user. */
function unknownUsers(ctx: Ctx): User[] {
  const known = ctx.actor.kind === "user" ? listKnownTo(ctx, ctx.actor.id) : null;
  if (!known) return [];
  const others = everyUser(ctx).filter((row) => !known.has(row.id));
  return others.map((row) => presentStranger(ctx, row.id));
}

function ownState(ctx: Ctx): Record<string, unknown> {
  const own = myself(ctx);
  const { avatar_version, ...avatar } = avatarFields(ctx, own);
  const member = me(ctx);
  const publicly = may(ctx, "can_create_public_channel_group");
  const privately = may(ctx, "can_create_private_channel_group");
  return {
    user_id: own.id,
    email: own.email,
    delivery_email: own.delivery_email,
    full_name: own.full_name,
    ...avatar,
    is_owner: own.role === roles.owner,
    is_admin: isAdmin(member),
    is_moderator: own.role <= roles.moderator,
    is_guest: isGuest(member),
    can_create_public_streams: publicly,
    can_create_private_streams: privately,
    can_create_web_public_streams: mayMakeWebPublic(ctx),
    can_create_streams: publicly || privately,
    can_invite_others_to_realm: may(ctx, "can_invite_users_group"),
  };
}

/** The user who acts from a terminal: the one with the given address, or the first active owner. */
export const operator = query(allow.anyone, (ctx, email: string | null): { id: number; email: string } => {
  if (email !== null) {
    const user = userWithAddress(ctx, email);
    if (!user?.is_active)
      fail("BAD_REQUEST", sentence("There is no active user with the address {email}.", { email }));
    return user;
  }
  const owner = everyUser(ctx).find((user) => user.role === roles.owner && user.is_active && !user.is_bot);
  return (
    owner ??
    failInEnglish("BAD_REQUEST", "The organization has no active owner: choose a user with --as EMAIL.")
  );
});
