// Membership in a group can let users see a private channel. Emits the channels they gain or lose sight of.

import type { MembersChange } from "@/foundation/groups/hooks.ts";
import { memberOf } from "@/foundation/permissions/access.ts";
import { ownersGranting } from "@/foundation/permissions/grants.ts";
import type { ReadsNow, Tx } from "@/kernel/context.ts";
import { knownChannel, maySee, seeingGroups } from "@/places/channels/access.ts";
import type { ChannelRow } from "@/places/channels/rows.ts";
import { emitSightChanged } from "./tx-peers.ts";

/** For each user, the channels they see among those that a group can open. */
type Sight = ReadonlyMap<number, readonly ChannelRow[]>;

function sightThrough(ctx: ReadsNow, { groupId, userIds }: MembersChange): Sight {
  const ids = ownersGranting(ctx, groupId, { scope: "channel", names: seeingGroups });
  const channels = [...ids].sort((a, b) => a - b).map((id) => knownChannel(ctx, id));
  if (channels.length === 0) return new Map();
  const seenBy = (id: number) => channels.filter((channel) => maySee(ctx, memberOf(ctx, id), channel));
  return new Map([...userIds].map((id) => [id, seenBy(id)]));
}

/**
 * For a change of members: call it before, and the returned function after, to emit the channels users gained or lost
 * sight of.
 */
export function followMembers(ctx: ReadsNow, { groupId, userIds }: MembersChange): (tx: Tx) => void {
  const before = sightThrough(ctx, { groupId, userIds });
  return (tx) => {
    const after = sightThrough(tx, { groupId, userIds: before.keys() });
    for (const [id, seen] of before) emitSightChanged(tx, id, { before: seen, after: after.get(id) ?? [] });
  };
}
