import type * as schema from "@/foundation/groups/schema.ts";
import type { GroupSettingValue } from "@/foundation/permissions/schema.ts";
import type * as users from "@/foundation/users/schema.ts";
import type { EventsOf, StateNoun } from "./noun.ts";
import { byKey, changeEntry, union, withEntry, without, withoutEntries } from "./records.ts";

interface Groups {
  groups: Record<number, schema.UserGroup>;
}

export const groups: StateNoun<
  { realm_user_groups: schema.UserGroup[] },
  Groups,
  EventsOf<typeof schema> & EventsOf<typeof users>
> = {
  takes: ["realm_user_groups"],
  initial: ({ realm_user_groups }) => ({ groups: byKey(realm_user_groups, "id") }),
  reducers: {
    "user_group/add": (state, { group }) => ({
      ...state,
      groups: withEntry(state.groups, group.id, group),
    }),
    "user_group/update": (state, { group_id, data }) => ({
      ...state,
      groups: changeEntry(state.groups, group_id, (group) => ({ ...group, ...data })),
    }),
    "user_group/remove": (state, { group_id }) => ({
      ...state,
      groups: withoutEntries(state.groups, [group_id]),
    }),
    "user_group/add_members": (state, { group_id, user_ids }) =>
      changeList(state, group_id, "members", (ids) => union(ids, user_ids)),
    "user_group/remove_members": (state, { group_id, user_ids }) =>
      changeList(state, group_id, "members", (ids) => without(ids, user_ids)),
    "user_group/add_subgroups": (state, { group_id, direct_subgroup_ids }) =>
      changeList(state, group_id, "direct_subgroup_ids", (ids) => union(ids, direct_subgroup_ids)),
    "user_group/remove_subgroups": (state, { group_id, direct_subgroup_ids }) =>
      changeList(state, group_id, "direct_subgroup_ids", (ids) => without(ids, direct_subgroup_ids)),
    // The server sends no event when a group loses people who were deactivated.
    "realm_user/update": (state, { person }) =>
      person.is_active === false ? withoutMember(state, person.user_id) : state,
  },
};

function changeList(
  state: Groups,
  id: number,
  list: "members" | "direct_subgroup_ids",
  change: (ids: number[]) => readonly number[],
): Groups {
  const groups = changeEntry(state.groups, id, (group) => ({ ...group, [list]: [...change(group[list])] }));
  return { ...state, groups };
}

function withoutMember(state: Groups, id: number): Groups {
  const entries = Object.entries(state.groups).map(([key, group]) => [
    key,
    group.members.includes(id) ? { ...group, members: group.members.filter((one) => one !== id) } : group,
  ]);
  return { ...state, groups: Object.fromEntries(entries) };
}

/** Whether a user is in the group or one of its subgroups. */
export function isMember(groups: Groups["groups"], groupId: number, userId: number): boolean {
  const group = groups[groupId];
  if (!group) return false;
  return (
    group.members.includes(userId) || group.direct_subgroup_ids.some((id) => isMember(groups, id, userId))
  );
}

/** The people whom a permission covers: of a group, or of people and groups named one by one. */
export function coveredUsers(groups: Groups["groups"], value: GroupSettingValue): ReadonlySet<number> {
  const isGroup = typeof value === "number";
  const found = new Set(isGroup ? [] : value.direct_members);
  const seen = new Set<number>();
  const left = isGroup ? [value] : [...value.direct_subgroups];
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const group = groups[id];
    for (const member of group?.members ?? []) found.add(member);
    left.push(...(group?.direct_subgroup_ids ?? []));
  }
  return found;
}
