import type { Ctx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { type ChannelRow, isAllowed } from "./access.ts";

/** Who may not read a private channel must not come to, or let others, by changing it. */
export function checkMayOpen(ctx: Ctx, channel: ChannelRow): void {
  if (isAllowed(ctx, channel, "read")) return;
  fail(
    "BAD_REQUEST",
    `You must be able to read channel '${channel.name}' yourself to change who else can read it.`,
  );
}
