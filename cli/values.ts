// How things are named on the command line: people by address, groups and channels by name, permissions by both.
import { z } from "zod";
import { getChannelId, listChannels } from "@/channels/queries.ts";
import { listGroups } from "@/groups/queries.ts";
import type { UserGroup } from "@/groups/schema.ts";
import type { Ctx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import type { GroupSettingValue } from "@/permissions/schema.ts";
import { getUserByEmail, listUsers } from "@/users/queries.ts";

export const addresses = z.array(z.string().min(1));

export function userIds(ctx: Ctx, emails: readonly string[]): number[] {
  return emails.map((email) => getUserByEmail(ctx, { email }).user_id);
}

/** A channel by name, archived ones too. */
export function channelIdOf(ctx: Ctx, name: string): number {
  const key = name.toLowerCase();
  const all = listChannels(ctx, { include_all: true, exclude_archived: false });
  return all.find((channel) => channel.name.toLowerCase() === key)?.stream_id ?? getChannelId(ctx, name);
}

export function groupNamed(ctx: Ctx, name: string): UserGroup {
  const key = name.toLowerCase();
  const groups = listGroups(ctx, { include_deactivated_groups: true });
  const found = groups.find((group) => group.name.toLowerCase() === key);
  return found ?? fail("BAD_REQUEST", `There is no user group named '${name}'.`);
}

/** Whoever a permission is for: a group's name, or addresses and names of groups separated by commas. */
export function permissionOf(ctx: Ctx, text: string): GroupSettingValue {
  const parts = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const emails = parts.filter((part) => part.includes("@"));
  const groups = parts.filter((part) => !part.includes("@")).map((name) => groupNamed(ctx, name).id);
  const [only] = groups;
  if (emails.length === 0 && groups.length === 1 && only !== undefined) return only;
  return { direct_members: userIds(ctx, emails), direct_subgroups: groups };
}

/** A permission's value as it is typed. */
export function permissionText(ctx: Ctx, value: GroupSettingValue): string {
  const nameOfGroup = namesOfGroups(ctx);
  if (typeof value === "number") return nameOfGroup(value);
  const people = listUsers(ctx, { user_ids: [...value.direct_members] }).map(
    (user) => user.delivery_email ?? user.email,
  );
  return [...people, ...value.direct_subgroups.map(nameOfGroup)].join(",");
}

function namesOfGroups(ctx: Ctx): (id: number) => string {
  const names = new Map(
    listGroups(ctx, { include_deactivated_groups: true }).map(({ id, name }) => [id, name]),
  );
  return (id) => names.get(id) ?? String(id);
}

/** A setting's value as it is typed: JSON where it is JSON, else the text itself. */
export function settingValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A value as it is shown: texts bare, all else as JSON. */
export function valueText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Checks a value by its rule; what is wrong is said with the setting's name. */
export function checked<T>(rule: z.ZodType<T>, name: string, value: unknown): T {
  const result = rule.safeParse(value);
  if (result.success) return result.data;
  return fail("BAD_REQUEST", `${name}: ${result.error.issues[0]?.message ?? "is not valid"}`);
}
