// Deletes messages past their retention: the channel's, or else the organization's, which also applies to direct messages.

import { allow } from "@/foundation/permissions/access.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Ctx } from "@/kernel/context.ts";
import { action } from "@/kernel/operation.ts";
import { oneAtATime } from "@/kernel/per-app.ts";
import { deleteTogether } from "@/messaging/messages/tx-removal.ts";
import { visibleChannels } from "@/places/channels/access.ts";
import { channelConversation } from "@/places/conversations/access.ts";
import { findDirect, findOldest } from "./store.ts";

const batch = 100;
const page = 500;
const day = 86_400;

/** Deletes expired messages in batches, so that other requests run in between. */
export const deleteExpired = oneAtATime(async (ctx: Ctx): Promise<void> => {
  await inChannels(ctx);
  await inDirectConversations(ctx);
});

/** Messages sent before this time are expired; null if they never expire. */
function endOf(ctx: Ctx, days: number): number | null {
  return days < 1 ? null : ctx.now - days * day;
}

async function inChannels(ctx: Ctx): Promise<void> {
  const usual = realmSettings.read(ctx).message_retention_days;
  for (const { id, message_retention_days: own } of visibleChannels(ctx)) {
    const until = endOf(ctx, own ?? usual);
    if (until !== null) await empty(ctx, { conversationId: channelConversation(ctx, id), until });
  }
}

async function inDirectConversations(ctx: Ctx): Promise<void> {
  const until = endOf(ctx, realmSettings.read(ctx).message_retention_days);
  if (until === null) return;
  let above = 0;
  for (;;) {
    const conversations = findDirect(ctx, { above, max: page });
    for (const { id, oldest } of conversations) {
      if (oldest !== null && oldest < until) await empty(ctx, { conversationId: id, until });
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
}

async function empty(ctx: Ctx, expiry: Expiry): Promise<void> {
  if (findOldest(ctx, { ...expiry, max: 1 }).length === 0) return;
  while (await deleteOldest(ctx, expiry));
}

/** Deletes a batch. Returns whether there may be more. */
const deleteOldest = action(allow.system, (tx, expiry: Expiry): boolean => {
  const rows = findOldest(tx, { ...expiry, max: batch });
  deleteTogether(tx, rows);
  return rows.length === batch;
});
