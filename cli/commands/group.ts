import { z } from "zod";
import { listUsers } from "@/foundation/accounts/queries.ts";
import { createGroup, deactivateGroup, updateGroup, updateMembers } from "@/foundation/groups/actions.ts";
import { listGroupsInSlices, listMembers } from "@/foundation/groups/queries.ts";
import { groupPatch, newGroup, type UserGroup } from "@/foundation/groups/schema.ts";
import { type GrantName, groupGrants } from "@/foundation/permissions/schema.ts";
import { whoText } from "@/foundation/permissions/words.ts";
import { addressOf } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { operand, operands, option, options } from "../args.ts";
import { command, isEmpty } from "../command.ts";
import { confirm, yes } from "../confirm.ts";
import { failUsage } from "../misuse.ts";
import { facts, table } from "../output.ts";
import { addresses, groupNamed, permissionOf, permissionWriter, userIds, whoTakes } from "../values.ts";

const named = operand("GROUP", z.string().min(1), "the group's name");
const settingNames = Object.keys(groupGrants) as GrantName<"group">[];
const setting = z.enum(settingNames as [GrantName<"group">, ...GrantName<"group">[]]);

const shape = z.object({
  group_id: z.int(),
  name: z.string(),
  description: z.string(),
  members: z.array(z.int()),
  member_count: z.int(),
  direct_subgroup_ids: z.array(z.int()),
  is_system_group: z.boolean(),
  is_active: z.boolean(),
});
const whole = shape.extend({
  all_members: z.array(z.string()),
  permissions: z.record(z.string(), z.string()),
});

const people = (count: number) => (count === 1 ? "1 member" : `${count} members`);

/** `members` are direct members; `member_count` includes those of subgroups. */
function presentGroup(
  ctx: Ctx,
  { id, name, description, members, direct_subgroup_ids, is_system_group, deactivated }: UserGroup,
) {
  return {
    group_id: id,
    name,
    description,
    members,
    member_count: listMembers(ctx, { group_id: id }).length,
    direct_subgroup_ids,
    is_system_group,
    is_active: !deactivated,
  };
}

const again = (ctx: Ctx, name: string) => presentGroup(ctx, groupNamed(ctx, name));

function partsOf(ctx: Ctx, { emails = [], groups = [] }: { emails?: string[]; groups?: string[] }) {
  if (emails.length + groups.length === 0) failUsage("name people, or groups with --subgroup");
  return { people: userIds(ctx, emails), groups: groups.map((name) => groupNamed(ctx, name).id) };
}

const moved = {
  group: named,
  emails: operands("EMAIL", addresses.optional(), "addresses of people"),
  subgroup: options("GROUP", addresses.optional(), "names of groups"),
};

export default [
  command({
    name: "group create",
    summary: "Create a user group",
    examples: [
      "confab group create design --description 'Who draws' --members ada@example.com gus@example.com",
    ],
    args: {
      group: operand("NAME", newGroup.shape.name, "its name"),
      description: option("TEXT", newGroup.shape.description.default(""), "who is in it"),
      members: options("EMAIL", addresses.optional(), "addresses of its members"),
    },
    result: shape,
    run: async (ctx, { group, description, members = [] }) =>
      presentGroup(ctx, await createGroup(ctx, { name: group, description, members: userIds(ctx, members) })),
    print: ({ name, group_id, member_count }) =>
      `Created the group ${name} (ID ${group_id}) with ${people(member_count)}.`,
  }),

  command({
    name: "group list",
    isUnaudited: true,
    summary: "List user groups",
    examples: ["confab group list"],
    args: {},
    result: z.array(shape),
    run: (ctx) =>
      listGroupsInSlices(ctx, { include_deactivated_groups: true }, (one) => presentGroup(ctx, one)),
    print: (groups) =>
      table(
        ["ID", "NAME", "KIND", "MEMBERS", "DESCRIPTION"],
        groups.map((group) => [
          String(group.group_id),
          group.name,
          kindOf(group),
          String(group.member_count),
          group.description,
        ]),
      ),
  }),

  command({
    name: "group show",
    isUnaudited: true,
    summary: "Show a group: who is in it, and who may do what with it",
    examples: ["confab group show design"],
    args: { group: named },
    result: whole,
    run: (ctx, { group }) => {
      const found = groupNamed(ctx, group);
      const all = listMembers(ctx, { group_id: found.id });
      const people = listUsers(ctx, { user_ids: all }).map(addressOf);
      const written = permissionWriter(ctx);
      const permissions = settingNames.map((name) => [name, written(found[name])]);
      return {
        ...presentGroup(ctx, found),
        all_members: people,
        permissions: Object.fromEntries(permissions),
      };
    },
    print: (group) =>
      facts([
        ["ID", String(group.group_id)],
        ["Name", group.name],
        ["Kind", kindOf(group)],
        ["Description", group.description],
        ["Members", group.all_members.join(", ")],
        ...Object.entries(group.permissions).map(([name, who]) => [name, whoText(who)] as const),
      ]),
  }),

  command({
    name: "group update",
    summary: "Change a group's name or description",
    examples: ["confab group update design --name designers"],
    args: {
      group: named,
      name: option("NAME", groupPatch.shape.name, "its new name"),
      description: option("TEXT", groupPatch.shape.description, "who is in it"),
    },
    result: shape,
    run: async (ctx, { group, name, description }) => {
      if (isEmpty({ name, description })) failUsage("name a change: --name or --description");
      await updateGroup(ctx, { group_id: groupNamed(ctx, group).id, name, description });
      return again(ctx, name ?? group);
    },
    print: ({ name }) => `The group is now ${name}.`,
  }),

  command({
    name: "group permit",
    summary: "Decide who may do what with a group",
    examples: ["confab group permit design can_mention_group members"],
    args: {
      group: named,
      setting: operand("PERMISSION", setting, settingNames.join(", ")),
      who: operand("WHO", z.string(), whoTakes),
    },
    result: z.object({ group: z.string(), setting: z.string(), who: z.string() }),
    run: async (ctx, { group, setting, who }) => {
      await updateGroup(ctx, {
        group_id: groupNamed(ctx, group).id,
        [setting]: { new: permissionOf(ctx, who) },
      });
      return { group, setting, who: permissionWriter(ctx)(groupNamed(ctx, group)[setting]) };
    },
    print: ({ group, setting, who }) => `${setting} of ${group}: ${whoText(who)}`,
  }),

  command({
    name: "group add",
    summary: "Add people or groups to a group",
    examples: [
      "confab group add design ada@example.com",
      "confab group add everyone-in-design --subgroup design",
    ],
    args: moved,
    result: shape,
    run: async (ctx, { group, emails, subgroup }) => {
      const { people, groups } = partsOf(ctx, { emails, groups: subgroup });
      await updateMembers(ctx, { group_id: groupNamed(ctx, group).id, add: people, add_subgroups: groups });
      return again(ctx, group);
    },
    print: ({ name, member_count }) => `${name} has ${people(member_count)} now.`,
  }),

  command({
    name: "group remove",
    summary: "Remove people or groups from a group",
    examples: ["confab group remove design ada@example.com"],
    args: moved,
    result: shape,
    run: async (ctx, { group, emails, subgroup }) => {
      const { people, groups } = partsOf(ctx, { emails, groups: subgroup });
      await updateMembers(ctx, {
        group_id: groupNamed(ctx, group).id,
        delete: people,
        delete_subgroups: groups,
      });
      return again(ctx, group);
    },
    print: ({ name, member_count }) => `${name} has ${people(member_count)} now.`,
  }),

  command({
    name: "group deactivate",
    summary: "Deactivate a group",
    examples: ["confab group deactivate design --yes"],
    args: { group: named, yes },
    result: shape,
    run: async (ctx, { group, yes }) => {
      const { id, name, is_system_group, deactivated } = groupNamed(ctx, group);
      const along = [[listMembers(ctx, { group_id: id }).length, "member"]] as const;
      if (!is_system_group && !deactivated)
        await confirm({ does: "deactivates", count: [1, "group"], along, names: [name] }, yes);
      await deactivateGroup(ctx, id);
      return again(ctx, group);
    },
    print: ({ name }) => `The group ${name} is now deactivated.`,
  }),

  command({
    name: "group reactivate",
    summary: "Reactivate a group",
    examples: ["confab group reactivate design"],
    args: { group: named },
    result: shape,
    run: async (ctx, { group }) => {
      await updateGroup(ctx, { group_id: groupNamed(ctx, group).id, deactivated: false });
      return again(ctx, group);
    },
    print: ({ name }) => `The group ${name} is active again.`,
  }),
];

function kindOf({ is_system_group, is_active }: { is_system_group: boolean; is_active: boolean }): string {
  if (is_system_group) return "system";
  return is_active ? "group" : "deactivated";
}
