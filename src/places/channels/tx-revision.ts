// A change of a channel as a whole: made step by step, and told once all of it is done.

import { recordAudit } from "@/foundation/audit/tx.ts";
import type { Tx } from "@/kernel/context.ts";
import { subscriberIds } from "@/places/subscriptions/access.ts";
import { peersAdded } from "@/places/subscriptions/schema.ts";
import { tellSightGained, tellSightLost } from "@/places/subscriptions/tx-peers.ts";
import { type ChannelRow, knownChannel, viewersOf } from "./access.ts";
import { type ChannelChange, channelUpdated } from "./schema.ts";
import { tellInChannel } from "./tx-notices.ts";

export interface Revision {
  /** As it was. */
  readonly channel: ChannelRow;
  /** What clients are to be told. */
  readonly changes: ChannelChange[];
  /** What its subscribers are to read. */
  readonly notices: string[];
}

/** Lets `change` revise a channel; then tells who sees it now, who still does, and who no longer does. */
export function revise(tx: Tx, channel: ChannelRow, change: (revision: Revision) => void): void {
  const before = new Set(viewersOf(tx, channel));
  const revision: Revision = { channel, changes: [], notices: [] };
  change(revision);

  const revised = knownChannel(tx, channel.id);
  const after = viewersOf(tx, revised);
  const gained = [...after].filter((id) => !before.has(id));
  tellGained(tx, revised, gained);
  tellChanges(tx, revision, { revised, audience: [...after].filter((id) => before.has(id)) });
  tellSightLost(tx, [{ channel: revised, userIds: [...before].filter((id) => !after.has(id)) }]);
  // An archived channel is for reading only.
  if (revised.is_archived) return;
  for (const notice of revision.notices) tellInChannel(tx, revised, notice);
}

/** Whoever comes to see a channel learns who is in it as well. */
function tellGained(tx: Tx, channel: ChannelRow, userIds: number[]): void {
  const subscribers = [...subscriberIds(tx, channel.id)];
  tellSightGained(tx, [{ channel, userIds }]);
  if (userIds.length === 0 || subscribers.length === 0) return;
  tx.emit(peersAdded, { to: userIds }, { stream_ids: [channel.id], user_ids: subscribers });
}

function tellChanges(
  tx: Tx,
  { channel, changes }: Revision,
  { revised, audience }: { revised: ChannelRow; audience: number[] },
): void {
  if (audience.length === 0) return;
  for (const change of changes) {
    // Wire: update-stream tells of a new name under the one that clients know.
    const { id, name } = change.property === "name" ? channel : revised;
    const is_archived = revised.is_archived === 1;
    tx.emit(channelUpdated, { to: audience }, { change: { stream_id: id, name, ...change }, is_archived });
  }
}

/** Writes down what an administrator of the channel has changed. */
export function recordChange(
  tx: Tx,
  { id }: Pick<ChannelRow, "id">,
  deed: string,
  data?: Record<string, unknown>,
): void {
  recordAudit(tx, { event: `channel_${deed}`, about: { kind: "channel", id }, data });
}
