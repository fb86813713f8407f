import { isAdmin, me } from "@/foundation/permissions/access.ts";
import { findUserById, userToChange } from "@/foundation/users/access.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { visibleChannel } from "@/places/channels/access.ts";
import type { ChannelRow } from "@/places/channels/schema.ts";
import type { ServiceRow } from "./schema.ts";
import type { DefaultsRow } from "./store.ts";
import * as store from "./store.ts";

/** A bot that the actor may change: one of their own, or any bot if they are an administrator. */
export function botFor(ctx: Ctx, id: number): UserRow {
  const user = findBot(ctx, id) ?? fail("BAD_REQUEST", "No such bot");
  if (ctx.actor.kind === "system" || user.bot_owner_id === me(ctx).id) return user;
  if (!isAdmin(me(ctx))) fail("BAD_REQUEST", "Insufficient permission");
  return userToChange(ctx, id);
}

function findBot(ctx: Ctx, id: number): UserRow | null {
  const user = findUserById(ctx, id);
  return user?.is_bot && user.system_bot === null ? user : null;
}

/**
 * How to post messages to a bot; null unless it is an outgoing webhook. `base_url` is empty if the bot changed hands
 * and its new owner has not set a URL yet.
 */
export function serviceOf(reads: Reads, botId: number): ServiceRow | null {
  return store.findService(reads, botId);
}

/** The outgoing webhook bots. */
export function botsWithServices(reads: Reads): readonly number[] {
  return store.listServiceBots(reads);
}

const nothing: DefaultsRow = { sending_channel_id: null, events_channel_id: null, all_public_channels: 0 };

export function defaultsOf(reads: Reads, botId: number): DefaultsRow {
  return store.findDefaults(reads, botId) ?? nothing;
}

/** The channel for the actor's messages that name no channel; null if it is not set or the actor can no longer see it. */
export function defaultChannelOf(ctx: Ctx): ChannelRow | null {
  const { sending_channel_id } = defaultsOf(ctx, ctx.actor.id);
  return sending_channel_id === null ? null : visibleChannel(ctx, sending_channel_id);
}

/** What the actor subscribes to when registering without saying: everything public, or one channel. */
export function defaultListening(ctx: Ctx): { all_public_streams: boolean; narrow: [string, string][] } {
  const { events_channel_id, all_public_channels } = defaultsOf(ctx, ctx.actor.id);
  const channel = events_channel_id === null ? null : visibleChannel(ctx, events_channel_id);
  return {
    all_public_streams: all_public_channels === 1,
    narrow: channel ? [["channel", channel.name]] : [],
  };
}
