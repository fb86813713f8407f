// How fields name things: users by email address, groups and channels by name, permissions by both.

import { getUser, getUserByEmail, listAllUsers, listUsers } from "@/foundation/accounts/queries.ts";
import { listGroups } from "@/foundation/groups/queries.ts";
import type { GroupSettingValue } from "@/foundation/permissions/schema.ts";
import { groupOfWord, whoIn } from "@/foundation/permissions/words.ts";
import { addressOf, type User } from "@/foundation/users/schema.ts";
import type { Ctx, Db } from "@/kernel/core/context.ts";
import { AppError, failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { listChannels } from "@/places/channel-administration/queries.ts";
import type { Channel } from "@/places/channels/schema.ts";
import { listFolders } from "@/places/folders/queries.ts";

/** Names of users by ID; each is looked up when it is asked for. */
export function userNames(ctx: Ctx): (id: number | null | undefined) => string {
  const names = new Map<number, string>();
  return (id) => {
    if (id === null || id === undefined) return "";
    const name = names.get(id) ?? nameOf(ctx, id);
    names.set(id, name);
    return name;
  };
}

function nameOf(ctx: Ctx, user_id: number): string {
  try {
    return getUser(ctx, { user_id }).full_name;
  } catch (error) {
    if (error instanceof AppError) return `user ${user_id}`;
    throw error;
  }
}

/** All people and bots, read in slices before, for contexts of a server's process; null until they are. */
const listed = new WeakMap<Ctx, User[] | null>();

/** Thrown where a server needs all people and has not read them yet. */
export class PeopleNotListed extends Error {}

/** From now on, all people are read for this context in slices: other requests wait while 20,000 are read at once. */
export function listPeopleLater(ctx: Ctx): void {
  listed.set(ctx, null);
}

/** The last listing: the same person sees the same people as long as nothing was written. */
const lastListing = new WeakMap<Db, { of: string; people: Promise<User[]> }>();

export async function listPeopleInSlices(ctx: Ctx): Promise<void> {
  const of = `${ctx.actor.id} ${ctx.db.changes}`;
  const last = lastListing.get(ctx.db);
  const now = last?.of === of ? last : { of, people: listAllUsers(ctx) };
  lastListing.set(ctx.db, now);
  listed.set(ctx, await now.people);
}

/** All people and bots. */
export function listPeople(ctx: Ctx): User[] {
  const found = listed.get(ctx);
  if (found === null) throw new PeopleNotListed();
  return found ?? listUsers(ctx, {});
}

export function addresses(ctx: Ctx): string[] {
  return listPeople(ctx)
    .filter(({ is_active, is_bot }) => is_active && !is_bot)
    .map(addressOf);
}

/** The parts of a text between commas. */
export function partsOf(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** IDs of the users at these comma-separated addresses. */
export function userIds(ctx: Ctx, text: string): number[] {
  return partsOf(text).map((email) => getUserByEmail(ctx, { email }).user_id);
}

export function allChannels(ctx: Ctx): Channel[] {
  return listChannels(ctx, { include_all: true });
}

export function channelNames(ctx: Ctx): string[] {
  return allChannels(ctx)
    .filter(({ is_archived }) => !is_archived)
    .map(({ name }) => name);
}

export function channelIdsOf(ctx: Ctx, text: string): number[] {
  return partsOf(text).map((name) => channelOrOff(ctx, name));
}

/** A channel's ID by name; -1 for an empty text, which the settings use for none. */
export function channelOrOff(ctx: Ctx, text: string): number {
  const key = text.trim().toLowerCase();
  if (key === "") return -1;
  const found = allChannels(ctx).find(({ name }) => name.toLowerCase() === key);
  return found?.stream_id ?? fail("BAD_REQUEST", `There is no channel named '${text}'.`);
}

/** Names of channels by ID; all are listed once. */
export function channelTexts(ctx: Ctx): (id: number) => string {
  const names = new Map(allChannels(ctx).map(({ stream_id, name }) => [stream_id, name]));
  return (id) => names.get(id) ?? "";
}

export const channelText = (ctx: Ctx, id: number) => channelTexts(ctx)(id);

export function folderNames(ctx: Ctx): string[] {
  return listFolders(ctx, { include_archived: false }).map(({ name }) => name);
}

/** A folder's ID by name; null for an empty text. */
export function folderOrNone(ctx: Ctx, text: string): number | null {
  const key = text.trim().toLowerCase();
  if (key === "") return null;
  const found = listFolders(ctx, { include_archived: true }).find(({ name }) => name.toLowerCase() === key);
  return found?.id ?? fail("BAD_REQUEST", `There is no channel folder named '${text}'.`);
}

export function groupNames(ctx: Ctx): string[] {
  return listGroups(ctx, {}).map(({ name }) => name);
}

function groupIdOf(ctx: Ctx, name: string): number {
  const all = listGroups(ctx, { include_deactivated_groups: true });
  const findByName = (key: string | null) =>
    all.find((group) => group.name.toLowerCase() === key?.toLowerCase());
  const found = findByName(name) ?? findByName(groupOfWord(name));
  return found?.id ?? fail("BAD_REQUEST", `There is no user group named '${name}'.`);
}

/** The value of a permission setting: a group's name, or addresses and group names separated by commas. */
export function permissionOf(ctx: Ctx, text: string): GroupSettingValue {
  const parts = whoIn(text);
  if (parts.length === 0)
    fail("BAD_REQUEST", "Name a group, or people by their addresses; role:nobody for nobody.");
  const people = parts.filter((part) => part.includes("@"));
  const groups = parts.filter((part) => !part.includes("@")).map((name) => groupIdOf(ctx, name));
  const [only] = groups;
  if (people.length === 0 && groups.length === 1 && only !== undefined) return only;
  return {
    direct_members: people.map((email) => getUserByEmail(ctx, { email }).user_id),
    direct_subgroups: groups,
  };
}

/** Permissions in words; all groups are listed once. */
export function permissionTexts(ctx: Ctx): (value: GroupSettingValue) => string {
  const groups = new Map(
    listGroups(ctx, { include_deactivated_groups: true }).map(({ id, name }) => [id, name]),
  );
  const nameOf = (id: number) => groups.get(id) ?? `group ${id}`;
  return (value) => {
    if (typeof value === "number") return nameOf(value);
    const people = listUsers(ctx, { user_ids: value.direct_members }).map(addressOf);
    return [...people, ...value.direct_subgroups.map(nameOf)].join(", ");
  };
}

/** "can_create_groups" as words. */
export function nameInWords(name: string): string {
  const words = name.replace(/_group$/, "").replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
