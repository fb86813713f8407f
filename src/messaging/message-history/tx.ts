import type { Tx } from "@/kernel/core/context.ts";
import type { Change } from "./schema.ts";
import * as store from "./store.ts";

/** Records messages as they are before a change. Prunes the oldest edits of `id`, one of them, beyond the limits. */
export function keepPast(tx: Tx, id: number, ids: readonly number[], change: Change): void {
  store.keepPast(tx, id, ids, change);
}
