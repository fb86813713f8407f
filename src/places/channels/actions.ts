import { allow } from "@/foundation/permissions/access.ts";
import { fail } from "@/kernel/errors.ts";
import { action } from "@/kernel/operation.ts";
import { activeUsers } from "@/places/subscriptions/access.ts";
import { join } from "@/places/subscriptions/moves.ts";
import { tellSubscribed } from "@/places/subscriptions/notices.ts";
import { channelFor, isNameTaken } from "./access.ts";
import { presentChannel } from "./present.ts";
import type { Channel } from "./schema.ts";
import { addChannel, checkMayOpenSuch, introduceChannels, type NewChannelInput } from "./tx.ts";
import { archive } from "./tx-archiving.ts";

/** Creates a channel. */
export const createChannel = action(allow.user, (tx, input: NewChannelInput): Channel => {
  const { subscribers = [], send_new_subscription_messages = false, ...traits } = input;
  checkMayOpenSuch(tx, traits);
  if (isNameTaken(tx, input.name)) fail("BAD_REQUEST", `Channel '${input.name}' already exists`);

  const userIds = activeUsers(tx, subscribers);
  const channel = addChannel(tx, traits, userIds);
  const moves = join(tx, [{ channel, userIds, isNew: true }]);
  introduceChannels(tx, [channel], traits);
  if (send_new_subscription_messages) tellSubscribed(tx, moves);
  return presentChannel(tx, channel);
});

export const archiveChannel = action(allow.user, (tx, channelId: number): void => {
  const channel = channelFor(tx, channelId, "administer");
  if (channel.is_archived) fail("BAD_REQUEST", `Channel '${channel.name}' is archived already.`);
  archive(tx, channel);
});
