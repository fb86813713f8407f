// What each user may do with a channel. For a channel that the actor may not see, the errors say that it does not exist.

import {
  allow,
  groupWithGrant,
  holds,
  isAdmin,
  isGuest,
  isSpectator,
  may,
  me,
  memberOf,
  membersOf,
  usersUpTo,
  viewer,
  webPublicRefusal,
} from "@/foundation/permissions/access.ts";
import { systemGroup } from "@/foundation/permissions/closure.ts";
import { type GrantName, type Member, roles } from "@/foundation/permissions/schema.ts";
import type { Ctx, Reads, ReadsNow } from "@/kernel/core/context.ts";
import { fail, type KnownText, type Sentence } from "@/kernel/lib/errors.ts";
import { isSubscribed, subscriberIds } from "@/places/subscriptions/access.ts";
import { sentence } from "@/text/language/tables.ts";
import {
  type ChannelAccess,
  type ChannelRow,
  channelErrors,
  maxChannelsMade,
  type NewChannelTraits,
} from "./schema.ts";
import * as store from "./store.ts";

/** Members of these groups see a private channel without being subscribed. */
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

/** Whether the member may see the channel's existence, name and settings. */
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

/**
 * Whether the member may read the channel's messages: with protected history, only those they received (`sharesHistory`).
 */
export function mayRead(ctx: ReadsNow, member: Member, channel: ChannelRow): boolean {
  return readsPlainly(ctx, member, channel) || readingGroups.some((name) => has(ctx, member, channel, name));
}

/** Whether the member may read it whatever permissions they have. */
function readsPlainly(reads: Reads, member: Member, channel: ChannelRow): boolean {
  return isOpenTo(member, channel) || isSubscribed(reads, channel.id, member.id);
}

/** Whether everyone who may read the channel may read all of its history. */
export function sharesHistory(channel: ChannelRow): boolean {
  return channel.invite_only === 0 || channel.history_public_to_subscribers === 1;
}

/** Bots may post where they or their owners may. */
function mayPost(ctx: ReadsNow, member: Member, channel: ChannelRow): boolean {
  const posters = withOwner(ctx, member);
  return (
    channel.is_archived === 0 &&
    posters.some((one) => mayTakePart(ctx, one, channel)) &&
    posters.some((one) => has(ctx, one, channel, "can_send_message_group"))
  );
}

/** Guests may post only where they are subscribed, even if the channel is web-public. */
function mayTakePart(ctx: ReadsNow, member: Member, channel: ChannelRow): boolean {
  return isGuest(member) ? isSubscribed(ctx, channel.id, member.id) : mayRead(ctx, member, channel);
}

/** Whether the actor may begin a topic where they may post; a bot also where its owner may. */
export function mayBeginTopics(ctx: Ctx, channel: ChannelRow): boolean {
  if (ctx.actor.kind === "system") return true;
  return withOwner(ctx, me(ctx)).some((one) => has(ctx, one, channel, "can_create_topic_group"));
}

/**
 * Throws unless all may begin topics in a channel where people read only what reached them: somebody who may not would learn, by
 * being refused or not, which topics there are.
 */
export function checkAllMayBeginTopics(ctx: ReadsNow, id: number): void {
  const channel = existingChannel(ctx, id);
  const group = groupWithGrant(ctx, "channel", id, "can_create_topic_group");
  if (sharesHistory(channel) || group === systemGroup(ctx, "role:everyone")) return;
  fail(
    "BAD_REQUEST",
    "In a private channel with protected history, everybody who may write must be able to begin topics.",
  );
}

function withOwner(ctx: ReadsNow, member: Member): Member[] {
  if (!member.is_bot || member.bot_owner_id === null) return [member];
  const owner = memberOf(ctx, member.bot_owner_id);
  return owner.is_active ? [member, owner] : [member];
}

function mayAdminister(ctx: ReadsNow, member: Member, channel: ChannelRow): boolean {
  return isAdmin(member) || has(ctx, member, channel, "can_administer_channel_group");
}

/** Guests may subscribe to web-public channels. A user who is already subscribed may subscribe again. */
function maySubscribe(ctx: ReadsNow, member: Member, channel: ChannelRow): boolean {
  if (channel.is_archived === 1) return false;
  if (!isGuest(member)) return mayRead(ctx, member, channel);
  return channel.is_web_public === 1 || isSubscribed(ctx, channel.id, member.id);
}

/** Whether the member may subscribe others. Does not check that they may read the channel themselves. */
export function mayInvite(ctx: ReadsNow, member: Member, channel: ChannelRow): boolean {
  return (
    holds(ctx, member, { scope: "realm", ownerId: 0, name: "can_add_subscribers_group" }) ||
    has(ctx, member, channel, "can_add_subscribers_group") ||
    mayAdminister(ctx, member, channel)
  );
}

interface PurposeRow {
  allows: (ctx: ReadsNow, member: Member, channel: ChannelRow) => boolean;
  refusal: (name: string) => KnownText | Sentence;
}

const purposes = {
  see: { allows: maySee, refusal: () => "Invalid channel ID" },
  read: {
    allows: mayRead,
    refusal: (name) =>
      sentence("You do not have permission to read channel ''{channel}''.", { channel: name }),
  },
  post: {
    allows: mayPost,
    refusal: (name) =>
      sentence("You do not have permission to post in channel ''{channel}''.", { channel: name }),
  },
  administer: {
    allows: mayAdminister,
    refusal: (name) =>
      sentence("You do not have permission to administer channel ''{channel}''.", { channel: name }),
  },
  subscribe: {
    allows: maySubscribe,
    refusal: (name) =>
      sentence("You do not have permission to subscribe to channel ''{channel}''.", { channel: name }),
  },
  subscribeOthers: {
    allows: (ctx, member, channel) =>
      channel.is_archived === 0 && mayRead(ctx, member, channel) && mayInvite(ctx, member, channel),
    refusal: (name) =>
      sentence("You do not have permission to subscribe other people to channel ''{channel}''.", {
        channel: name,
      }),
  },
  removeOthers: {
    allows: (ctx, member, channel) =>
      mayAdminister(ctx, member, channel) || has(ctx, member, channel, "can_remove_subscribers_group"),
    refusal: (name) =>
      sentence("You do not have permission to remove other people from channel ''{channel}''.", {
        channel: name,
      }),
  },
} satisfies Record<string, PurposeRow>;

export type Purpose = keyof typeof purposes;

/** Whether the actor sees the channel and may use it for this purpose. The system always may. */
export function isAllowed(ctx: Ctx, channel: ChannelRow, purpose: Purpose): boolean {
  if (ctx.actor.kind === "system") return true;
  const member = viewer(ctx);
  return maySee(ctx, member, channel) && purposes[purpose].allows(ctx, member, channel);
}

function checkAllowed(ctx: Ctx, channel: ChannelRow, purpose: Purpose): ChannelRow {
  return isAllowed(ctx, channel, purpose) ? channel : fail("BAD_REQUEST", refusalOf(purpose, channel.name));
}

export function refusalOf(purpose: Purpose, name: string): KnownText | Sentence {
  return purposes[purpose].refusal(name);
}

/** The channel, if the actor may use it for this purpose. Throws the same error if it is unknown or they may not see it. */
export function channelFor(ctx: Ctx, id: number, purpose: Purpose): ChannelRow {
  const channel = visibleChannel(ctx, id) ?? fail("BAD_REQUEST", "Invalid channel ID");
  return checkAllowed(ctx, channel, purpose);
}

/** As `channelFor`, by name. Throws STREAM_DOES_NOT_EXIST for an unknown name. */
export function channelByName(ctx: Ctx, name: string, purpose: Purpose): ChannelRow {
  return checkAllowed(ctx, visibleChannelNamed(ctx, name) ?? unknownChannel(name), purpose);
}

/**
 * The channel a message is addressed to, by name or ID. A bot may post where its owner may, even if it does not see the
 * channel.
 */
export function channelToPostIn(ctx: Ctx, named: string | number): ChannelRow {
  const channel =
    typeof named === "number" ? store.findChannel(ctx, named) : store.findChannelByName(ctx, named);
  if (channel && mayPost(ctx, me(ctx), channel)) return channel;
  if (!channel || !isAllowed(ctx, channel, "see")) unknownChannel(named);
  fail("BAD_REQUEST", refusalOf("post", channel.name));
}

function unknownChannel(named: string | number): never {
  if (typeof named === "number") {
    fail(
      channelErrors.STREAM_DOES_NOT_EXIST,
      sentence("Channel with ID ''{id}'' does not exist", { id: String(named) }),
      {
        stream_id: named,
      },
    );
  }
  const stream = named.trim();
  fail(
    channelErrors.STREAM_DOES_NOT_EXIST,
    sentence("Channel ''{channel}'' does not exist", { channel: stream }),
    { stream },
  );
}

/** The channel, or null if it does not exist or the actor may not see it. */
export function visibleChannel(ctx: Ctx, id: number): ChannelRow | null {
  const channel = store.findChannel(ctx, id);
  return channel && isAllowed(ctx, channel, "see") ? channel : null;
}

/** As `visibleChannel`, by name. Ignores case and surrounding spaces. */
export function visibleChannelNamed(ctx: Ctx, name: string): ChannelRow | null {
  const channel = store.findChannelByName(ctx, name);
  return channel && isAllowed(ctx, channel, "see") ? channel : null;
}

/** All channels the actor may see, archived ones included. */
export function visibleChannels(ctx: Ctx): ChannelRow[] {
  if (ctx.actor.kind === "system") return [...store.listChannels(ctx)];
  const member = viewer(ctx);
  return store.listChannels(ctx).filter((channel) => maySee(ctx, member, channel));
}

/** To compare before and after a change. */
export function accessOf(ctx: ReadsNow, member: Member, channels = store.listChannels(ctx)): ChannelAccess {
  const seen = channels.filter((channel) => maySee(ctx, member, channel));
  return { seen, read: seen.filter((channel) => mayRead(ctx, member, channel)) };
}

/** The channel or null, without a permission check. */
export function findChannel(reads: Reads, id: number): ChannelRow | null {
  return store.findChannel(reads, id);
}

/** A channel that must exist, without a permission check. */
export function existingChannel(reads: Reads, id: number): ChannelRow {
  const channel = store.findChannel(reads, id);
  if (!channel) throw new Error(`Channel ${id} is missing`);
  return channel;
}

export function channelNameOf(reads: Reads, id: number): string {
  return existingChannel(reads, id).name;
}

/** The channel of this name or null, without a permission check. */
export function channelNamed(reads: Reads, name: string): ChannelRow | null {
  return store.findChannelByName(reads, name);
}

/** Archived channels and channels that the actor may not see keep their names. */
export function isNameTaken(reads: Reads, name: string): boolean {
  return channelNamed(reads, name) !== null;
}

/** All channels, archived or not. */
export function everyChannel(reads: Reads): readonly ChannelRow[] {
  return store.listChannels(reads);
}

/** The channels in a folder, including archived ones, without a permission check. */
export function channelsInFolder(reads: Reads, folderId: number): ChannelRow[] {
  return store.listChannels(reads).filter((channel) => channel.folder_id === folderId);
}

/** IDs of folders that hold a web-public channel. */
export function foldersWithWebPublic(reads: Reads): ReadonlySet<number> {
  const open = store.listChannels(reads).filter((channel) => channel.is_web_public && !channel.is_archived);
  return new Set(open.flatMap(({ folder_id }) => folder_id ?? []));
}

/** Users who may see the channel and its subscribers: the audience of its events. The set is shared: do not modify it. */
export function viewersOf(reads: ReadsNow, channel: ChannelRow): ReadonlySet<number> {
  if (!channel.invite_only) return everyoneOpenTo(reads, channel);
  return new Set([...usersUpTo(reads, roles.admin), ...insiders(reads, channel, seeingGroups)]);
}

/** Users who may read the channel, completely or only what reached them. The set is shared: do not modify it. */
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
    const group = groupWithGrant(reads, "channel", channel.id, name);
    for (const id of membersOf(reads, group)) if (members.has(id)) found.add(id);
  }
  return found;
}

/** All members, and the guests among the subscribers. Without such guests, returns `members` itself. */
function withGuests(members: ReadonlySet<number>, subscribers: ReadonlySet<number>): ReadonlySet<number> {
  const viewers = new Set<number>();
  for (const id of subscribers) if (!members.has(id)) viewers.add(id);
  if (viewers.size === 0) return members;
  for (const id of members) viewers.add(id);
  return viewers;
}

/** Who sees a channel, and how much of its history they may read. */
export interface Privacy {
  invite_only: boolean;
  is_web_public: boolean;
  history_public_to_subscribers: boolean;
}

/** Refuses contradictory settings. */
export function checkPrivacy(privacy: Privacy): void {
  const { invite_only, is_web_public, history_public_to_subscribers } = privacy;
  if (invite_only && is_web_public) fail("BAD_REQUEST", "A private channel cannot be web-public.");
  if (!invite_only && !history_public_to_subscribers) {
    fail("BAD_REQUEST", "The history of a public channel cannot be protected.");
  }
}

/** Limits the channels one user may create. Archived ones count, since they keep their names. */
export function checkMayMakeMore(ctx: Ctx, count = 1): void {
  if (ctx.actor.kind === "system" || isAdmin(me(ctx))) return;
  const made = store.listChannels(ctx).filter(({ creator_id }) => creator_id === ctx.actor.id).length;
  if (made + count > maxChannelsMade) {
    fail("BAD_REQUEST", `You have made ${maxChannelsMade} channels, and only administrators can make more.`);
  }
}

/** Creating public, private and web-public channels each needs a permission. */
export function checkMayMake(ctx: Ctx, { invite_only, is_web_public }: Privacy): void {
  const permission = invite_only ? "can_create_private_channel_group" : "can_create_public_channel_group";
  if (!may(ctx, permission)) {
    fail(
      "BAD_REQUEST",
      invite_only
        ? "You do not have permission to create private channels."
        : "You do not have permission to create public channels.",
    );
  }
  const refusal = is_web_public ? webPublicRefusal(ctx) : null;
  if (refusal !== null) fail("BAD_REQUEST", refusal);
}

/** Only owners may choose a retention other than the organization's default. */
export function checkMayRetain(ctx: Ctx, days: number | null): void {
  if (days !== null) allow.owner(ctx);
}

export function checkMaySetTopicsPolicy(ctx: Ctx): void {
  if (may(ctx, "can_set_topics_policy_group")) return;
  fail("BAD_REQUEST", "You do not have permission to choose the topics policy of a channel.");
}

export function checkMaySetDefault(ctx: Ctx): void {
  if (ctx.actor.kind === "system" || isAdmin(me(ctx))) return;
  fail("BAD_REQUEST", "Only organization administrators choose the default channels.");
}

const deletionGrants: readonly GrantName<"channel">[] = [
  "can_delete_any_message_group",
  "can_delete_own_message_group",
];

/** Choosing who may delete messages needs a permission beyond administering the channel. */
export function checkMayGive(ctx: Ctx, name: GrantName<"channel">): void {
  if (!deletionGrants.includes(name) || may(ctx, "can_set_delete_message_policy_group")) return;
  fail("BAD_REQUEST", "You do not have permission to choose who may delete messages in a channel.");
}

/** Refuses actors who may not read the channel: otherwise they could give themselves or others access by changing it. */
export function checkMayOpen(ctx: Ctx, channel: ChannelRow): void {
  if (isAllowed(ctx, channel, "read")) return;
  fail(
    "BAD_REQUEST",
    sentence("You must be able to read channel ''{channel}'' yourself to change who else can read it.", {
      channel: channel.name,
    }),
  );
}

/** Call it before checking the name: an actor who may not create such channels must not learn which hidden names exist. */
export function checkMayOpenSuch(ctx: Ctx, traits: NewChannelTraits, count = 0): void {
  checkMayMake(ctx, privacyOf(traits));
  if (count > 0) checkMayMakeMore(ctx, count);
}

/** By default, public channels share their history and private ones protect it. */
export function privacyOf(input: NewChannelTraits): Privacy {
  const { invite_only = false, is_web_public = false } = input;
  const { history_public_to_subscribers = !invite_only } = input;
  return { invite_only, is_web_public, history_public_to_subscribers };
}
