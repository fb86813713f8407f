import { grantsNaming } from "@/foundation/permissions/grants.ts";
import type { Scope } from "@/foundation/permissions/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { groupHooks } from "./hooks.ts";
import * as store from "./store.ts";

/** What depends on a group, as clients read it. */
export type Objection =
  | { type: "subgroup"; supergroup_ids: number[] }
  | { type: "realm"; settings: string[] }
  // Without the ID if the actor may not see the channel.
  | { type: "channel"; channel_id?: number; settings: string[] }
  | { type: "user_group"; group_id: number; settings: string[] };

const of: Record<Scope, (tx: Tx, ownerId: number, settings: string[]) => Objection> = {
  realm: (_, __, settings) => ({ type: "realm", settings }),
  channel: (tx, ownerId, settings) => {
    const known = groupHooks.isChannelVisible(tx, ownerId) ? { channel_id: ownerId } : {};
    return { type: "channel", ...known, settings };
  },
  group: (_, ownerId, settings) => ({ type: "user_group", group_id: ownerId, settings }),
};

/** Why a group cannot be deactivated: the groups that contain it, and other objects' settings that name it. */
export function objectionsTo(tx: Tx, groupId: number): Objection[] {
  const supergroup_ids = store.namedSupergroups(tx, groupId);
  const objections: Objection[] = supergroup_ids.length > 0 ? [{ type: "subgroup", supergroup_ids }] : [];
  const uses = grantsNaming(tx, groupId).filter(
    ({ scope, owner_id }) => scope !== "group" || owner_id !== groupId,
  );
  const byOwner = Map.groupBy(uses, ({ scope, owner_id }) => `${scope}:${owner_id}`);
  for (const rows of byOwner.values()) {
    const [first] = rows;
    if (first) objections.push(of[first.scope](tx, first.owner_id, rows.map(({ name }) => name).sort()));
  }
  return objections;
}
