import { allow, isAdmin, me, memberOf } from "@/foundation/permissions/access.ts";
import { botTypes } from "@/foundation/permissions/schema.ts";
import { botsOf, everyBot } from "@/foundation/users/access.ts";
import { avatarUrl } from "@/foundation/users/present.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import type { Ctx, ReadsNow } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { existingChannel, maySee } from "@/places/channels/access.ts";
import { botFor, defaultsOf, serviceOf } from "./access.ts";
import type { Bot, BotConfiguration, BotDefaults } from "./schema.ts";

export const listOwnBots = query(allow.user, (ctx): Bot[] =>
  botsOf(ctx, me(ctx).id)
    .filter((row) => row.is_active)
    .map((row) => presentBot(ctx, row)),
);

export const getBot = query(allow.user, (ctx, id: number): Bot => presentBot(ctx, botFor(ctx, id)));

/** The `realm_bot` section of the initial state: the bots that the actor may change. */
export function botsState(ctx: Ctx): { realm_bots: BotConfiguration[] } {
  const own = isAdmin(me(ctx)) ? everyBot(ctx) : botsOf(ctx, me(ctx).id);
  return { realm_bots: own.map(({ id }) => presentConfiguration(ctx, id)) };
}

/** A bot as returned to users who may change it. */
export function presentBot(reads: ReadsNow, row: UserRow): Bot {
  return {
    full_name: row.full_name,
    email: row.email,
    api_key: "",
    avatar_url: avatarUrl(reads, row),
    owner_id: row.bot_owner_id,
    bot_type: row.bot_type ?? botTypes.generic,
    is_active: row.is_active === 1,
    ...presentConfiguration(reads, row.id),
  };
}

export function presentConfiguration(reads: ReadsNow, botId: number): BotConfiguration {
  return {
    user_id: botId,
    ...presentDefaults(reads, botId),
    services: servicesOf(reads, botId),
  };
}

export function presentDefaults(reads: ReadsNow, botId: number): BotDefaults {
  const { sending_channel_id, events_channel_id, all_public_channels } = defaultsOf(reads, botId);
  const nameOf = (id: number | null) => (id === null ? null : nameForOwner(reads, botId, id));
  return {
    default_sending_stream: nameOf(sending_channel_id),
    default_events_register_stream: nameOf(events_channel_id),
    default_all_public_streams: all_public_channels === 1,
  };
}

/** The name of a channel; null if the bot's owner can no longer see it. */
function nameForOwner(reads: ReadsNow, botId: number, channelId: number): string | null {
  const { bot_owner_id } = memberOf(reads, botId);
  const channel = existingChannel(reads, channelId);
  const isKnown = bot_owner_id === null || maySee(reads, memberOf(reads, bot_owner_id), channel);
  return isKnown ? channel.name : null;
}

export function servicesOf(reads: ReadsNow, botId: number): Bot["services"] {
  const service = serviceOf(reads, botId);
  return service ? [service] : [];
}

/** A bot's key cannot be read. */
export const refuseKey = query(allow.user, (ctx, botId: number): never => {
  botFor(ctx, botId);
  fail("BAD_REQUEST", "The server knows only a hash of this key. If it is lost, make a new one.");
});
