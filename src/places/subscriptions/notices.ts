// What the notification bot tells people whom somebody else has subscribed.

import { memberOf } from "@/foundation/permissions/access.ts";
import { sendNotice } from "@/foundation/realm/notices.ts";
import { limits } from "@/foundation/realm/schema.ts";
import type { Ctx, Tx } from "@/kernel/context.ts";
import { channelNamed } from "@/places/channels/access.ts";
import { actorMention, channelList } from "@/places/channels/notices.ts";
import { channelsByUser, type Moved } from "./peers.ts";

/** Writes to everyone whom the actor has subscribed; false where they are too many, and nobody is written to. */
export function tellSubscribed(tx: Tx, moves: readonly Moved[]): boolean {
  const byUser = channelsByUser(moves);
  if (byUser.size > limits.max_bulk_new_subscription_messages) return false;
  for (const [userId, channels] of byUser) {
    if (userId === tx.actor.id || memberOf(tx, userId).is_bot) continue;
    sendNotice(tx, { to: { people: [userId] }, content: sentence(tx, channels) });
  }
  return true;
}

/** So many people are written to in one transaction. */
const atOnce = 20;

/** As `tellSubscribed`, after the subscriptions: channel names by user ID; of `except` nothing is said. */
export async function tellInTurns(
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
    await ctx.db.write(ctx, (tx) => {
      const names = new Set(some.flatMap(([, names]) => names));
      const moves = [...names].flatMap((name) => {
        const channel = channelNamed(tx, name);
        const userIds = some.filter(([, names]) => names.includes(name)).map(([id]) => id);
        return channel ? [{ channel, userIds }] : [];
      });
      tellSubscribed(tx, moves);
    });
  }
  return true;
}

function sentence(tx: Tx, channels: readonly { name: string }[]): string {
  const [only] = channels;
  if (channels.length === 1) return `${actorMention(tx)} subscribed you to the channel #**${only?.name}**.`;
  return `${actorMention(tx)} subscribed you to these channels:\n\n${channelList(channels)}`;
}
