import { allow } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { Semaphore } from "@/kernel/lib/concurrency.ts";
import { failInEnglish } from "@/kernel/lib/errors.ts";
import { nextSlice, runInSlices, type Task } from "@/kernel/lib/tasks.ts";
import { TimeUsed } from "@/kernel/lib/time-slices.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import { storageLimits } from "./schema.ts";
import { botId, refuseUnstored } from "./storage.ts";
import * as store from "./store.ts";

const semaphoresOf = perApp(() => new Map<number, Semaphore>());

/** Runs work that changes what a bot stores, after that of the bot's earlier requests: two could exceed the limit together. */
async function alone(ctx: Ctx, work: (bot: number) => Promise<void>): Promise<void> {
  const bot = botId(ctx);
  const semaphores = semaphoresOf(ctx);
  const own = semaphores.get(bot) ?? new Semaphore(1);
  semaphores.set(bot, own);
  return own.run(() => work(bot));
}

/** Stores values by key, unless all together are too many or too long. */
export const setStorage = operation(
  allow.user,
  (ctx, storage: Record<string, string>): Promise<void> =>
    alone(ctx, async (bot) => {
      await runInSlices(checkSpace(ctx, bot, storage));
      const entries = Object.entries(storage);
      for (let from = 0; from < entries.length; from += atOnce) {
        await setPortion(ctx, entries.slice(from, from + atOnce));
      }
    }),
);

const setPortion = action(
  allow.user,
  (tx, entries: readonly (readonly [key: string, value: string])[]): void =>
    store.setStored(tx, botId(tx), entries),
);

function* checkSpace(ctx: Ctx, bot: number, storage: Readonly<Record<string, string>>): Task<void> {
  const all: { key: string; size: number }[] = [];
  for (const [key, value] of Object.entries(storage)) {
    all.push({ key, size: lengthOf(key) + lengthOf(value) });
    if (all.length % atOnce === 0) yield atOnce;
  }
  for (const some of store.sizePortions(ctx, bot, atOnce)) {
    for (const one of some) if (!Object.hasOwn(storage, one.key)) all.push(one);
    yield some.length;
  }
  if (all.reduce((sum, { size }) => sum + size, 0) > storageLimits.size) {
    failInEnglish("BAD_REQUEST", `A bot can store at most ${storageLimits.size} characters.`);
  }
  if (all.length > storageLimits.keys) {
    failInEnglish("BAD_REQUEST", `A bot can store values under at most ${storageLimits.keys} keys.`);
  }
}

/** In characters, as SQLite counts them. */
function lengthOf(text: string): number {
  return text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0);
}

/** Keys in one transaction, so that many do not stall other requests. */
const atOnce = 1000;

/** Deletes the values of these keys; of all keys if null. If one of them does not exist, deletes nothing. */
export const deleteStorage = operation(
  allow.user,
  (ctx, keys: readonly string[] | null): Promise<void> =>
    alone(ctx, async (bot) => {
      if (keys === null) return deleteAll(ctx);
      const used = new TimeUsed();
      for (let from = 0; from < keys.length; from += atOnce) {
        const missing = store.findUnstored(ctx, bot, keys.slice(from, from + atOnce));
        if (missing !== null) refuseUnstored(missing);
        await nextSlice(used);
      }
      for (let from = 0; from < keys.length; from += atOnce) {
        await deletePortion(ctx, keys.slice(from, from + atOnce));
      }
    }),
);

async function deleteAll(ctx: Ctx): Promise<void> {
  for (;;) {
    const [some = []] = store.sizePortions(ctx, botId(ctx), atOnce);
    if (some.length === 0) return;
    await deletePortion(
      ctx,
      some.map(({ key }) => key),
    );
  }
}

const deletePortion = action(allow.user, (tx, keys: readonly string[]): void =>
  store.deleteStored(tx, botId(tx), keys),
);
