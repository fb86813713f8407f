// Keeps in memory when sessions were last used, and stores it at intervals, so that requests do not write.

import { allow } from "@/foundation/permissions/access.ts";
import type { Ctx, ReadsNow } from "@/kernel/context.ts";
import { action } from "@/kernel/operation.ts";
import { perApp } from "@/kernel/per-app.ts";
import type { SessionRow } from "./store.ts";
import * as store from "./store.ts";

/** Seconds between two runs of the job that stores them. */
const resolution = 600;
const maxBatch = 200;

interface Seen {
  at: number;
  address: string;
}

const unsavedOf = perApp(() => new Map<number, Seen>());

/** Records that a session is in use. */
export function noteSeen(ctx: ReadsNow, row: SessionRow, address: string): void {
  if (ctx.now - row.last_seen_at < resolution) return;
  const unsaved = unsavedOf(ctx);
  if (!unsaved.has(row.id)) unsaved.set(row.id, { at: ctx.now, address });
}

const storeSeen = action(allow.system, (tx, seen: readonly (Seen & { id: number })[]): void => {
  for (const one of seen) store.setSeen(tx, one);
});

/** Stores the times that were noted since the last call. */
export async function saveSeen(ctx: Ctx): Promise<void> {
  const unsaved = unsavedOf(ctx);
  while (unsaved.size > 0) {
    const some = [...unsaved].slice(0, maxBatch).map(([id, seen]) => ({ id, ...seen }));
    await storeSeen(ctx, some);
    for (const { id } of some) unsaved.delete(id);
  }
}
