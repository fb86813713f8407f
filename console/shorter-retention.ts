// Shortening for how long messages are kept deletes history: forms say how much, and want a choice.
import { z } from "zod";
import type { Ctx, Db } from "@/kernel/core/context.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { warningBefore } from "@/messaging/bulk-deletion/queries.ts";
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
  /** Null for the organization. */
  channel_id: number | null;
  /** The days to set; null for those of the organization; absent if they stay. */
  days: number | null | undefined;
  deletion: Way | undefined;
}

/** The changes whose warnings each person at a console has seen. */
const warned = new WeakMap<Db, Set<string>>();

/** Changes a retention by `change`, unless it would delete messages and nobody has chosen when. */
export async function changingRetention(
  ctx: Ctx,
  { channel_id, days, deletion = "ask" }: Shortened,
  change: () => Promise<unknown>,
): Promise<void> {
  if (days === undefined) {
    if (deletion !== "ask")
      fail("BAD_REQUEST", "'Deletion' belongs to a change of how long messages are kept.");
    await change();
    return;
  }
  const seen = warned.get(ctx.db) ?? new Set();
  warned.set(ctx.db, seen);
  const now = deletion === "now";
  const key = `${ctx.actor.id} ${channel_id}: ${days}`;
  if (deletion === "ask" || (now && !seen.has(key))) {
    const warning = await warningBefore(ctx, { channel_id, days, now });
    if (warning !== null) {
      seen.add(key);
      fail(
        "BAD_REQUEST",
        `${warning} To go on, ${now ? "save again" : "set 'Deletion' to 'in a day' or 'now'"}.`,
      );
    }
  }
  await change();
  seen.delete(key);
  if (now) await sweepNow(ctx, channel_id);
}
