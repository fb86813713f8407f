// Shortening for how long messages are kept deletes history, so it says how much and asks.
import { z } from "zod";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { isShorter, warningOf } from "@/foundation/retention/schema.ts";
import type { Ctx } from "@/kernel/context.ts";
import { sweepNow } from "@/messaging/bulk-deletion/actions-retention.ts";
import { countExpiring } from "@/messaging/bulk-deletion/queries.ts";
import { flag } from "./args.ts";
import { confirm, yes } from "./confirm.ts";
import { misused } from "./misuse.ts";

export const retentionFlags = {
  now: flag(z.boolean().default(false), "for a shorter retention: delete within an hour, not in a day"),
  yes,
};

interface Place {
  /** Null for the organization. */
  channel: { id: number; name: string; message_retention_days: number | null } | null;
  /** The days to set; null for those of the organization. */
  days: number | null | undefined;
  now: boolean;
  yes: boolean;
}

/** Changes a retention by `change`, after a question if that deletes messages. */
export async function changingRetention(
  ctx: Ctx,
  place: Place,
  change: () => Promise<unknown>,
): Promise<void> {
  const { channel, days, now } = place;
  if (days === undefined) {
    if (now) misused("--now belongs to a change of how long messages are kept");
    await change();
    return;
  }
  const usual = realmSettings.read(ctx).message_retention_days;
  const before = channel?.message_retention_days ?? usual;
  const after = days ?? usual;
  if (isShorter(after, before) || now) {
    const found = await countExpiring(ctx, { channel_id: channel?.id ?? null, days: after });
    const shown = { place: channel?.name ?? "the organization", days: after, now };
    if (found.messages > 0) await confirm(`${warningOf(found, shown)} Go on?`, place.yes);
  }
  await change();
  if (now) await sweepNow(ctx, channel?.id ?? null);
}
