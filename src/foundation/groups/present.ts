import { presentGrants } from "@/foundation/permissions/access.ts";
import { directMembersOf, directSubgroupsOf, systemGroup } from "@/foundation/permissions/closure.ts";
import { type GroupSettingValue, groupGrants } from "@/foundation/permissions/schema.ts";
import type { Reads, ReadsNow } from "@/kernel/core/context.ts";
import type { GroupRow } from "./rows.ts";
import type { UserGroup } from "./schema.ts";

/** A user group as clients read it. */
export function presentUserGroup(ctx: ReadsNow, row: GroupRow): UserGroup {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    members: [...directMembersOf(ctx, row.id)],
    direct_subgroup_ids: [...directSubgroupsOf(ctx, row.id)],
    is_system_group: row.kind === "system",
    creator_id: row.creator_id,
    date_created: row.date_created,
    deactivated: row.deactivated === 1,
    ...(row.kind === "system" ? settingsOfSystemGroups(ctx) : presentGrants(ctx, "group", row.id)),
  };
}

/** Nobody can change a system group; everyone can mention it silently. */
function settingsOfSystemGroups(ctx: Reads): ReturnType<typeof presentGrants<"group">> {
  const nobody: GroupSettingValue = systemGroup(ctx, "role:nobody");
  const closed = Object.fromEntries(Object.keys(groupGrants).map((name) => [name, nobody]));
  return {
    ...(closed as ReturnType<typeof presentGrants<"group">>),
    can_mention_group: systemGroup(ctx, "role:everyone"),
  };
}
