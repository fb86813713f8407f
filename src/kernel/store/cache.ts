import type { Reads } from "@/kernel/core/context.ts";
import { runSync, type Task } from "@/kernel/lib/tasks.ts";
import { perApp } from "./per-app.ts";

interface Cached<K, V> {
  epoch: number;
  version: number;
  values: Map<K, V>;
}

const maxKeyLength = 256;

/**
 * Caches a lookup until one of `tables` changes: by a write of this process (visible at once, also inside the
 * transaction), by a rollback, or by another process's commit. Treat values as read-only. The key may be left out.
 * Keys come from requests, so the number of cached keys (`limit`) and the length of each are limited.
 */
export function cache<K = void, V = unknown>(
  tables: readonly string[],
  load: (ctx: Reads, key: K) => V,
  limit = 50_000,
): (ctx: Reads, key: K) => V {
  const { current } = stores<K, V>(tables);
  return (ctx, key) => {
    if (typeof key === "string" && key.length > maxKeyLength) return load(ctx, key);
    const { values } = current(ctx);
    const known = values.get(key);
    if (known !== undefined || values.has(key)) return known as V;
    if (values.size >= limit) values.clear();
    const value = load(ctx, key);
    values.set(key, value);
    return value;
  };
}

/** How often to load a value again that changed meanwhile; after that, it is loaded without a pause. */
const maxRounds = 3;

/** As `cache`, for a lookup in steps. The value is never a mixture of what was before and after a change. */
export function cacheInSteps<C extends Reads, K, V>(
  tables: readonly string[],
  load: (ctx: C, key: K) => Task<V>,
  limit: number,
): (ctx: C, key: K) => Task<V> {
  const { current, versionOf } = stores<K, V>(tables);
  return function* (ctx, key) {
    const known = current(ctx).values.get(key);
    if (known !== undefined) return known;
    const keep = (value: V) => {
      const { values } = current(ctx);
      if (values.size >= limit) values.clear();
      values.set(key, value);
      return value;
    };
    return keep(
      yield* loadUnmixed(
        () => versionOf(ctx),
        () => load(ctx, key),
      ),
    );
  };
}

/** Runs steps again if the version has changed meanwhile, so that the value is never a mixture of what was before and after. */
export function* loadUnmixed<V>(version: () => number, load: () => Task<V>): Task<V> {
  for (let round = 0; round < maxRounds; round++) {
    const before = version();
    const value = yield* load();
    if (version() === before) return value;
  }
  return runSync(load());
}

/** The values of each app, without those that are outdated. */
function stores<K, V>(tables: readonly string[]) {
  const versionOf = tablesVersion(tables);
  const storeOf = perApp<Cached<K, V>>((db) => ({
    epoch: db.epoch,
    version: versionOf({ db }),
    values: new Map(),
  }));
  const current = (ctx: Reads): Cached<K, V> => {
    const { db } = ctx;
    const store = storeOf(ctx);
    if (store.epoch !== db.epoch) {
      store.epoch = db.epoch;
      const version = versionOf(ctx);
      if (version !== store.version) store.values.clear();
      store.version = version;
    }
    return store;
  };
  return { current, versionOf };
}

/** Returns a number that grows whenever one of these tables changes, at the same moments as a cache of them is cleared. */
export function tablesVersion(tables: readonly string[]): (reads: Reads) => number {
  const versionIn = perApp((db) => {
    const counters = tables.map((table) => db.watch(table));
    let [epoch, version] = [-1, 0];
    return () => {
      if (epoch === db.epoch) return version;
      epoch = db.epoch;
      version = 0;
      for (const { n } of counters) version += n;
      return version;
    };
  });
  return (reads) => versionIn(reads)();
}
