import { allow, isGuest, me } from "@/foundation/permissions/access.ts";
import { query } from "@/kernel/core/operation.ts";
import { defaultChannelGroups, defaultChannelIds } from "./access.ts";
import type { DefaultChannelGroup } from "./schema.ts";

/** Empty for guests, who may not see these channels. */
export const listDefaultChannels = query(allow.user, (ctx): number[] =>
  isGuest(me(ctx)) ? [] : [...defaultChannelIds(ctx)],
);

export const listDefaultChannelGroups = query(allow.user, (ctx): DefaultChannelGroup[] =>
  isGuest(me(ctx)) ? [] : defaultChannelGroups(ctx),
);
