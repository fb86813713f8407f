// Converts mute spans into read marks, so that finding unread messages need not skip the muted ones each time.

import { allow } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { lastMessageId } from "@/messaging/messages/access.ts";
import { readAsMuted } from "@/messaging/receipts/tx-marks.ts";
import type { MuteSpan } from "./store.ts";
import * as store from "./store.ts";

const spansAtOnce = 1000;
const messagesAtOnce = 1000;

/** A job. Handles one batch of messages per transaction, so that other requests run in between. */
export async function markMutedRead(ctx: Ctx): Promise<void> {
  for (const span of store.findUnmarked(ctx, spansAtOnce)) await markSpan(ctx, span);
}

const markSpan = action(allow.system, (tx, found: MuteSpan): void => {
  const span = store.findSpan(tx, found);
  if (!span) return;
  const upto = span.to_id ?? lastMessageId(tx);
  const range = { senderId: span.muted_user_id, from: span.from_id, upto, max: messagesAtOnce };
  store.advanceSpan(tx, span, readAsMuted(tx, span.user_id, range) + 1);
});
