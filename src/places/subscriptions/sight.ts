// Membership in a group can let users see and read a private channel. Emits what they gain or lose.

import type { MembersChange } from "@/foundation/groups/hooks.ts";
import { memberOf } from "@/foundation/permissions/access.ts";
import { ownersGranting } from "@/foundation/permissions/grants.ts";
import type { ReadsNow, Tx } from "@/kernel/context.ts";
import { accessOf, knownChannel, seeingGroups } from "@/places/channels/access.ts";
import type { Access } from "@/places/channels/rows.ts";
import { emitAccessChanged } from "./tx-peers.ts";

/** For each user, their access to the channels that a group can open. */
function accessThrough(ctx: ReadsNow, { groupId, userIds }: MembersChange): ReadonlyMap<number, Access> {
  const ids = ownersGranting(ctx, groupId, { scope: "channel", names: seeingGroups });
  const channels = [...ids].sort((a, b) => a - b).map((id) => knownChannel(ctx, id));
  if (channels.length === 0) return new Map();
  return new Map([...userIds].map((id) => [id, accessOf(ctx, memberOf(ctx, id), channels)]));
}

/** For a change of members: call it before, and the returned function after, to emit what users gained or lost access to. */
export function followMembers(ctx: ReadsNow, { groupId, userIds }: MembersChange): (tx: Tx) => void {
  const access = accessThrough(ctx, { groupId, userIds });
  return (tx) => {
    const now = accessThrough(tx, { groupId, userIds: access.keys() });
    const nothing: Access = { seen: [], read: [] };
    emitAccessChanged(
      tx,
      [...access].map(([userId, before]) => ({ userId, before, after: now.get(userId) ?? nothing })),
    );
  };
}
