import { allow } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/context.ts";
import { query } from "@/kernel/operation.ts";
import { presentEmoji } from "./present.ts";
import type { EmojiById } from "./schema.ts";
import * as store from "./store.ts";

/** All custom emoji, those included that are deactivated: old messages and reactions show them. */
export const listEmoji = query(allow.user, (ctx): EmojiById => presentEmoji(store.listEmoji(ctx, 0)));

/** The `realm_emoji` section of the initial state (API-REFERENCE 5). */
export function emojiState(ctx: Ctx): Record<string, unknown> {
  return { realm_emoji: presentEmoji(store.listEmoji(ctx, 0)) };
}
