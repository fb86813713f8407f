import { listMembers } from "@/foundation/groups/queries.ts";
import { type Grant, type GroupSettingValue, groupSettingValue } from "@/foundation/permissions/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import type { Line } from "../layout.ts";
import { groupNames, permissionOf, userNames } from "../names.ts";
import { whoPicks } from "../picks.ts";
import type { Field } from "../screen.ts";

interface PermissionPrompt {
  start: string;
  grant: Grant;
  about?: string;
}

/** A field for who may do something. */
export function permissionField(
  now: Ctx,
  label: string,
  { start, grant, about = "" }: PermissionPrompt,
): Field<GroupSettingValue> {
  const way = "Groups and email addresses, separated by commas; ^O shows all to choose from.";
  return {
    label,
    about: about === "" ? way : `${about} ${way}`,
    rule: groupSettingValue,
    choices: groupNames(now),
    open: true,
    picks: (ctx) => whoPicks(ctx, grant),
    read: permissionOf,
    means: membersText,
    differs,
    usual: grant.wireDefault === undefined ? grant.default : "its creator",
    start,
  };
}

const maxNamed = 8;

/** The people who have a permission, ascending by ID. */
function membersOf(ctx: Ctx, text: string): number[] {
  const value = permissionOf(ctx, text);
  const { direct_members, direct_subgroups } =
    typeof value === "number" ? { direct_members: [], direct_subgroups: [value] } : value;
  const members = direct_subgroups.flatMap((group_id) => listMembers(ctx, { group_id }));
  return [...new Set([...direct_members, ...members])].sort((a, b) => a - b);
}

function namesText(ctx: Ctx, ids: readonly number[]): string {
  const nameOf = userNames(ctx);
  const names = ids.slice(0, maxNamed).map(nameOf).join(", ");
  return ids.length > maxNamed ? `${names} and ${ids.length - maxNamed} more` : names;
}

/** The number of people who have a permission, and the first of them. */
export function membersText(ctx: Ctx, text: string): string {
  const ids = membersOf(ctx, text);
  if (ids.length === 0) return "nobody";
  return `${ids.length} ${ids.length === 1 ? "person" : "people"}: ${namesText(ctx, ids)}`;
}

/** Who may from now on, and who no longer. */
function differs(ctx: Ctx, before: string, after: string): readonly Line[] {
  const [had, has] = [new Set(membersOf(ctx, before)), new Set(membersOf(ctx, after))];
  const gained = [...has.difference(had)];
  const lost = [...had.difference(has)];
  const part = (sign: string, ids: readonly number[], tone: "good" | "bad"): Line[] =>
    ids.length === 0 ? [] : [[{ text: `${sign} ${namesText(ctx, ids)}`, tone }]];
  return [...part("+", gained, "good"), ...part("−", lost, "bad")];
}
