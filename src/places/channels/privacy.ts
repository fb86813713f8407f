import type { Ctx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { type ChannelRow, isAllowed } from "./access.ts";

/** Refuses actors who may not read the channel: otherwise they could give themselves or others access by changing it. */
export function checkMayOpen(ctx: Ctx, channel: ChannelRow): void {
  if (isAllowed(ctx, channel, "read")) return;
  fail(
    "BAD_REQUEST",
    `You must be able to read channel '${channel.name}' yourself to change who else can read it.`,
  );
}
