import { allow } from "@/foundation/permissions/access.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { channelFor, checkMayOpenSuch, existingChannel, isNameTaken } from "@/places/channels/access.ts";
import { presentChannel } from "@/places/channels/present.ts";
import type { Channel, ChannelRow, NewChannel } from "@/places/channels/schema.ts";
import { activeUsers } from "@/places/subscriptions/access.ts";
import { joinChecked } from "@/places/subscriptions/actions-at-once.ts";
import { sendSubscribedNotices } from "@/places/subscriptions/actions-notices.ts";
import { peopleAtOnce } from "@/places/subscriptions/schema.ts";
import { sentence } from "@/text/language/tables.ts";
import { archive } from "./actions-changes.ts";
import { joinOpening } from "./actions-opening.ts";

/** Creates a channel in one transaction. */
export const createChannelAtOnce = action(allow.user, (tx, input: NewChannel): Channel => {
  const { subscribers, send_new_subscription_messages = false, name, description, ...traits } = input;
  checkMayOpenSuch(tx, traits);
  if (isNameTaken(tx, name))
    fail("BAD_REQUEST", sentence("Channel ''{channel}'' already exists", { channel: name }));

  const userIds = activeUsers(tx, subscribers);
  const { opened, moves } = joinOpening(tx, traits, (open) => [
    { channel: open({ name, description }, userIds), userIds },
  ]);
  if (send_new_subscription_messages) sendSubscribedNotices(tx, moves);
  return presentChannel(tx, opened[0] as ChannelRow);
});

/** Creates a channel. Many subscribers join in several transactions, so that no other request waits for all of them. */
export const createChannel = operation(allow.user, async (ctx, input: NewChannel): Promise<Channel> => {
  const userIds = new Set(input.subscribers);
  if (userIds.size <= peopleAtOnce) return createChannelAtOnce(ctx, input);
  const own = userIds.delete(ctx.actor.id) ? [ctx.actor.id] : [];
  const all = [...own, ...activeUsers(ctx, [...userIds])];
  const { stream_id } = await createChannelAtOnce(ctx, {
    ...input,
    subscribers: all.slice(0, peopleAtOnce),
    // Too many to send each a notice.
    send_new_subscription_messages: false,
  });
  for (let from = peopleAtOnce; from < all.length; from += peopleAtOnce) {
    await joinChecked(ctx, { wanted: [{ id: stream_id }], userIds: all.slice(from, from + peopleAtOnce) });
  }
  return presentChannel(ctx, existingChannel(ctx, stream_id));
});

export const archiveChannel = action(allow.user, (tx, channelId: number): void => {
  const channel = channelFor(tx, channelId, "administer");
  if (channel.is_archived)
    fail("BAD_REQUEST", sentence("Channel ''{channel}'' is archived already.", { channel: channel.name }));
  archive(tx, channel);
});
