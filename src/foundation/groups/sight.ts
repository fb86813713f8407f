// Being in a group can let people see a private channel: who comes to see one, or no longer does, is told.

import { memberOf } from "@/foundation/permissions/access.ts";
import { ownersGranting } from "@/foundation/permissions/grants.ts";
import type { Ctx, Tx } from "@/kernel/context.ts";
import { type ChannelRow, knownChannel, maySee, seeingGroups } from "@/places/channels/access.ts";
import { tellSightChanged } from "@/places/subscriptions/peers.ts";

/** By user, the channels they see among those that a group can open. */
export type Sight = ReadonlyMap<number, readonly ChannelRow[]>;

/** What people see of the channels that a group can open: to be taken before a change of who is in it. */
export function sightThrough(
  ctx: Pick<Ctx, "db" | "now">,
  groupId: number,
  userIds: Iterable<number>,
): Sight {
  const ids = ownersGranting(ctx, groupId, { scope: "channel", names: seeingGroups });
  const channels = [...ids].sort((a, b) => a - b).map((id) => knownChannel(ctx, id));
  if (channels.length === 0) return new Map();
  const seenBy = (id: number) => channels.filter((channel) => maySee(ctx, memberOf(ctx, id), channel));
  return new Map([...userIds].map((id) => [id, seenBy(id)]));
}

/** Tells who sees more or less through a group than before. */
export function tellSightThrough(tx: Tx, groupId: number, before: Sight): void {
  const after = sightThrough(tx, groupId, before.keys());
  for (const [id, seen] of before) tellSightChanged(tx, id, { before: seen, after: after.get(id) ?? [] });
}
