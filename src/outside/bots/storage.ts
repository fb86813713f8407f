// The key-value storage of bots.

import { allow, me } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { action, query } from "@/kernel/operation.ts";
import { storageLimits } from "./schema.ts";
import type { StoredText } from "./store.ts";
import * as store from "./store.ts";

function botId(ctx: Ctx): number {
  const { id, is_bot } = me(ctx);
  return is_bot ? id : fail("BAD_REQUEST", "Only bots have storage.");
}

export const setStorage = action(allow.user, (tx, storage: Record<string, string>): void => {
  const bot = botId(tx);
  store.setStored(tx, bot, storage);
  if (store.storageSize(tx, bot) > storageLimits.size) {
    fail("BAD_REQUEST", `A bot can store at most ${storageLimits.size} characters.`);
  }
});

/** The values of these keys; of all keys if null. */
export const getStorage = query(allow.user, (ctx, keys: readonly string[] | null): Record<string, string> => {
  const bot = botId(ctx);
  const rows = keys === null ? store.listStorage(ctx, bot) : keys.map((key) => stored(ctx, bot, key));
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
});

export const deleteStorage = action(allow.user, (tx, keys: readonly string[] | null): void => {
  const bot = botId(tx);
  const rows = keys === null ? store.listStorage(tx, bot) : keys.map((key) => stored(tx, bot, key));
  for (const { key } of rows) store.deleteStored(tx, bot, key);
});

function stored(ctx: Ctx, bot: number, key: string): StoredText {
  return store.findStored(ctx, bot, key) ?? fail("BAD_REQUEST", `Nothing is stored under the key '${key}'.`);
}
