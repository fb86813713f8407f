import { z } from "zod";
import { userId } from "@/foundation/users/schema.ts";
import { earlyInSteps, forSpectators } from "@/kernel/events/state.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { createGroup, deactivateGroup, updateGroup, updateMembers } from "./actions.ts";
import { groupsState, isGroupMember, listGroupsInSlices, listMembers, listSubgroups } from "./queries.ts";
import { emitFullMembersByTime } from "./roles.ts";
import { groupId, groupMoves, groupPatch, newGroup, userGroup } from "./schema.ts";

const path = "/user_groups/{user_group_id:[0-9]+}";
const user_group_id = groupId;

export default domain({
  name: "groups",
  about: "user groups: who is in them, who may change that, what depends on them",
  state: { realm_user_groups: forSpectators(earlyInSteps(groupsState)) },
  jobs: [{ name: "full-members", everySeconds: 60, run: emitFullMembersByTime }],
  endpoints: [
    endpoint("get-user-groups", {
      about:
        "Lists the user groups, system groups included. Deactivated ones come only with `include_deactivated_groups`.",
      method: "GET",
      path: "/user_groups",
      params: { include_deactivated_groups: z.boolean().default(false) },
      returns: { user_groups: z.array(userGroup) },
      run: async (ctx, params) => ({
        user_groups: await listGroupsInSlices(ctx, params, (group) => group),
      }),
    }),
    endpoint("create-user-group", {
      about: "Creates a user group with its members, subgroups and permissions.",
      method: "POST",
      path: "/user_groups/create",
      params: newGroup.shape,
      returns: { group_id: groupId },
      keeps: "results",
      run: async (ctx, params) => ({ group_id: (await createGroup(ctx, params)).id }),
    }),
    endpoint("update-user-group", {
      about: "Changes a group's name, description or permissions, or reactivates it.",
      method: "PATCH",
      path,
      params: { user_group_id, ...groupPatch.omit({ group_id: true }).shape },
      run: (ctx, { user_group_id: group_id, ...changes }) => updateGroup(ctx, { group_id, ...changes }),
    }),
    endpoint("deactivate-user-group", {
      about:
        "Deactivates a user group. One that a permission or another group still uses is refused, with a list of its uses. Settings of archived channels and deactivated groups count, too.",
      method: "POST",
      path: `${path}/deactivate`,
      params: { user_group_id },
      run: (ctx, params) => deactivateGroup(ctx, params.user_group_id),
    }),
    endpoint("get-user-group-members", {
      about:
        "Lists the IDs of a group's members, with those of its subgroups unless `direct_member_only` is set.",
      method: "GET",
      path: `${path}/members`,
      params: { user_group_id, direct_member_only: z.boolean().default(false) },
      returns: { members: z.array(userId) },
      run: (ctx, { user_group_id: group_id, ...which }) => ({
        members: listMembers(ctx, { group_id, ...which }),
      }),
    }),
    endpoint("update-user-group-members", {
      about: "Adds and removes members and subgroups of a group in one request.",
      method: "POST",
      path: `${path}/members`,
      params: { user_group_id, ...groupMoves.omit({ group_id: true }).shape },
      run: (ctx, { user_group_id: group_id, ...moves }) => updateMembers(ctx, { group_id, ...moves }),
    }),
    endpoint("get-is-user-group-member", {
      about: "Tells whether a user is a member of a group.",
      method: "GET",
      path: `${path}/members/{user_id:[0-9]+}`,
      params: { user_group_id, user_id: userId, direct_member_only: z.boolean().default(false) },
      returns: { is_user_group_member: z.boolean() },
      run: (ctx, { user_group_id: group_id, ...which }) => ({
        is_user_group_member: isGroupMember(ctx, { group_id, ...which }),
      }),
    }),
    endpoint("get-user-group-subgroups", {
      about:
        "Lists the IDs of a group's subgroups, with those of the subgroups unless `direct_subgroup_only` is set.",
      method: "GET",
      path: `${path}/subgroups`,
      params: { user_group_id, direct_subgroup_only: z.boolean().default(false) },
      returns: { subgroups: z.array(groupId) },
      run: (ctx, { user_group_id: group_id, ...which }) => ({
        subgroups: listSubgroups(ctx, { group_id, ...which }),
      }),
    }),
    endpoint("update-user-group-subgroups", {
      about: "Adds and removes subgroups of a group. A group can never contain itself.",
      method: "POST",
      path: `${path}/subgroups`,
      params: {
        user_group_id,
        add: groupMoves.shape.add_subgroups,
        delete: groupMoves.shape.delete_subgroups,
      },
      run: (ctx, { user_group_id: group_id, add, delete: removed }) =>
        updateMembers(ctx, { group_id, add_subgroups: add, delete_subgroups: removed }),
    }),
  ],
});
