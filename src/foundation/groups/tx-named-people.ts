// Permission settings that name people directly show only the active ones.

import { presentGrants } from "@/foundation/permissions/access.ts";
import { grantsNamingUser } from "@/foundation/permissions/grants.ts";
import type { GroupSettingValue, Scope } from "@/foundation/permissions/schema.ts";
import { realmChanged } from "@/foundation/realm/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { everyone } from "@/kernel/core/events.ts";
import { groupFor } from "./access.ts";
import { groupHooks } from "./hooks.ts";
import { groupUpdated } from "./schema.ts";

type Values = Record<string, GroupSettingValue>;

const emitters: Record<Scope, (tx: Tx, ownerId: number, values: Values) => void> = {
  realm: (tx, _, data) => tx.emit(realmChanged, everyone, { property: "default", data }),
  channel: (tx, channelId, values) => groupHooks.channelGrantsChanged(tx, { channelId, values }),
  group: (tx, group_id, data) => {
    const deactivated = groupFor(tx, group_id).deactivated === 1;
    tx.emit(groupUpdated, everyone, { group_id, data, deactivated });
  },
};

/** Emits every permission setting that names a user, after the user was deactivated or reactivated. */
export function emitSettingsNaming(tx: Tx, userId: number): void {
  const byOwner = Map.groupBy(grantsNamingUser(tx, userId), ({ scope, owner_id }) => `${scope}:${owner_id}`);
  for (const rows of byOwner.values()) {
    const [first] = rows;
    if (!first) continue;
    const all: Values = presentGrants(tx, first.scope, first.owner_id);
    const named = rows.flatMap(({ name }) => (all[name] === undefined ? [] : [[name, all[name]] as const]));
    emitters[first.scope](tx, first.owner_id, Object.fromEntries(named));
  }
}
