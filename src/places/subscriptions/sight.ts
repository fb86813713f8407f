// Being in a group can let people see a private channel: who comes to see one, or no longer does, is told.

import type { MembersChange } from "@/foundation/groups/hooks.ts";
import { memberOf } from "@/foundation/permissions/access.ts";
import { ownersGranting } from "@/foundation/permissions/grants.ts";
import type { ReadsNow, Tx } from "@/kernel/context.ts";
import { type ChannelRow, knownChannel, maySee, seeingGroups } from "@/places/channels/access.ts";
import { tellSightChanged } from "./tx-peers.ts";

/** By user, the channels they see among those that a group can open. */
type Sight = ReadonlyMap<number, readonly ChannelRow[]>;

function sightThrough(ctx: ReadsNow, { groupId, userIds }: MembersChange): Sight {
  const ids = ownersGranting(ctx, groupId, { scope: "channel", names: seeingGroups });
  const channels = [...ids].sort((a, b) => a - b).map((id) => knownChannel(ctx, id));
  if (channels.length === 0) return new Map();
  const seenBy = (id: number) => channels.filter((channel) => maySee(ctx, memberOf(ctx, id), channel));
  return new Map([...userIds].map((id) => [id, seenBy(id)]));
}

/** Tells people which channels they come to see through a group, or no longer see, once its members have changed. */
export function followMembers(ctx: ReadsNow, { groupId, userIds }: MembersChange): (tx: Tx) => void {
  const before = sightThrough(ctx, { groupId, userIds });
  return (tx) => {
    const after = sightThrough(tx, { groupId, userIds: before.keys() });
    for (const [id, seen] of before) tellSightChanged(tx, id, { before: seen, after: after.get(id) ?? [] });
  };
}
