import type { Db, Reads } from "./context.ts";

/**
 * State in memory of each open app: `make` builds it on first use, and it lives as long as the app's database.
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
