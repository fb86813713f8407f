import { z } from "zod";
import { listGroups, listMembers } from "@/foundation/groups/queries.ts";
import { groupDescription, groupName, type UserGroup } from "@/foundation/groups/schema.ts";
import { type GrantName, groupGrants } from "@/foundation/permissions/schema.ts";
import { whoText } from "@/foundation/permissions/words.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { createGroup, deactivateGroup, updateGroup, updateMembers } from "../changes/people.ts";
import { auditFact } from "../jumps.ts";
import { timeText } from "../layout.ts";
import { addresses, nameInWords, permissionTexts, userIds, userNames } from "../names.ts";
import { peoplePicks } from "../picks.ts";
import {
  type ActionOutcome,
  changeForm,
  form,
  numberColumn,
  type RowAction,
  type ScreenForm,
  screen,
} from "../screen.ts";
import type { ConsoleSession } from "../session.ts";
import { permissionField } from "./permissions.ts";

const name = { label: "Name", about: "People mention it by this.", rule: groupName, isOwn: true };
const description = { label: "Description", about: "Who is in it.", rule: groupDescription, isOwn: true };
const nobody = z.array(z.int());
const somebody = nobody.min(1, "Enter at least one email address.");
const grantNames = Object.keys(groupGrants) as GrantName<"group">[];

function peopleField<T extends z.ZodType<number[]>>(ctx: Ctx, rule: T, only?: readonly number[]) {
  const about = "Email addresses, separated by commas.";
  const picks = (now: Ctx) => peoplePicks(now, only);
  return { label: "People", about, rule, choices: () => addresses(ctx), open: true, picks, read: userIds };
}

function newGroup(now: Ctx): ScreenForm {
  return form({
    title: "A new user group",
    fields: { name, description, members: peopleField(now, nobody) },
    async submit(ctx, input) {
      const made = await createGroup(ctx, input);
      return { message: `Created the group ${made.name}.`, undo: (at) => deactivateGroup(at, made.id) };
    },
  });
}

function edit(_: Ctx, group: UserGroup): ScreenForm {
  return changeForm({
    title: `The group ${group.name}`,
    fields: {
      name: { ...name, start: group.name },
      description: { ...description, start: group.description },
    },
    async submit(ctx, patch) {
      await updateGroup(ctx, { group_id: group.id, ...patch });
      return { message: `Changed the group ${patch.name ?? group.name}.` };
    },
  });
}

function permissions(now: Ctx, group: UserGroup): ScreenForm {
  const grantText = permissionTexts(now);
  const fields = grantNames.map((grant) => [
    grant,
    permissionField(now, nameInWords(grant), {
      start: grantText(group[grant]),
      grant: groupGrants[grant],
    }),
  ]);
  return changeForm({
    title: `Who may do what with ${group.name}`,
    fields: Object.fromEntries(fields) as Record<string, ReturnType<typeof permissionField>>,
    async submit(ctx, values) {
      const patch = Object.fromEntries(
        Object.entries(values).map(([grant, value]) => [grant, { new: value }]),
      );
      await updateGroup(ctx, { group_id: group.id, ...patch });
      return { message: `Changed who may do what with ${group.name}.` };
    },
  });
}

function moves(verb: "add" | "delete") {
  return (now: Ctx, group: UserGroup): ScreenForm =>
    form({
      title: verb === "add" ? `Add people to ${group.name}` : `Remove people from ${group.name}`,
      fields: { people: peopleField(now, somebody, verb === "add" ? undefined : group.members) },
      async submit(ctx, { people }) {
        const move = (at: Ctx, to: "add" | "delete") =>
          updateMembers(at, { group_id: group.id, [to]: people });
        await move(ctx, verb);
        return {
          message: verb === "add" ? `Added them to ${group.name}.` : `Removed them from ${group.name}.`,
          undo: (at) => move(at, verb === "add" ? "delete" : "add"),
        };
      },
    });
}

async function toggleActive(ctx: Ctx, { id, name: shown, deactivated }: UserGroup): Promise<ActionOutcome> {
  const deactivate = (now: Ctx) => deactivateGroup(now, id);
  const reactivate = (now: Ctx) => updateGroup(now, { group_id: id, deactivated: false });
  await (deactivated ? reactivate(ctx) : deactivate(ctx));
  return deactivated
    ? { message: `The group ${shown} is active again.`, undo: deactivate }
    : { message: `The group ${shown} is deactivated.`, undo: reactivate };
}

const ofPeople = (title: string) => (group: UserGroup) =>
  group.is_system_group || group.deactivated ? null : title;

const rowActions: RowAction<UserGroup>[] = [
  {
    key: "d",
    need: "anyone",
    title: ({ is_system_group, deactivated }) =>
      is_system_group ? null : deactivated ? "reactivate" : "deactivate",
    confirm: (group) => (group.deactivated ? null : `Deactivate the group ${group.name}?`),
    run: toggleActive,
  },
  { key: "s", need: "anyone", title: ofPeople("add people"), form: moves("add") },
  { key: "x", need: "anyone", title: ofPeople("remove people"), form: moves("delete") },
  { key: "p", need: "anyone", title: ofPeople("permissions"), form: permissions },
];

function kindOf({ is_system_group, deactivated }: UserGroup): string {
  if (is_system_group) return "system";
  return deactivated ? "deactivated" : "group";
}

interface Row extends UserGroup {
  /** Includes members of subgroups. */
  all: readonly number[];
}

function rows({ ctx }: ConsoleSession): Row[] {
  const now = ctx();
  return listGroups(now, { include_deactivated_groups: true }).map((group) => ({
    ...group,
    all: listMembers(now, { group_id: group.id }),
  }));
}

export const groups = screen<Row>({
  key: "4",
  title: "Groups",
  area: "People",
  noun: "group",
  about: "of people, for mentions and permissions",
  empty: "There are no groups.",
  rows,
  id: ({ id }) => id,
  copies: (group) => group.name,
  page: ({ id }) => `/#groups/${id}/-`,
  columns: [
    { title: "NAME", value: (group) => group.name },
    { title: "KIND", value: kindOf, tone: (group) => (kindOf(group) === "group" ? "plain" : "dim") },
    numberColumn("MEMBERS", ({ all }) => all.length),
    { title: "DESCRIPTION", value: (group) => group.description, grow: true, spare: true },
  ],
  facts({ ctx }, group) {
    const now = ctx();
    const nameOf = userNames(now);
    const grantText = permissionTexts(now);
    const named = new Map(
      listGroups(now, { include_deactivated_groups: true }).map((one) => [one.id, one.name]),
    );
    const names = group.all.slice(0, 50).map(nameOf).join(", ");
    return [
      ["Name", group.name],
      ["ID", String(group.id)],
      ["Kind", kindOf(group)],
      ["Description", group.description],
      ["Created", group.date_created === null ? "" : timeText(group.date_created)],
      [`Members (${group.all.length})`, group.all.length > 50 ? `${names}, …` : names],
      ["Subgroups", group.direct_subgroup_ids.map((id) => named.get(id) ?? String(id)).join(", ")],
      ...grantNames.map((grant) => [nameInWords(grant), whoText(grantText(group[grant]))] as const),
      ...(group.is_system_group ? [] : [auditFact(group.name)]),
    ];
  },
  create: { title: "new group", need: "can_create_groups", form: newGroup },
  edit,
  editNeed: "anyone",
  mayEdit: ({ is_system_group }) => !is_system_group,
  rowActions,
});
