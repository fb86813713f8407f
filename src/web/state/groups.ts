import type {
  groupAdded,
  groupMembersAdded,
  groupMembersRemoved,
  groupRemoved,
  groupUpdated,
  subgroupsAdded,
  subgroupsRemoved,
} from "@/foundation/groups/schema.ts";
import { changeEntry, union, withEntry, without, withoutEntries } from "./records.ts";
import type { Payload, Reducers, State } from "./shape.ts";

type List = "members" | "direct_subgroup_ids";

function changeList(
  state: State,
  id: number,
  list: List,
  change: (ids: number[]) => readonly number[],
): State {
  const groups = changeEntry(state.groups, id, (group) => ({ ...group, [list]: [...change(group[list])] }));
  return { ...state, groups };
}

export const groups: Reducers = {
  "user_group/add": (state, { group }: Payload<typeof groupAdded>) => ({
    ...state,
    groups: withEntry(state.groups, group.id, group),
  }),
  "user_group/update": (state, { group_id, data }: Payload<typeof groupUpdated>) => ({
    ...state,
    groups: changeEntry(state.groups, group_id, (group) => ({ ...group, ...data })),
  }),
  "user_group/remove": (state, { group_id }: Payload<typeof groupRemoved>) => ({
    ...state,
    groups: withoutEntries(state.groups, [group_id]),
  }),
  "user_group/add_members": (state, { group_id, user_ids }: Payload<typeof groupMembersAdded>) =>
    changeList(state, group_id, "members", (ids) => union(ids, user_ids)),
  "user_group/remove_members": (state, { group_id, user_ids }: Payload<typeof groupMembersRemoved>) =>
    changeList(state, group_id, "members", (ids) => without(ids, user_ids)),
  "user_group/add_subgroups": (state, event: Payload<typeof subgroupsAdded>) =>
    changeList(state, event.group_id, "direct_subgroup_ids", (ids) => union(ids, event.direct_subgroup_ids)),
  "user_group/remove_subgroups": (state, event: Payload<typeof subgroupsRemoved>) =>
    changeList(state, event.group_id, "direct_subgroup_ids", (ids) =>
      without(ids, event.direct_subgroup_ids),
    ),
};

/** Whether a user is in the group or one of its subgroups. */
export function isMember(groups: State["groups"], groupId: number, userId: number): boolean {
  const group = groups[groupId];
  if (!group) return false;
  return (
    group.members.includes(userId) || group.direct_subgroup_ids.some((id) => isMember(groups, id, userId))
  );
}
