import { query } from "@/kernel/operation.ts";
import { allow, presentGrants } from "./access.ts";
import { groupGrants } from "./schema.ts";
import type { GroupRow } from "./store.ts";
import * as store from "./store.ts";

/** All groups, system groups included, as clients read them. */
export const listUserGroups = query(allow.user, (ctx) => {
  const nobody = store.systemGroupId(ctx, "role:nobody");
  const closed = Object.fromEntries(Object.keys(groupGrants).map((name) => [name, nobody]));
  const everyone = store.systemGroupId(ctx, "role:everyone");
  const grantsOf = (group: GroupRow) =>
    group.kind === "system"
      ? { ...closed, can_mention_group: everyone }
      : presentGrants(ctx, "group", group.id);
  return store.listGroups(ctx).map((group) => ({
    id: group.id,
    name: group.name,
    description: group.description,
    members: store.directMembers(ctx, group.id),
    direct_subgroup_ids: store.directSubgroups(ctx, group.id),
    is_system_group: group.kind === "system",
    creator_id: group.creator_id,
    date_created: group.date_created,
    deactivated: group.deactivated === 1,
    ...grantsOf(group),
  }));
});
