// What fields offer to choose from: roles, groups, people, channels.

import { listGroups, listMembers } from "@/foundation/groups/queries.ts";
import type { UserGroup } from "@/foundation/groups/schema.ts";
import type { Grant, SystemGroupName } from "@/foundation/permissions/schema.ts";
import { addressOf } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { allChannels, listPeople } from "./names.ts";
import type { Pick } from "./screen.ts";

/** Roles, groups and people; of the roles, those that the permission may be. */
export function whoPicks(ctx: Ctx, grant?: Grant): Pick[] {
  const groups = listGroups(ctx, {});
  const roles = groups.filter((group) => group.is_system_group && isAllowed(group.name, grant));
  const own = grant?.only ? [] : groups.filter((group) => !group.is_system_group);
  return [
    ...roles.map((group) => groupPick(ctx, group)),
    ...own.map((group) => groupPick(ctx, group)),
    ...(grant?.only ? [] : peoplePicks(ctx)),
  ];
}

function isAllowed(name: string, grant: Grant | undefined): boolean {
  const role = name as SystemGroupName;
  return grant === undefined || ((grant.only?.includes(role) ?? true) && !grant.never.includes(role));
}

function groupPick(ctx: Ctx, { id, name, is_system_group, description }: UserGroup): Pick {
  const count = listMembers(ctx, { group_id: id }).length;
  const people = name === "role:nobody" ? "" : `${count} ${count === 1 ? "person" : "people"}`;
  const about = [people, description].filter((part) => part !== "").join(" · ");
  return {
    noun: is_system_group ? "role" : "group",
    name: is_system_group ? name.replace("role:", "") : name,
    about,
    text: name,
    isAlone: name === "role:nobody",
  };
}

/** Active people; if given, only these. */
export function peoplePicks(ctx: Ctx, only?: readonly number[]): Pick[] {
  const wanted = only && new Set(only);
  return listPeople(ctx)
    .filter((user) => user.is_active && !user.is_bot && (wanted?.has(user.user_id) ?? true))
    .map((user) => ({ noun: "person", name: user.full_name, about: addressOf(user), text: addressOf(user) }));
}

export function channelPicks(ctx: Ctx): Pick[] {
  return allChannels(ctx)
    .filter(({ is_archived }) => !is_archived)
    .map(({ name, description }) => ({ noun: "channel", name, about: description, text: name }));
}
