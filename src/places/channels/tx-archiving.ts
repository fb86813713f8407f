import { stopPostingIn } from "@/foundation/realm-administration/actions-changes.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { to } from "@/kernel/core/events.ts";
import { withdrawChannel } from "@/places/default-channels/tx.ts";
import { subscriberIds } from "@/places/subscriptions/access.ts";
import { emitReturned } from "@/places/subscriptions/tx-moves.ts";
import { usersWithPolicies } from "@/places/user-topics/access.ts";
import { knownChannel, viewersOf } from "./access.ts";
import { presentEmpty } from "./present.ts";
import type { ChannelRow } from "./rows.ts";
import { channelCreated, channelDeleted, channelReturned, channelUpdated } from "./schema.ts";
import * as store from "./store.ts";
import { actorMention, sendChannelNotice } from "./tx-notices.ts";
import { recordChange } from "./tx-revision.ts";

/** Archives a channel. Clients that know archived channels get an update, older ones a deletion. */
export function archive(tx: Tx, channel: ChannelRow): void {
  // Before archiving, while every client still has the channel.
  sendChannelNotice(tx, channel, `${actorMention(tx)} archived this channel.`);
  store.setArchived(tx, channel.id, true);
  recordChange(tx, channel, "archived");
  emitArchived(tx, channel, true);
  const audience = { to: viewersOf(tx, channel) };
  tx.emit(channelDeleted, audience, { stream_ids: [channel.id], archived: [], only: "older" });
  withdrawChannel(tx, channel.id);
  stopPostingIn(tx, channel.id);
}

function emitArchived(tx: Tx, channel: ChannelRow, value: boolean): void {
  const change = { stream_id: channel.id, name: channel.name, property: "is_archived", value };
  tx.emit(channelUpdated, { to: viewersOf(tx, channel) }, { change, is_archived: true });
}

/**
 * Restores an archived channel. For older clients it is a new channel with the same subscribers; those that also keep what is
 * unread or policies for topics have to register again.
 */
export function unarchive(tx: Tx, channel: ChannelRow): void {
  store.setArchived(tx, channel.id, false);
  recordChange(tx, channel, "unarchived");
  emitArchived(tx, channel, false);
  const active = knownChannel(tx, channel.id);
  const audience = { to: viewersOf(tx, active) };
  tx.emit(channelCreated, audience, { streams: [presentEmpty(tx, active)], only: "older" });
  emitReturned(tx, active);
  const user_ids = tx.listeners([...subscriberIds(tx, channel.id).union(usersWithPolicies(tx, channel.id))]);
  if (user_ids.length > 0) tx.emit(channelReturned, to(), { user_ids: [...user_ids] });
  sendChannelNotice(tx, active, `${actorMention(tx)} took this channel out of the archive.`);
}
