// Presence in a cluster. Clients report to any node; a follower sends the reports to the leader, which numbers the updates and
// sends them to all nodes. Both collect for 250 ms, and send all of it together.
import { z } from "zod";
import { listUnsavedElsewhere, noteHere } from "@/foundation/user-activity/access.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { broadcast } from "@/kernel/events/broadcasts.ts";
import { nextSlice } from "@/kernel/lib/tasks.ts";
import { TimeUsed } from "@/kernel/lib/time-slices.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import { lastUpdateId, listUpdatedSince, notePresence, takePresence } from "./board.ts";

const gatherMs = 250;
/** A broadcast must fit into a message between nodes, and take no node more than some milliseconds. */
const maxRows = 5_000;
/** Smaller differences between the clocks of two nodes are not corrected. */
const slackSeconds = 5;

const signs = broadcast(
  "presence_signs",
  "What a node that follows knows of the people who are there.",
  z.object({
    connected: z.array(z.int()).default([]),
    active: z.array(z.int()).default([]),
    /** People who were active today, whether or not they show their presence. */
    today: z.array(z.int()).default([]),
    /** The last update that the node has, if it may lack later ones. */
    has: z.int().optional(),
  }),
);

const updates = broadcast(
  "presence_updates",
  "What has changed at the leader.",
  z.object({
    /** The time on the leader's clock. */
    now: z.int(),
    /** The number of the update before these. */
    after: z.int(),
    /** User, last active, last connected, number of the update. */
    rows: z.array(z.tuple([z.int(), z.int(), z.int(), z.int()])),
  }),
);

interface Sharing {
  /** What the leader must be sent: who is connected, and whether they are active. */
  readonly signs: Map<number, boolean>;
  lacks: boolean;
  /** The last update that was sent to all nodes. */
  sentUpTo: number;
  isSending: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
}

const sharingOf = perApp((db): Sharing => {
  return {
    signs: new Map(),
    lacks: false,
    sentUpTo: lastUpdateId({ db }),
    isSending: false,
    timer: undefined,
  };
});

/** As `notePresence`, and sends it to the other nodes. */
export function sharePresence(ctx: Ctx, userId: number, isActive: boolean): void {
  const hasChanged = notePresence(ctx, userId, { now: ctx.now, isActive });
  const { peers } = ctx.db;
  if (!hasChanged || !peers) return;
  const sharing = sharingOf(ctx);
  if (!peers.leads) sharing.signs.set(userId, isActive || sharing.signs.get(userId) === true);
  gather(ctx);
}

/** Asks the leader for updates newer than the stored presences. */
export function askForPresences(ctx: Ctx): void {
  const { peers } = ctx.db;
  if (!peers || peers.leads) return;
  sharingOf(ctx).lacks = true;
  gather(ctx);
}

/** On a following node: tells the leader which users were active today. */
export function sendActivity(ctx: Ctx): void {
  const today = listUnsavedElsewhere(ctx);
  if (today.length > 0) signs.send(ctx, { connected: [], active: [], today });
}

export const receiveSigns = signs.received.register((ctx, { connected, active, today, has }) => {
  if (!ctx.db.peers?.leads) return;
  for (const id of today) noteHere(ctx, id);
  for (const id of connected) sharePresence(ctx, id, false);
  for (const id of active) sharePresence(ctx, id, true);
  if (has === undefined) return;
  const sharing = sharingOf(ctx);
  sharing.sentUpTo = Math.min(sharing.sentUpTo, has);
  gather(ctx);
});

export const receiveUpdates = updates.received.register((ctx, { now, after, rows }) => {
  if (ctx.db.peers?.leads) return;
  if (after > lastUpdateId(ctx)) return askForPresences(ctx);
  const ahead = Math.abs(ctx.now - now) > slackSeconds ? ctx.now - now : 0;
  const here = (at: number) => (at === 0 ? 0 : at + ahead);
  for (const [user_id, active_at, connected_at, update_id] of rows) {
    takePresence(ctx, { user_id, active_at: here(active_at), connected_at: here(connected_at), update_id });
  }
  sharingOf(ctx).sentUpTo = lastUpdateId(ctx);
});

function gather(ctx: Ctx): void {
  const sharing = sharingOf(ctx);
  const { db } = ctx;
  sharing.timer ??= setTimeout(() => {
    sharing.timer = undefined;
    if (db.peers?.leads) void sendUpdates({ db }, sharing);
    else sendSigns({ db }, sharing);
  }, gatherMs);
  sharing.timer.unref();
}

function sendSigns(reads: Reads, sharing: Sharing): void {
  const of = (wanted: boolean) =>
    [...sharing.signs].flatMap(([id, isActive]) => (isActive === wanted ? [id] : []));
  const has = sharing.lacks ? { has: lastUpdateId(reads) } : {};
  signs.send(reads, { connected: of(false), active: of(true), today: [], ...has });
  sharing.signs.clear();
  sharing.lacks = false;
}

/** Sends a part in each slice, also of what comes meanwhile. */
async function sendUpdates(reads: Reads, sharing: Sharing): Promise<void> {
  // Left over from when this node followed another.
  sharing.signs.clear();
  if (sharing.isSending) return;
  sharing.isSending = true;
  const used = new TimeUsed();
  while (reads.db.peers?.leads) {
    const rows = [...listUpdatedSince(reads, sharing.sentUpTo)].reverse().slice(0, maxRows);
    const last = rows.at(-1);
    if (!last) break;
    updates.send(reads, {
      now: reads.db.clock.now(),
      after: sharing.sentUpTo,
      rows: rows.map((row) => [row.user_id, row.active_at, row.connected_at, row.update_id]),
    });
    sharing.sentUpTo = last.update_id;
    await nextSlice(used);
  }
  sharing.isSending = false;
}
