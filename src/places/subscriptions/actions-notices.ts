// Sends notices to users that somebody else has subscribed.

import { allow, memberOf } from "@/foundation/permissions/access.ts";
import { sendNotice } from "@/foundation/realm/hooks.ts";
import { limits } from "@/foundation/realm/schema.ts";
import { translatorTo } from "@/foundation/user-settings/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { channelNamed } from "@/places/channels/access.ts";
import { actorMention, channelList, channelReference } from "@/places/channels/queries.ts";
import { channelsByUser, type MovedSubscribers } from "./peers.ts";

/** Notices per transaction. */
const atOnce = 20;

interface SubscribedPeople {
  /** Channel names by user ID. */
  subscribed: Readonly<Record<string, readonly string[]>>;
  /** Names of channels to skip. */
  except?: ReadonlySet<string>;
}

/** As `sendSubscribedNotices`, in several transactions. */
export const sendSubscribedNoticesInSteps = operation(
  allow.user,
  async (ctx, { subscribed, except }: SubscribedPeople): Promise<boolean> => {
    const recipients = Object.entries(subscribed)
      .map(([id, names]) => [Number(id), names.filter((name) => !except?.has(name))] as const)
      .filter(([, names]) => names.length > 0);
    if (recipients.length > limits.max_bulk_new_subscription_messages) return false;
    for (let from = 0; from < recipients.length; from += atOnce)
      await sendSome(ctx, recipients.slice(from, from + atOnce));
    return true;
  },
);

const sendSome = action(allow.user, (tx, some: readonly (readonly [number, readonly string[]])[]): void => {
  const names = new Set(some.flatMap(([, names]) => names));
  const moves = [...names].flatMap((name) => {
    const channel = channelNamed(tx, name);
    const userIds = some.filter(([, names]) => names.includes(name)).map(([id]) => id);
    return channel ? [{ channel, userIds }] : [];
  });
  sendSubscribedNotices(tx, moves);
});

/** Sends a notice to each user that the actor has subscribed. If there are too many, sends none and returns false. */
export function sendSubscribedNotices(tx: Tx, moves: readonly MovedSubscribers[]): boolean {
  const byUser = channelsByUser(moves);
  if (byUser.size > limits.max_bulk_new_subscription_messages) return false;
  for (const [userId, channels] of byUser) {
    if (userId === tx.actor.id || memberOf(tx, userId).is_bot) continue;
    sendNotice(tx, { to: { people: [userId] }, content: sentence(tx, userId, channels) });
  }
  return true;
}

function sentence(tx: Tx, userId: number, channels: readonly { name: string }[]): string {
  const translator = translatorTo(tx, userId);
  const { t } = translator;
  const person = actorMention(tx, translator);
  const [only] = channels;
  if (only && channels.length === 1) {
    return t("{person} subscribed you to the channel {channel}.", {
      person,
      channel: channelReference(only),
    });
  }
  return `${t("{person} subscribed you to these channels:", { person })}\n\n${channelList(channels)}`;
}
