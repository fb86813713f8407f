import { allow } from "@/foundation/permissions/access.ts";
import { fail } from "@/kernel/errors.ts";
import { action, operation } from "@/kernel/operation.ts";
import { nextTurn } from "@/kernel/steps.ts";
import { storageLimits } from "./schema.ts";
import { botId, refuseUnstored } from "./storage.ts";
import * as store from "./store.ts";

export const setStorage = action(allow.user, (tx, storage: Record<string, string>): void => {
  const bot = botId(tx);
  store.setStored(tx, bot, storage);
  if (store.storageSize(tx, bot) > storageLimits.size) {
    fail("BAD_REQUEST", `A bot can store at most ${storageLimits.size} characters.`);
  }
});

/** Keys in one transaction, so that many do not stall other requests. */
const atOnce = 1000;

/** Deletes the values of these keys; of all keys if null. If one of them does not exist, deletes nothing. */
export const deleteStorage = operation(
  allow.user,
  async (ctx, keys: readonly string[] | null): Promise<void> => {
    const bot = botId(ctx);
    if (keys === null) return deletePortion(ctx, null);
    for (let from = 0; from < keys.length; from += atOnce) {
      const missing = store.findUnstored(ctx, bot, keys.slice(from, from + atOnce));
      if (missing !== null) refuseUnstored(missing);
      await nextTurn();
    }
    for (let from = 0; from < keys.length; from += atOnce) {
      await deletePortion(ctx, keys.slice(from, from + atOnce));
    }
  },
);

const deletePortion = action(allow.user, (tx, keys: readonly string[] | null): void =>
  store.deleteStored(tx, botId(tx), keys),
);
