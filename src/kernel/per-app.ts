import type { Db, Reads } from "./context.ts";

/**
 * State in memory that each open app has for itself: `make` builds it when it is first asked for, and it goes with the
 * app's database.
 */
export function perApp<T>(make: (db: Db) => T): (reads: Reads) => T {
  const key = {};
  return ({ db }) => {
    const known = db.kept.get(key) as T | undefined;
    if (known !== undefined) return known;
    const made = make(db);
    db.kept.set(key, made);
    return made;
  };
}
