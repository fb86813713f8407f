import { listMembers } from "@/foundation/groups/queries.ts";
import { type GroupSettingValue, groupSettingValue } from "@/foundation/permissions/schema.ts";
import type { Ctx } from "@/kernel/context.ts";
import { permissionOf, userNames } from "../names.ts";
import type { Field } from "../screen.ts";

/** A field for who may do something. */
export function permissionField(
  label: string,
  { groups, start, about = "" }: { groups: readonly string[]; start: string; about?: string },
): Field<GroupSettingValue> {
  const way = "A group's name, or email addresses and groups separated by commas.";
  return {
    label,
    about: about === "" ? way : `${about} ${way}`,
    rule: groupSettingValue,
    choices: groups,
    open: true,
    read: permissionOf,
    means: membersText,
    start,
  };
}

const maxNamed = 8;

/** The people whom a permission covers: how many, and the first of them. */
export function membersText(ctx: Ctx, text: string): string {
  const value = permissionOf(ctx, text);
  const { direct_members, direct_subgroups } =
    typeof value === "number" ? { direct_members: [], direct_subgroups: [value] } : value;
  const members = direct_subgroups.flatMap((group_id) => listMembers(ctx, { group_id }));
  const ids = [...new Set([...direct_members, ...members])];
  if (ids.length === 0) return "nobody";
  const nameOf = userNames(ctx);
  const names = ids.slice(0, maxNamed).map(nameOf).join(", ");
  const more = ids.length > maxNamed ? ` and ${ids.length - maxNamed} more` : "";
  return `${ids.length} ${ids.length === 1 ? "person" : "people"}: ${names}${more}`;
}
