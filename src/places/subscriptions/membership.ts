import { me, memberOf } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { fail, type KnownText, type Sentence } from "@/kernel/lib/errors.ts";
import { channelByName, channelFor, isAllowed, type Purpose, refusalOf } from "@/places/channels/access.ts";
import type { ChannelRow } from "@/places/channels/schema.ts";
import { activeUsers } from "./access.ts";
import type { Membership, Principals } from "./schema.ts";

export interface Subscribed {
  /** Channel names by user ID. */
  subscribed: Record<string, string[]>;
  already_subscribed: Record<string, string[]>;
}

/** Resolves the channels and users to subscribe; throws if one of them is refused. */
export function checkJoining(ctx: Ctx, input: Membership): { channels: ChannelRow[]; userIds: number[] } {
  const userIds = peopleOf(ctx, input.user_ids);
  const channels = channelsNamed(ctx, input);
  for (const channel of channels) {
    const refusal = refusalToJoin(ctx, { name: channel.name, channel, userIds });
    if (refusal) fail("BAD_REQUEST", refusal);
  }
  return { channels, userIds };
}

export interface SubscribedByName extends Subscribed {
  /** With `authorization_errors_fatal: false`. */
  unauthorized?: string[];
  /** With `send_new_subscription_messages`. */
  new_subscription_messages_sent?: boolean;
}

export interface Checked {
  wanted: readonly { id: number; color?: string | undefined }[];
  userIds: readonly number[];
}

export function peopleOf(ctx: Ctx, principals: Principals | undefined): number[] {
  return principals ? activeUsers(ctx, principals) : [me(ctx).id];
}

function channelsNamed(ctx: Ctx, { names = [], channel_ids = [] }: Membership): ChannelRow[] {
  const channels = [
    ...names.map((name) => channelByName(ctx, name, "see")),
    ...channel_ids.map((id) => channelFor(ctx, id, "see")),
  ];
  return distinct(channels, ({ id }) => id);
}

export function distinct<T>(things: readonly T[], keyOf: (thing: T) => unknown): T[] {
  const seen = new Set<unknown>();
  return things.filter((thing) => !seen.has(keyOf(thing)) && seen.add(keyOf(thing)));
}

interface JoinRequest {
  name: string;
  channel: ChannelRow | null;
  userIds: readonly number[];
}

/**
 * Why these users may not be subscribed, or null. A channel the actor may not see gives the same text as one they may not
 * join.
 */
export function refusalToJoin(
  ctx: Ctx,
  { name, channel, userIds }: JoinRequest,
): KnownText | Sentence | null {
  const own = userIds.includes(ctx.actor.id);
  const others = userIds.length > (own ? 1 : 0);
  const needed: Purpose[] = [
    ...(own ? (["subscribe"] as const) : []),
    ...(others ? (["subscribeOthers"] as const) : []),
  ];
  const missing = needed.find((purpose) => !channel || !isAllowed(ctx, channel, purpose));
  return missing ? refusalOf(missing, name) : null;
}

export interface Unsubscribed {
  removed: string[];
  not_removed: string[];
}

/** Resolves the channels and users to unsubscribe; throws if one of them is refused. */
export function checkLeaving(ctx: Ctx, input: Membership): { channels: ChannelRow[]; userIds: number[] } {
  const userIds = peopleOf(ctx, input.user_ids);
  const channels = channelsNamed(ctx, input);
  for (const channel of channels) checkMayRemove(ctx, channel, userIds);
  return { channels, userIds };
}

/** Users may always unsubscribe themselves and their own bots. For others, the channel's settings decide. */
function checkMayRemove(ctx: Ctx, channel: ChannelRow, userIds: readonly number[]): void {
  const isOwn = (id: number) => id === ctx.actor.id || memberOf(ctx, id).bot_owner_id === ctx.actor.id;
  if (isAllowed(ctx, channel, "removeOthers") || userIds.every(isOwn)) return;
  fail("BAD_REQUEST", refusalOf("removeOthers", channel.name));
}
