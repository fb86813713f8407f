// Who may do what with a channel. One that the actor may not see is answered as if it did not exist.

import {
  grantedGroup,
  holds,
  isAdmin,
  isGuest,
  isSpectator,
  type Member,
  me,
  memberOf,
  membersOf,
  usersUpTo,
  viewer,
} from "@/foundation/permissions/access.ts";
import { type GrantName, roles } from "@/foundation/permissions/schema.ts";
import type { Ctx, Reads, ReadsNow } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { isSubscribed, subscriberIds } from "@/places/subscriptions/access.ts";
import { channelErrors } from "./schema.ts";
import type { ChannelRow } from "./store.ts";
import * as store from "./store.ts";

export type { ChannelRow } from "./store.ts";

/** Members of these groups know of a private channel without being subscribed. */
export const seeingGroups = [
  "can_administer_channel_group",
  "can_add_subscribers_group",
  "can_subscribe_group",
] as const;

/** Members of these groups may also read it. */
export const readingGroups = ["can_add_subscribers_group", "can_subscribe_group"] as const;

function has(ctx: ReadsNow, member: Member, channel: ChannelRow, name: GrantName<"channel">): boolean {
  return holds(ctx, member, { scope: "channel", ownerId: channel.id, name });
}

/** May know that the channel exists, what it is called and how it is set up. */
export function maySee(ctx: ReadsNow, member: Member, channel: ChannelRow): boolean {
  return (
    isOpenTo(member, channel) ||
    (isAdmin(member) && channel.invite_only === 1) ||
    isSubscribed(ctx, channel.id, member.id) ||
    seeingGroups.some((name) => has(ctx, member, channel, name))
  );
}

function isOpenTo(member: Member, channel: ChannelRow): boolean {
  if (isSpectator(member)) return channel.is_web_public === 1 && channel.is_archived === 0;
  return channel.is_web_public === 1 || (channel.invite_only === 0 && !isGuest(member));
}

/** May read what is written there; with protected history, only what they received (`sharesHistory`). */
export function mayRead(ctx: ReadsNow, member: Member, channel: ChannelRow): boolean {
  return (
    isOpenTo(member, channel) ||
    isSubscribed(ctx, channel.id, member.id) ||
    readingGroups.some((name) => has(ctx, member, channel, name))
  );
}

/** True where who may read the channel may read all of its past. */
export function sharesHistory(channel: ChannelRow): boolean {
  return channel.invite_only === 0 || channel.history_public_to_subscribers === 1;
}

/** Bots may post wherever they or their owners may. */
export function mayPost(ctx: ReadsNow, member: Member, channel: ChannelRow): boolean {
  const posters = withOwner(ctx, member);
  return (
    channel.is_archived === 0 &&
    posters.some((one) => mayTakePart(ctx, one, channel)) &&
    posters.some((one) => has(ctx, one, channel, "can_send_message_group"))
  );
}

/** Guests write only where they are subscribed, not wherever everyone on the Internet reads. */
function mayTakePart(ctx: ReadsNow, member: Member, channel: ChannelRow): boolean {
  return isGuest(member) ? isSubscribed(ctx, channel.id, member.id) : mayRead(ctx, member, channel);
}

function withOwner(ctx: ReadsNow, member: Member): Member[] {
  if (!member.is_bot || member.bot_owner_id === null) return [member];
  const owner = memberOf(ctx, member.bot_owner_id);
  return owner.is_active ? [member, owner] : [member];
}

function mayAdminister(ctx: ReadsNow, member: Member, channel: ChannelRow): boolean {
  return isAdmin(member) || has(ctx, member, channel, "can_administer_channel_group");
}

/** Who is subscribed already may subscribe again; guests may choose among what everyone on the Internet may read. */
function maySubscribe(ctx: ReadsNow, member: Member, channel: ChannelRow): boolean {
  if (channel.is_archived === 1) return false;
  if (!isGuest(member)) return mayRead(ctx, member, channel);
  return channel.is_web_public === 1 || isSubscribed(ctx, channel.id, member.id);
}

/** May choose who else reads the channel, given that they may read it themselves. */
export function mayInvite(ctx: ReadsNow, member: Member, channel: ChannelRow): boolean {
  return (
    holds(ctx, member, { scope: "realm", ownerId: 0, name: "can_add_subscribers_group" }) ||
    has(ctx, member, channel, "can_add_subscribers_group") ||
    mayAdminister(ctx, member, channel)
  );
}

interface PurposeRow {
  allows: (ctx: ReadsNow, member: Member, channel: ChannelRow) => boolean;
  refusal: (name: string) => string;
}

const purposes = {
  see: { allows: maySee, refusal: () => "Invalid channel ID" },
  read: {
    allows: mayRead,
    refusal: (name) => `You do not have permission to read channel '${name}'.`,
  },
  post: {
    allows: mayPost,
    refusal: (name) => `You do not have permission to post in channel '${name}'.`,
  },
  administer: {
    allows: mayAdminister,
    refusal: (name) => `You do not have permission to administer channel '${name}'.`,
  },
  subscribe: {
    allows: maySubscribe,
    refusal: (name) => `You do not have permission to subscribe to channel '${name}'.`,
  },
  subscribeOthers: {
    allows: (ctx, member, channel) =>
      channel.is_archived === 0 && mayRead(ctx, member, channel) && mayInvite(ctx, member, channel),
    refusal: (name) => `You do not have permission to subscribe other people to channel '${name}'.`,
  },
  removeOthers: {
    allows: (ctx, member, channel) =>
      mayAdminister(ctx, member, channel) || has(ctx, member, channel, "can_remove_subscribers_group"),
    refusal: (name) => `You do not have permission to remove other people from channel '${name}'.`,
  },
} satisfies Record<string, PurposeRow>;

export type Purpose = keyof typeof purposes;

/** True where the actor sees the channel and may use it so; the system may everything. */
export function isAllowed(ctx: Ctx, channel: ChannelRow, purpose: Purpose): boolean {
  if (ctx.actor.kind === "system") return true;
  const member = viewer(ctx);
  return maySee(ctx, member, channel) && purposes[purpose].allows(ctx, member, channel);
}

function allowed(ctx: Ctx, channel: ChannelRow, purpose: Purpose): ChannelRow {
  return isAllowed(ctx, channel, purpose) ? channel : fail("BAD_REQUEST", refusalOf(purpose, channel.name));
}

export function refusalOf(purpose: Purpose, name: string): string {
  return purposes[purpose].refusal(name);
}

/** A channel the actor may see and use so; an unknown one and one they may not see are refused alike. */
export function channelFor(ctx: Ctx, id: number, purpose: Purpose): ChannelRow {
  const channel = visibleChannel(ctx, id) ?? fail("BAD_REQUEST", "Invalid channel ID");
  return allowed(ctx, channel, purpose);
}

/** As `channelFor`, by name; unknown names are STREAM_DOES_NOT_EXIST. */
export function channelByName(ctx: Ctx, name: string, purpose: Purpose): ChannelRow {
  return allowed(ctx, visibleChannelNamed(ctx, name) ?? unknownChannel(name), purpose);
}

/** The channel a message is addressed to, by name or ID; a bot may reach it through its owner alone. */
export function channelToPostIn(ctx: Ctx, named: string | number): ChannelRow {
  const channel =
    typeof named === "number" ? store.findChannel(ctx, named) : store.findChannelByName(ctx, named);
  if (channel && mayPost(ctx, me(ctx), channel)) return channel;
  if (!channel || !isAllowed(ctx, channel, "see")) unknownChannel(named);
  fail("BAD_REQUEST", refusalOf("post", channel.name));
}

function unknownChannel(named: string | number): never {
  if (typeof named === "number") {
    fail(channelErrors.STREAM_DOES_NOT_EXIST, `Channel with ID '${named}' does not exist`, {
      stream_id: named,
    });
  }
  const stream = named.trim();
  fail(channelErrors.STREAM_DOES_NOT_EXIST, `Channel '${stream}' does not exist`, { stream });
}

/** The channel, if there is one and the actor may see it. */
export function visibleChannel(ctx: Ctx, id: number): ChannelRow | null {
  const channel = store.findChannel(ctx, id);
  return channel && isAllowed(ctx, channel, "see") ? channel : null;
}

/** As `visibleChannel`, by name: without regard to case and to spaces around it. */
export function visibleChannelNamed(ctx: Ctx, name: string): ChannelRow | null {
  const channel = store.findChannelByName(ctx, name);
  return channel && isAllowed(ctx, channel, "see") ? channel : null;
}

/** All channels the actor may see, archived ones included. */
export function visibleChannels(ctx: Ctx): ChannelRow[] {
  return store.listChannels(ctx).filter((channel) => isAllowed(ctx, channel, "see"));
}

/** As `visibleChannels`, of any user; for comparing what they may see before a change and after it. */
export function channelsSeenBy(ctx: ReadsNow, member: Member): ChannelRow[] {
  return store.listChannels(ctx).filter((channel) => maySee(ctx, member, channel));
}

/** A channel, if there is one, whoever asks. */
export function findChannel(reads: Reads, id: number): ChannelRow | null {
  return store.findChannel(reads, id);
}

/** A channel that is known to exist, whoever asks. */
export function knownChannel(reads: Reads, id: number): ChannelRow {
  const channel = store.findChannel(reads, id);
  if (!channel) throw new Error(`Channel ${id} is missing`);
  return channel;
}

export function channelNameOf(reads: Reads, id: number): string {
  return knownChannel(reads, id).name;
}

/** A channel by its name, whoever asks. */
export function channelNamed(reads: Reads, name: string): ChannelRow | null {
  return store.findChannelByName(reads, name);
}

/** Names stay taken when their channel is archived, and by channels that the actor may not see. */
export function isNameTaken(reads: Reads, name: string): boolean {
  return channelNamed(reads, name) !== null;
}

/** The channels in a folder, archived ones included, whoever asks. */
export function channelsInFolder(reads: Reads, folderId: number): ChannelRow[] {
  return store.listChannels(reads).filter((channel) => channel.folder_id === folderId);
}

/** Folders that hold a channel which everyone on the Internet may read. */
export function foldersWithWebPublic(reads: Reads): ReadonlySet<number> {
  const open = store.listChannels(reads).filter((channel) => channel.is_web_public && !channel.is_archived);
  return new Set(open.flatMap(({ folder_id }) => folder_id ?? []));
}

/** Users who may see the channel: those who hear of it, and of who subscribes to it. Shared, so never to be changed. */
export function viewersOf(reads: ReadsNow, channel: ChannelRow): ReadonlySet<number> {
  if (!channel.invite_only) return everyoneOpenTo(reads, channel);
  return new Set([...usersUpTo(reads, roles.admin), ...insiders(reads, channel, seeingGroups)]);
}

/** Users who may read the channel, all of it or what reached them. Shared, so never to be changed. */
export function channelReaders(reads: ReadsNow, channel: ChannelRow): ReadonlySet<number> {
  return channel.invite_only ? insiders(reads, channel, readingGroups) : everyoneOpenTo(reads, channel);
}

function everyoneOpenTo(reads: ReadsNow, channel: ChannelRow): ReadonlySet<number> {
  const all = usersUpTo(reads, roles.guest);
  const members = usersUpTo(reads, roles.member);
  if (channel.is_web_public) return all;
  return members.size === all.size ? members : withGuests(members, subscriberIds(reads, channel.id));
}

function insiders(
  reads: ReadsNow,
  channel: ChannelRow,
  groups: readonly GrantName<"channel">[],
): ReadonlySet<number> {
  const members = usersUpTo(reads, roles.member);
  const found = new Set(subscriberIds(reads, channel.id));
  for (const name of groups) {
    const group = grantedGroup(reads, "channel", channel.id, name);
    for (const id of membersOf(reads, group)) if (members.has(id)) found.add(id);
  }
  return found;
}

/** All members and those subscribers who are none; the set of members itself where there are no such subscribers. */
function withGuests(members: ReadonlySet<number>, subscribers: ReadonlySet<number>): ReadonlySet<number> {
  const viewers = new Set<number>();
  for (const id of subscribers) if (!members.has(id)) viewers.add(id);
  if (viewers.size === 0) return members;
  for (const id of members) viewers.add(id);
  return viewers;
}
