import { allow } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { presentEmoji } from "./access.ts";
import { extraCode, extraPictureUrl } from "./extra.ts";
import type { EmojiById, RealmEmoji } from "./schema.ts";
import * as store from "./store.ts";

/** All custom emoji, including deactivated ones, because old messages and reactions show them. */
export const listEmoji = query(allow.user, (ctx): EmojiById => presentEmoji(store.listEmoji(ctx)));

/** The server's extra emoji, in the form of custom ones. */
export const listExtraEmoji = query(allow.user, (): RealmEmoji[] => [
  {
    id: extraCode,
    name: extraCode,
    source_url: extraPictureUrl(extraCode),
    still_url: null,
    deactivated: false,
    author_id: null,
  },
]);

/** The `realm_emoji` section of the initial state. */
export function emojiState(ctx: Ctx): Record<string, unknown> {
  return { realm_emoji: presentEmoji(store.listEmoji(ctx)) };
}
