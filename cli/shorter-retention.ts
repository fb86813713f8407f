// Shortening for how long messages are kept deletes history, so it says how much and asks.

import { z } from "zod";
import type { Ctx } from "@/kernel/core/context.ts";
import { sweepNow } from "@/messaging/bulk-deletion/actions.ts";
import { warningBefore } from "@/messaging/bulk-deletion/queries.ts";
import { flag } from "./args.ts";
import { confirmSentence, yes } from "./confirm.ts";
import { failUsage } from "./misuse.ts";

export const retentionFlags = {
  now: flag(z.boolean().default(false), "for a shorter retention: delete within an hour, not in a day"),
  yes,
};

interface RetentionPlace {
  /** Null for the organization. */
  channel_id: number | null;
  /** The days to set; null for those of the organization; absent if they stay. */
  days: number | null | undefined;
  now: boolean;
  yes: boolean;
}

/** Changes a retention by `change`, after a question if that deletes messages. */
export async function changingRetention(
  ctx: Ctx,
  { channel_id, days, now, yes: isAgreed }: RetentionPlace,
  change: () => Promise<unknown>,
): Promise<void> {
  if (days === undefined) {
    if (now) failUsage("--now belongs to a change of how long messages are kept");
    await change();
    return;
  }
  const warning = await warningBefore(ctx, { channel_id, days, now });
  if (warning !== null) await confirmSentence(warning, isAgreed);
  await change();
  if (now) await sweepNow(ctx, channel_id);
}
