import { allow } from "@/foundation/permissions/access.ts";
import { fail } from "@/kernel/errors.ts";
import { action } from "@/kernel/operation.ts";
import { storageLimits } from "./schema.ts";
import { botId, stored } from "./storage.ts";
import * as store from "./store.ts";

export const setStorage = action(allow.user, (tx, storage: Record<string, string>): void => {
  const bot = botId(tx);
  store.setStored(tx, bot, storage);
  if (store.storageSize(tx, bot) > storageLimits.size) {
    fail("BAD_REQUEST", `A bot can store at most ${storageLimits.size} characters.`);
  }
});

export const deleteStorage = action(allow.user, (tx, keys: readonly string[] | null): void => {
  const bot = botId(tx);
  if (keys !== null) stored(tx, bot, keys);
  store.deleteStored(tx, bot, keys);
});
