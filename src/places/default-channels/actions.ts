import { allow } from "@/foundation/permissions/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { channelFor } from "@/places/channels/access.ts";
import type { ChannelRow } from "@/places/channels/rows.ts";
import { isDefaultChannel } from "./access.ts";
import * as store from "./store.ts";
import { addDefaultChannels, emitDefaults, record } from "./tx.ts";

/** Makes a channel a default one or an ordinary one. Does nothing if it already is. */
export const setDefaultChannel = action(
  allow.admin,
  (tx, input: { channel_id: number; is_default: boolean }): void => {
    const channel = channelFor(tx, input.channel_id, "see");
    if (input.is_default === isDefaultChannel(tx, channel.id)) return;
    if (input.is_default) addDefaultChannels(tx, [channel]);
    else removeDefaultChannel(tx, channel);
  },
);

function removeDefaultChannel(tx: Tx, channel: ChannelRow): void {
  store.deleteDefault(tx, channel.id);
  record(tx, channel, "made_not_default");
  emitDefaults(tx);
}
