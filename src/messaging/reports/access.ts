// Who sees reports and decides about them: moderators, administrators, and who is in the channel that gets the notices of reports.

import { allow, isAdmin, isGuest, me, usersUpTo } from "@/foundation/permissions/access.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import type { Audience } from "@/kernel/core/events.ts";
import type { Permission } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { findChannel } from "@/places/channels/access.ts";
import type { ChannelRow } from "@/places/channels/schema.ts";
import { isSubscribed, subscriberIds } from "@/places/subscriptions/access.ts";
import type { StoredReport } from "./store.ts";
import * as store from "./store.ts";

/** The channel that gets the notices of reports, or null. */
export function moderationChannel(reads: Reads): ChannelRow | null {
  return findChannel(reads, realmSettings.read(reads).moderation_request_channel_id);
}

/** Guests read what is in the channel, if they are there, and decide about nothing. */
export const moderating: Permission = (ctx) => {
  allow.user(ctx);
  const channel = moderationChannel(ctx);
  const isThere =
    channel !== null &&
    ctx.actor.kind === "user" &&
    !isGuest(me(ctx)) &&
    isSubscribed(ctx, channel.id, ctx.actor.id);
  if (!isThere) allow.moderator(ctx);
};

/** Whom `moderating` lets pass. */
export function moderators(reads: Reads): Audience {
  const channel = moderationChannel(reads);
  const moderators = usersUpTo(reads, roles.moderator);
  if (!channel) return { to: moderators };
  const subscribers = subscriberIds(reads, channel.id);
  return { to: moderators.union(subscribers.intersection(usersUpTo(reads, roles.member))) };
}

export function reportFor(ctx: Ctx, id: number): StoredReport {
  return store.findReport(ctx, id) ?? fail("NOT_FOUND", "This report does not exist.");
}

/** Whether the actor may decide about a report: of their own messages, only administrators. */
export function mayHandle(ctx: Ctx, { reported_id }: Pick<StoredReport, "reported_id">): boolean {
  return reported_id !== ctx.actor.id || isAdmin(me(ctx));
}
