// Sends notices to users that somebody else has subscribed.

import { allow } from "@/foundation/permissions/access.ts";
import { limits } from "@/foundation/realm/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { channelNamed } from "@/places/channels/access.ts";
import { sendSubscribedNotices } from "./tx-notices.ts";

/** Notices per transaction. */
const atOnce = 20;

/** As `sendSubscribedNotices`, in several transactions. `subscribed` has channel names by user ID; skips those in `except`. */
export async function sendSubscribedNoticesInTurns(
  ctx: Ctx,
  subscribed: Readonly<Record<string, readonly string[]>>,
  except: ReadonlySet<string> = new Set(),
): Promise<boolean> {
  const told = Object.entries(subscribed)
    .map(([id, names]) => [Number(id), names.filter((name) => !except.has(name))] as const)
    .filter(([, names]) => names.length > 0);
  if (told.length > limits.max_bulk_new_subscription_messages) return false;
  for (let from = 0; from < told.length; from += atOnce) {
    const some = told.slice(from, from + atOnce);
    await sendSome(ctx, some);
  }
  return true;
}

const sendSome = action(allow.user, (tx, some: readonly (readonly [number, readonly string[]])[]): void => {
  const names = new Set(some.flatMap(([, names]) => names));
  const moves = [...names].flatMap((name) => {
    const channel = channelNamed(tx, name);
    const userIds = some.filter(([, names]) => names.includes(name)).map(([id]) => id);
    return channel ? [{ channel, userIds }] : [];
  });
  sendSubscribedNotices(tx, moves);
});
