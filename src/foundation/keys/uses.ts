// Keeps in memory when keys were last used, and stores it at intervals, so that requests do not write.
import { z } from "zod";
import { allow } from "@/foundation/permissions/access.ts";
import { type Ctx, type Reads, writesHere } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { broadcast } from "@/kernel/events/broadcasts.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import * as store from "./store.ts";

/** Seconds to within which the last use is known. */
const resolution = 3600;
const maxBatch = 200;

/** By the key's ID; when it was used. */
const unsavedOf = perApp(() => new Map<number, number>());

/** Counts the runs of the job: callers note the use of a key once in each. */
export const roundOfUses = perApp(() => ({ round: 0 }));

/** Records that a key is in use. */
export function noteUse(reads: Reads, keyId: number): void {
  const unsaved = unsavedOf(reads);
  if (unsaved.has(keyId)) return;
  const now = reads.db.clock.now();
  const last = store.findUse(reads, keyId);
  if (last === null || Math.abs(now - last) >= resolution) unsaved.set(keyId, now);
}

const storeUses = action(allow.system, (tx, uses: readonly { id: number; at: number }[]): void => {
  for (const one of uses) store.setUse(tx, one);
});

const usedElsewhere = broadcast(
  "keys_used",
  "Keys that were used at a node that follows, so that the leader stores it.",
  z.object({ ids: z.array(z.int()) }),
);

/** By the leader's clock, as for sessions. */
export const receiveUses = usedElsewhere.received.register((ctx, { ids }) => {
  if (ctx.db.peers?.leads) for (const id of ids) noteUse(ctx, id);
});

/** Stores the uses that were noted since the last call; a following node sends them to the leader instead. */
export async function saveUses(ctx: Ctx): Promise<void> {
  const unsaved = unsavedOf(ctx);
  roundOfUses(ctx).round++;
  if (!writesHere(ctx)) {
    const ids = [...unsaved.keys()];
    unsaved.clear();
    if (ids.length > 0) usedElsewhere.send(ctx, { ids });
    return;
  }
  while (unsaved.size > 0) {
    const some = [...unsaved].slice(0, maxBatch).map(([id, at]) => ({ id, at }));
    await storeUses(ctx, some);
    for (const { id } of some) unsaved.delete(id);
  }
}
