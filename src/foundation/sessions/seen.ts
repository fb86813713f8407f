// Keeps in memory when sessions were last used, and stores it at intervals, so that requests do not write.

import { z } from "zod";
import { allow } from "@/foundation/permissions/access.ts";
import { type Ctx, type ReadsNow, writesHere } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { broadcast } from "@/kernel/events/broadcasts.ts";
import { perApp } from "@/kernel/store/per-app.ts";
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

const seenElsewhere = broadcast(
  "sessions_seen",
  "Sessions that were used at a node that follows, so that the leader stores it.",
  z.object({ sessions: z.array(z.object({ id: z.int(), address: z.string() })) }),
);

/** By the leader's clock, which also says when a session has ended. */
export const receiveSeen = seenElsewhere.received.register((ctx, { sessions }) => {
  if (!ctx.db.peers?.leads) return;
  const unsaved = unsavedOf(ctx);
  for (const { id, address } of sessions) if (!unsaved.has(id)) unsaved.set(id, { at: ctx.now, address });
});

/** Stores the times that were noted since the last call; a following node sends them to the leader instead. */
export async function saveSeen(ctx: Ctx): Promise<void> {
  const unsaved = unsavedOf(ctx);
  if (!writesHere(ctx)) {
    const sessions = [...unsaved].map(([id, { address }]) => ({ id, address }));
    unsaved.clear();
    if (sessions.length > 0) seenElsewhere.send(ctx, { sessions });
    return;
  }
  while (unsaved.size > 0) {
    const some = [...unsaved].slice(0, maxBatch).map(([id, seen]) => ({ id, ...seen }));
    await storeSeen(ctx, some);
    for (const { id } of some) unsaved.delete(id);
  }
}
