import { stopPostingIn } from "@/foundation/realm/tx.ts";
import type { Tx } from "@/kernel/context.ts";
import { withdrawChannel } from "@/places/default-channels/tx.ts";
import { tellReturned } from "@/places/subscriptions/tx-moves.ts";
import { type ChannelRow, knownChannel, viewersOf } from "./access.ts";
import { actorMention } from "./notices.ts";
import { presentEmpty } from "./present.ts";
import { channelCreated, channelDeleted, channelUpdated } from "./schema.ts";
import * as store from "./store.ts";
import { tellInChannel } from "./tx-notices.ts";
import { recordChange } from "./tx-revision.ts";

/** Tells clients that know of archived channels of the change, and the others that the channel is gone. */
export function archive(tx: Tx, channel: ChannelRow): void {
  // While it is still there for everybody.
  tellInChannel(tx, channel, `${actorMention(tx)} archived this channel.`);
  store.setArchived(tx, channel.id, true);
  recordChange(tx, channel, "archived");
  tellArchived(tx, channel, true);
  const audience = { to: viewersOf(tx, channel) };
  tx.emit(channelDeleted, audience, { stream_ids: [channel.id], archived: [], only: "older" });
  withdrawChannel(tx, channel.id);
  stopPostingIn(tx, channel.id);
}

function tellArchived(tx: Tx, channel: ChannelRow, value: boolean): void {
  const change = { stream_id: channel.id, name: channel.name, property: "is_archived", value };
  tx.emit(channelUpdated, { to: viewersOf(tx, channel) }, { change, is_archived: true });
}

/** Takes an archived channel back into use; to older clients it is a new one, with the subscribers it had. */
export function unarchive(tx: Tx, channel: ChannelRow): void {
  store.setArchived(tx, channel.id, false);
  recordChange(tx, channel, "unarchived");
  tellArchived(tx, channel, false);
  const active = knownChannel(tx, channel.id);
  const audience = { to: viewersOf(tx, active) };
  tx.emit(channelCreated, audience, { streams: [presentEmpty(tx, active)], only: "older" });
  tellReturned(tx, active);
  tellInChannel(tx, active, `${actorMention(tx)} took this channel out of the archive.`);
}
