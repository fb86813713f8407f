// A look into a database that another process writes, and this one must not.

import { AppError, englishOnly } from "@/kernel/lib/errors.ts";
import type { SqliteDb } from "./db.ts";

/** Refuses every write with this sentence; caches notice what the other process writes. */
export function onlyRead(db: SqliteDb, refusal: string): void {
  const version = () => db.get<{ data_version: number }>("PRAGMA data_version")?.data_version;
  let seen = version();
  db.noticeOthers = () => {
    const now = version();
    if (now === seen) return;
    seen = now;
    db.bumpAll();
  };
  db.write = () => Promise.reject(new AppError("BAD_REQUEST", englishOnly(refusal)));
}
