// Shortening for how long messages are kept deletes history: forms say how much, and want a choice.
import { z } from "zod";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { isShorter, warningOf } from "@/foundation/retention/schema.ts";
import type { Ctx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { countExpiring } from "@/messaging/bulk-deletion/queries.ts";
import { sweepNow } from "./changes/places.ts";

const ways = z.enum(["ask", "in a day", "now"]);
type Way = z.infer<typeof ways>;

export const deletionField = {
  label: "Deletion",
  about:
    "When messages go that are too old: in a day, so that it can be taken back, or now, within an hour. 'ask' says first how many.",
  rule: ways,
  start: "ask",
};

interface Shortened {
  channel: { id: number; name: string; days: number | null } | null;
  /** The days to set; null for those of the organization; absent if they stay. */
  days: number | null | undefined;
  deletion: Way | undefined;
}

/** Changes a retention by `change`, unless it would delete messages and nobody has chosen when. */
export async function changingRetention(
  ctx: Ctx,
  given: Shortened,
  change: () => Promise<unknown>,
): Promise<void> {
  const { channel, days, deletion = "ask" } = given;
  const usual = realmSettings.read(ctx).message_retention_days;
  const before = channel?.days ?? usual;
  const after = days === undefined ? before : (days ?? usual);
  if (deletion === "ask" && isShorter(after, before)) {
    const found = await countExpiring(ctx, { channel_id: channel?.id ?? null, days: after });
    const shown = { place: channel?.name ?? "the organization", days: after, now: false };
    if (found.messages > 0)
      fail("BAD_REQUEST", `${warningOf(found, shown)} To go on, set 'Deletion' to 'in a day' or 'now'.`);
  }
  await change();
  if (deletion === "now") await sweepNow(ctx, channel?.id ?? null);
}
