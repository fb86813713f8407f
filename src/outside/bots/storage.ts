// The key-value storage of bots.

import { allow, me } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { fail, failInEnglish } from "@/kernel/lib/errors.ts";
import { runInSlices, type Task } from "@/kernel/lib/tasks.ts";
import type { StoredText } from "./store.ts";
import * as store from "./store.ts";

export function botId(ctx: Ctx): number {
  const { id, is_bot } = me(ctx);
  return is_bot ? id : fail("BAD_REQUEST", "Only bots have storage.");
}

/** The values of these keys; of all keys if null. */
export const getStorage = query(
  allow.user,
  async (ctx, keys: readonly string[] | null): Promise<Record<string, string>> => {
    const bot = botId(ctx);
    if (keys === null) return runInSlices(allStored(ctx, bot));
    return Object.fromEntries(readStored(ctx, bot, keys).map(({ key, value }) => [key, value]));
  },
);

/** Rows read at once. */
const portion = 500;

function* allStored(ctx: Ctx, bot: number): Task<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const some of store.readStoredPortions(ctx, bot, portion)) {
    // Not by assignment, for which `__proto__` is no key.
    for (const { key, value } of some) Object.defineProperty(all, key, own(value));
    yield some.length;
  }
  return all;
}

const own = (value: string) => ({ value, enumerable: true, writable: true, configurable: true });

/** The values of these keys; throws if a key does not exist. */
function readStored(ctx: Ctx, bot: number, keys: readonly string[]): StoredText[] {
  return store
    .findStored(ctx, bot, keys)
    .map(({ key, value }) => (value === null ? refuseUnstored(key) : { key, value }));
}

export function refuseUnstored(key: string): never {
  failInEnglish("BAD_REQUEST", `Nothing is stored under the key '${key}'.`);
}
