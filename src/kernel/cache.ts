import type { Db, Reads } from "./context.ts";
import { perApp } from "./per-app.ts";

interface Cached<K, V> {
  epoch: number;
  sum: number;
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
  const sumOf = (db: Db) => tables.reduce((sum, table) => sum + db.watch(table).n, 0);
  const storeOf = perApp<Cached<K, V>>((db) => ({ epoch: db.epoch, sum: sumOf(db), values: new Map() }));

  return (ctx, key) => {
    if (typeof key === "string" && key.length > maxKeyLength) return load(ctx, key);
    const { db } = ctx;
    const store = storeOf(ctx);
    if (store.epoch !== db.epoch) {
      store.epoch = db.epoch;
      const sum = sumOf(db);
      if (sum !== store.sum) store.values.clear();
      store.sum = sum;
    }
    const known = store.values.get(key);
    if (known !== undefined || store.values.has(key)) return known as V;
    if (store.values.size >= limit) store.values.clear();
    const value = load(ctx, key);
    store.values.set(key, value);
    return value;
  };
}
