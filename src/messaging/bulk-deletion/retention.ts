// Deletes messages past their retention: the channel's, or else the organization's, which also applies to direct messages.

import { recordAudit } from "@/foundation/audit/actions.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { isPaused, sweepDaysOf, sweepDaysOfChannel } from "@/foundation/retention/access.ts";
import { graceOfRetention, retentionState, type Swept } from "@/foundation/retention/schema.ts";
import type { Ctx, Tx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { nextSlice } from "@/kernel/lib/tasks.ts";
import { oneAtATime } from "@/kernel/store/per-app.ts";
import { deleteTogether } from "@/messaging/messages/actions.ts";
import { dropReportedTexts, dropReportedTextsBefore } from "@/messaging/reports/actions.ts";
import { countLinks, linksIn } from "@/messaging/uploads/access.ts";
import { visibleChannels } from "@/places/channels/access.ts";
import { channelConversation } from "@/places/conversations/access.ts";
import { findDirect, findOldest } from "./store.ts";

const batch = 100;
const page = 500;
const day = 86_400;
const placesNamed = 100;

/** Deletes expired messages in batches, so that other requests run in between. Returns what it deleted; null if nothing. */
export const deleteExpired = oneAtATime(async (ctx: Ctx): Promise<Swept | null> => {
  if (!isPaused(ctx)) {
    await inChannels(ctx);
    await inDirectConversations(ctx);
  }
  return retentionState.read(ctx).swept === null ? null : conclude(ctx);
});

/** Messages sent before this time are expired; null if they never expire. */
function endOf(ctx: Ctx, days: number): number | null {
  return days < 1 ? null : ctx.now - days * day;
}

async function inChannels(ctx: Ctx): Promise<void> {
  for (const channel of visibleChannels(ctx)) {
    const until = endOf(ctx, sweepDaysOfChannel(ctx, channel));
    const { id, name } = channel;
    if (until !== null)
      await empty(ctx, { conversationId: channelConversation(ctx, id), until, place: name });
  }
}

async function inDirectConversations(ctx: Ctx): Promise<void> {
  const until = endOf(ctx, sweepDaysOf(ctx));
  if (until === null) return;
  while ((await dropOldReports(ctx, until)) === batch) await nextSlice();
  let above = 0;
  for (;;) {
    const conversations = findDirect(ctx, { above, max: page });
    for (const { id, oldest } of conversations) {
      if (oldest !== null && oldest < until)
        await empty(ctx, { conversationId: id, until, place: "direct messages" });
    }
    const last = conversations.at(-1);
    if (!last || conversations.length < page) return;
    above = last.id;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

interface Expiry {
  conversationId: number;
  /** Exclusive. */
  until: number;
  /** Its name in the audit log. */
  place: string;
}

async function empty(ctx: Ctx, expiry: Expiry): Promise<void> {
  let above: number | null = 0;
  if (findOldest(ctx, { ...expiry, ...cameBefore(ctx), above, max: 1 }).length === 0) return;
  while (above !== null) above = await deleteOldest(ctx, { ...expiry, above });
}

/** Messages that were moved to a place a day ago or later stay until then, even if they are too old for it. */
const cameBefore = ({ now }: Pick<Ctx, "now">) => ({ movedSince: now - graceOfRetention });

/** Deletes a batch. Returns after which message to go on; null if there are no more. */
const deleteOldest = action(allow.system, (tx, expiry: Expiry & { above: number }): number | null => {
  const rows = findOldest(tx, { ...expiry, ...cameBefore(tx), max: batch });
  const going = rows.filter(({ came_lately }) => came_lately === 0);
  if (going.length > 0) {
    const ids = going.map(({ id }) => id);
    const files = [...new Set(linksIn(tx, ids))];
    deleteTogether(tx, going);
    dropReportedTexts(tx, ids);
    note(tx, expiry.place, { messages: going.length, files: files.length - countLinks(tx, files).length });
  }
  return rows.length === batch ? (rows.at(-1)?.id ?? null) : null;
});

/** Drops the texts of some messages that were reported before a time. Each message is older than its report, and so too old to be kept. */
const dropOldReports = action(allow.system, (tx, until: number): number =>
  dropReportedTextsBefore(tx, until, batch),
);

/** Counts what is deleted in the same transaction, so that a crash forgets none of it. */
function note(tx: Tx, place: string, { messages, files }: Pick<Swept, "messages" | "files">): void {
  const before = retentionState.read(tx).swept ?? { messages: 0, files: 0, places: {} };
  const isNamed = place in before.places || Object.keys(before.places).length < placesNamed;
  const key = isNamed ? place : "others";
  retentionState.write(tx, "swept", {
    messages: before.messages + messages,
    files: before.files + files,
    places: { ...before.places, [key]: (before.places[key] ?? 0) + messages },
  });
}

/** The entry in the audit log. */
const conclude = action(allow.system, (tx): Swept | null => {
  const { swept } = retentionState.read(tx);
  if (swept === null) return null;
  retentionState.write(tx, "swept", null);
  recordAudit(tx, { event: "retention_swept", about: { kind: "realm" }, data: { ...swept } });
  return swept;
});
