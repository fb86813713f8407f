import type { Db, Reads } from "@/kernel/core/context.ts";

/**
 * State in memory of each open app: `make` builds it on first use, and it lives as long as the app's database.
 */
export function perApp<T>(make: (db: Db) => T): (reads: Reads) => T {
  const key = {};
  // A server has only one app, and asks for its state dozens of times for each request.
  let last: { db: Db; state: T } | undefined;
  return ({ db }) => {
    if (last?.db === db) return last.state;
    const known = db.kept.get(key) as T | undefined;
    const state = known ?? make(db);
    if (known === undefined) db.kept.set(key, state);
    last = { db, state };
    return state;
  };
}

/** Wraps work that must not overlap: a call while the same app is still at an earlier one does nothing. */
export function oneAtATime<C extends { readonly db: Db }, R = void>(
  work: (ctx: C) => Promise<R>,
): (ctx: C) => Promise<R | undefined> {
  const state = perApp(() => ({ isBusy: false }));
  return async (ctx) => {
    const app = state(ctx);
    if (app.isBusy) return undefined;
    app.isBusy = true;
    try {
      return await work(ctx);
    } finally {
      app.isBusy = false;
    }
  };
}
