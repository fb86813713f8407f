// What is kept in memory of the database: docs/design.md#store lists the caches that `declareCache` makes.
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

interface Declared<K, V> {
  /** As docs/design.md lists it. */
  name: string;
  /** How much it holds: values or, with `sizeOf`, their sizes. What was asked for longest ago goes first. */
  max: number;
  sizeOf?: (value: V) => number;
  /** All is dropped when one of these tables changes: by a write, a rollback, or another process's commit. */
  tables?: readonly string[];
  /** Called after each change of the database: the keys to drop, or null for all. Such a cache is empty inside a transaction. */
  listOutdated?: (reads: Reads) => Iterable<K> | null;
}

/** Declares a cache of each app. Without `tables` and `listOutdated`, its values say by themselves whether they are current. */
export function declareCache<K, V>(declared: Declared<K, V>): (reads: Reads) => Cache<K, V> {
  const { tables, listOutdated } = declared;
  const versionOf = tables ? tablesVersion(tables) : () => 0;
  const stateOf = perApp(() => ({ cache: new Cache<K, V>(declared), changes: -1, version: 0 }));
  return (reads) => {
    const { db } = reads;
    // What a transaction has changed may yet be rolled back.
    if (listOutdated && db.sqlite.inTransaction) return new Cache<K, V>(declared);
    const state = stateOf(reads);
    if (state.changes === db.changes) return state.cache;
    state.changes = db.changes;
    const keys = listOutdated ? listOutdated(reads) : [];
    const version = versionOf(reads);
    if (keys === null || version !== state.version) state.cache.clear();
    else for (const key of keys) state.cache.delete(key);
    state.version = version;
    return state.cache;
  };
}

/** Values by key, up to a size in total; the latest stays even if it alone is larger. */
export class Cache<K, V> {
  max: number;
  size = 0;
  private readonly sizeOf: (value: V) => number;
  /** Those asked for last at the end. */
  private readonly entries = new Map<K, { value: V; size: number }>();

  constructor({ max, sizeOf = () => 1 }: Pick<Declared<K, V>, "max" | "sizeOf">) {
    this.max = max;
    this.sizeOf = sizeOf;
  }

  get(key: K): V | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  /** Set a value again once its size is another. */
  set(key: K, value: V): void {
    this.delete(key);
    const size = this.sizeOf(value);
    this.entries.set(key, { value, size });
    this.size += size;
    for (const oldest of this.entries.keys()) {
      if (this.size <= this.max || oldest === key) return;
      this.delete(oldest);
    }
  }

  delete(key: K): void {
    this.size -= this.entries.get(key)?.size ?? 0;
    this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
    this.size = 0;
  }

  keys(): K[] {
    return [...this.entries.keys()];
  }
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
