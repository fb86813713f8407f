import { memberOf } from "@/foundation/permissions/access.ts";
import { botTypes } from "@/foundation/permissions/schema.ts";
import { avatarUrl } from "@/foundation/users/present.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import type { ReadsNow } from "@/kernel/core/context.ts";
import { knownChannel, maySee } from "@/places/channels/access.ts";
import { defaultsOf, serviceOf } from "./access.ts";
import type { Bot, BotDefaults } from "./schema.ts";

/** A bot as returned to users who may change it. */
export function presentBot(reads: ReadsNow, row: UserRow): Bot {
  return {
    user_id: row.id,
    full_name: row.full_name,
    email: row.email,
    api_key: "",
    avatar_url: avatarUrl(reads, row),
    owner_id: row.bot_owner_id,
    bot_type: row.bot_type ?? botTypes.generic,
    is_active: row.is_active === 1,
    ...presentDefaults(reads, row.id),
    services: servicesOf(reads, row.id),
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
  const channel = knownChannel(reads, channelId);
  const isKnown = bot_owner_id === null || maySee(reads, memberOf(reads, bot_owner_id), channel);
  return isKnown ? channel.name : null;
}

export function servicesOf(reads: ReadsNow, botId: number): Bot["services"] {
  const service = serviceOf(reads, botId);
  return service ? [service] : [];
}
