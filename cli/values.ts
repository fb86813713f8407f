// How commands name things: people by email address, groups, channels and folders by name, permissions by both; and all of them by the ID
// that commands print.
import { z } from "zod";
import { getUser, getUserByEmail, listUsers } from "@/foundation/accounts/queries.ts";
import { listGroups, listMembers } from "@/foundation/groups/queries.ts";
import type { UserGroup } from "@/foundation/groups/schema.ts";
import type { GroupSettingValue } from "@/foundation/permissions/schema.ts";
import { groupOfWord, roleNames, whoIn } from "@/foundation/permissions/words.ts";
import { addressOf, type User } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { failInEnglish as fail, isError } from "@/kernel/lib/errors.ts";
import { wordingAfter } from "@/kernel/lib/wording.ts";
import { listChannels } from "@/places/channel-administration/queries.ts";
import type { Channel } from "@/places/channels/schema.ts";
import { listFolders } from "@/places/folders/queries.ts";
import type { Folder } from "@/places/folders/schema.ts";
import { isRemote } from "./prompts.ts";

export const addresses = z.array(z.string().min(1));

/** A flag with a value: yes or no, as the console shows it, or true or false. */
export const yesOrNo = z
  .enum(["yes", "no", "true", "false"])
  .transform((text) => text === "yes" || text === "true")
  .optional();

/** A number; `about` says which one, for the error message. */
export function numberOf(about: string): z.ZodType<number> {
  return z
    .string()
    .regex(/^\d{1,15}$/, about)
    .transform(Number);
}

/** A count of at most `max`. */
export function countTo(max: number): z.ZodType<number> {
  const rule = `a number from 1 to ${max}`;
  return z
    .string()
    .regex(/^[1-9]\d{0,8}$/, rule)
    .transform(Number)
    .refine((count) => count <= max, rule);
}

/** What may be an ID; no address is, but a name may be. */
const isId = (text: string) => /^[1-9]\d{0,8}$/.test(text);

/** The user with this address or ID. */
export function userWith(ctx: Ctx, named: string): User {
  try {
    return isId(named) ? getUser(ctx, { user_id: Number(named) }) : getUserByEmail(ctx, { email: named });
  } catch (error) {
    // Of several users, the one that is wrong has to be named.
    const what = isId(named) ? "ID" : "address";
    if (isError(error, "BAD_REQUEST")) fail("BAD_REQUEST", `There is no user with the ${what} '${named}'.`);
    throw error;
  }
}

/** Finds a user by address or ID, and returns the ID; null if there is no such user. */
export function findUserId(ctx: Ctx, named: string): number | null {
  try {
    return userWith(ctx, named).user_id;
  } catch (error) {
    if (isError(error, "BAD_REQUEST")) return null;
    throw error;
  }
}

/** The thing with this name or, if none has it, with this ID. */
function findNamed<T extends { name: string }>(
  all: readonly T[],
  idOf: (one: T) => number,
  text: string,
): T | null {
  const key = text.toLowerCase();
  const byName = all.find(({ name }) => name.toLowerCase() === key);
  return byName ?? (isId(text) ? (all.find((one) => idOf(one) === Number(text)) ?? null) : null);
}

/** The person with this address; over the network, only the operator reaches what opens another's account. */
export function userWithin(ctx: Ctx, email: string, what: string): User {
  const user = userWith(ctx, email);
  if (isRemote() && !ctx.actor.isOperator && user.user_id !== ctx.actor.id)
    fail(
      "BAD_REQUEST",
      `Over the network you reach only your own ${what}: run this next to the data folder.`,
    );
  return user;
}

export function userIds(ctx: Ctx, emails: readonly string[]): number[] {
  return emails.map((email) => userWith(ctx, email).user_id);
}

/** The channel with this name or ID among these; null if there is none. */
export function channelAmong(channels: readonly Channel[], name: string): Channel | null {
  return findNamed(channels, ({ stream_id }) => stream_id, name);
}

/** The channels that the actor can see, archived ones too. */
export function allChannels(ctx: Ctx): Channel[] {
  return listChannels(ctx, { include_all: true, exclude_archived: false });
}

/** The channel with this name or ID, even if it is archived. */
export function channelNamed(ctx: Ctx, name: string): Channel {
  const found = channelAmong(allChannels(ctx), name);
  return found ?? fail("BAD_REQUEST", `There is no channel named '${name}'.`);
}

export function channelIdOf(ctx: Ctx, name: string): number {
  return channelNamed(ctx, name).stream_id;
}

/** A function that names channels by ID. It reads them once, so use it within one tick. */
export function channelNames(ctx: Ctx): (id: number) => string {
  const all = allChannels(ctx);
  const names = new Map(all.map(({ stream_id, name }) => [stream_id, name]));
  return (id) => names.get(id) ?? String(id);
}

/** Finds a folder by name or ID, even if it is archived. */
export function folderNamed(ctx: Ctx, name: string): Folder {
  const found = findNamed(listFolders(ctx, { include_archived: true }), ({ id }) => id, name);
  return found ?? fail("BAD_REQUEST", `There is no channel folder named '${name}'.`);
}

/** A function that names folders by ID. */
export function folderNames(ctx: Ctx): (id: number | null) => string | null {
  const names = new Map(listFolders(ctx, { include_archived: true }).map(({ id, name }) => [id, name]));
  return (id) => (id === null ? null : (names.get(id) ?? null));
}

export function groupNamed(ctx: Ctx, name: string): UserGroup {
  const found = findNamed(listGroups(ctx, { include_deactivated_groups: true }), ({ id }) => id, name);
  return found ?? fail("BAD_REQUEST", `There is no user group named '${name}'.`);
}

/** The IDs of a group's members, with those of its subgroups. */
export function membersOf(ctx: Ctx, group: string): ReadonlySet<number> {
  return new Set(listMembers(ctx, { group_id: groupNamed(ctx, group).id }));
}

/** What such a value may be, for the help. */
export const whoTakes =
  "a group's name, a role such as 'moderators', or addresses and groups separated by commas";

/** The value of a permission setting: a group's name, or addresses and group names separated by commas. */
export function permissionOf(ctx: Ctx, text: string): GroupSettingValue {
  const parts = whoIn(text);
  const emails = parts.filter((part) => part.includes("@"));
  const groups = parts.filter((part) => !part.includes("@")).map((name) => groupOrRole(ctx, name).id);
  const [only] = groups;
  if (emails.length === 0 && groups.length === 1 && only !== undefined) return only;
  return { direct_members: userIds(ctx, emails), direct_subgroups: groups };
}

/** The group with this name or ID or, if there is none, that of the role in words. */
function groupOrRole(ctx: Ctx, text: string): UserGroup {
  const all = listGroups(ctx, { include_deactivated_groups: true });
  const idOf = ({ id }: UserGroup) => id;
  const role = groupOfWord(text);
  const found = findNamed(all, idOf, text) ?? (role === null ? null : findNamed(all, idOf, role));
  if (found) return found;
  return fail(
    "BAD_REQUEST",
    `There is no user group named '${text}'. Groups and addresses are separated by commas; roles are ${roleNames.map((name) => `'${name}'`).join(", ")}.`,
  );
}

/** A function that writes permission settings as they are typed. It reads names once, so use it within one tick. */
export function permissionWriter(ctx: Ctx): (value: GroupSettingValue) => string {
  const groups = listGroups(ctx, { include_deactivated_groups: true });
  const names = new Map(groups.map(({ id, name }) => [id, name]));
  const nameOf = (id: number) => names.get(id) ?? String(id);
  return (value) => {
    if (typeof value === "number") return nameOf(value);
    const people = listUsers(ctx, { user_ids: [...value.direct_members] }).map(addressOf);
    return [...people, ...value.direct_subgroups.map(nameOf)].join(",");
  };
}

/** Checks a value by its rule; an error names the setting. */
export function checkValue<T>(rule: z.ZodType<T>, name: string, value: unknown): T {
  const result = rule.safeParse(value);
  if (result.success) return result.data;
  return fail("BAD_REQUEST", wordingAfter(name, result.error.issues[0]).replace(/\.?$/, "."));
}
