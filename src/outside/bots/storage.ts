// The key-value storage of bots.

import { allow, me } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { query } from "@/kernel/operation.ts";
import type { StoredText } from "./store.ts";
import * as store from "./store.ts";

export function botId(ctx: Ctx): number {
  const { id, is_bot } = me(ctx);
  return is_bot ? id : fail("BAD_REQUEST", "Only bots have storage.");
}

/** The values of these keys; of all keys if null. */
export const getStorage = query(allow.user, (ctx, keys: readonly string[] | null): Record<string, string> => {
  const bot = botId(ctx);
  const rows = keys === null ? store.listStorage(ctx, bot) : stored(ctx, bot, keys);
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
});

/** The values of these keys; throws if a key does not exist. */
function stored(ctx: Ctx, bot: number, keys: readonly string[]): StoredText[] {
  return store
    .findStored(ctx, bot, keys)
    .map(({ key, value }) => (value === null ? refuseUnstored(key) : { key, value }));
}

export function refuseUnstored(key: string): never {
  fail("BAD_REQUEST", `Nothing is stored under the key '${key}'.`);
}
