import type { Db, Reads } from "./context.ts";
import { perApp } from "./per-app.ts";

interface Cached<K, V> {
  epoch: number;
  sum: number;
  values: Map<K, V>;
}

const longestKey = 256;

/**
 * A lookup remembered until one of `tables` changes: by a write of this process (seen at once, also inside the
 * transaction), by a rollback, or by another process's commit. Values must be treated as read-only.
 * `load` may take no key. Keys come from requests, so what is remembered is bounded in number and each key in length.
 */
export function cache<K = void, V = unknown>(
  tables: readonly string[],
  load: (ctx: Reads, key: K) => V,
  limit = 50_000,
): (ctx: Reads, key: K) => V {
  const sumOf = (db: Db) => tables.reduce((sum, table) => sum + db.watch(table).n, 0);
  const storeOf = perApp<Cached<K, V>>((db) => ({ epoch: db.epoch, sum: sumOf(db), values: new Map() }));

  return (ctx, key) => {
    if (typeof key === "string" && key.length > longestKey) return load(ctx, key);
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
