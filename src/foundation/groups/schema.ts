import { z } from "zod";
import { grantFields, grantUpdateParams } from "@/foundation/permissions/schema.ts";
import { descriptionOf, nameOf } from "@/foundation/realm/texts.ts";
import { userId } from "@/foundation/users/schema.ts";
import { event, type Traits } from "@/kernel/core/events.ts";
import { errorKinds } from "@/kernel/lib/errors.ts";

export const groupErrors = errorKinds({
  CANNOT_DEACTIVATE_GROUP_IN_USE: { status: 400 },
});

export const groupId = z.int();

/** Limited because every client loads all groups; administrators have no limit. */
export const maxGroupsMade = 1000;

/** Prefixes that would make a name ambiguous in a mention. */
const reservedStarts = ["@", "role:", "user:", "stream:", "channel:"];

export const groupName = nameOf("A user group", 100).refine(
  (name) => !reservedStarts.some((start) => name.toLowerCase().startsWith(start)),
  `A user group's name must not start with ${reservedStarts.map((start) => `'${start}'`).join(", ")}.`,
);

export const groupDescription = descriptionOf("A user group", 1024);

const settings = grantFields("group");

export const newGroup = z.object({
  name: groupName,
  description: groupDescription,
  members: z.array(userId),
  subgroups: z.array(groupId).optional(),
  ...z.object(settings).partial().shape,
});
export type NewGroup = z.infer<typeof newGroup>;

export const groupPatch = z.object({
  group_id: groupId,
  name: groupName.optional(),
  description: groupDescription.optional(),
  /** False reactivates a deactivated group. */
  deactivated: z.boolean().optional(),
  ...grantUpdateParams("group"),
});
export type GroupPatch = z.infer<typeof groupPatch>;

/** Who joins and leaves a group: user IDs, and IDs of groups. */
export const groupMoves = z.object({
  group_id: groupId,
  add: z.array(userId).optional(),
  delete: z.array(userId).optional(),
  add_subgroups: z.array(groupId).optional(),
  delete_subgroups: z.array(groupId).optional(),
});
export type GroupMoves = z.infer<typeof groupMoves>;

/** A user group as clients read it. */
export const userGroup = z.object({
  id: groupId,
  name: z.string(),
  description: z.string(),
  members: z.array(userId),
  direct_subgroup_ids: z.array(groupId),
  is_system_group: z.boolean(),
  creator_id: userId.nullable(),
  date_created: z.int().nullable(),
  deactivated: z.boolean(),
  ...settings,
});

export type UserGroup = z.infer<typeof userGroup>;

/** The changed fields of a group. */
const groupChange = z
  .object({ name: z.string(), description: z.string(), deactivated: z.boolean(), ...settings })
  .partial();

export type GroupChange = z.infer<typeof groupChange>;

/** Clients without this capability do not get deactivated groups. */
function knowsDeactivated({ capabilities }: Pick<Traits, "capabilities">): boolean {
  return capabilities.has("include_deactivated_groups");
}

const byKnowledge = (queue: Traits) => String(knowsDeactivated(queue));

/** A payload that only clients with that capability get if the group is deactivated. */
interface Deactivatable {
  deactivated: boolean;
}

/** The forms of a change of an existing group. */
const unlessDeactivated = <Fields extends object>() => ({
  variant: byKnowledge,
  shape: ({ deactivated, ...fields }: Fields & Deactivatable, queue: Traits) =>
    deactivated && !knowsDeactivated(queue) ? null : fields,
});

export const groupAdded = event("user_group", {
  about: "A user group was created, or reactivated.",
  op: "add",
  schema: z.object({ group: userGroup }),
  variant: byKnowledge,
  // Only clients that got a removal need the reactivated group again.
  shape: ({ group, isBack }: { group: UserGroup; isBack?: boolean }, queue) =>
    isBack && knowsDeactivated(queue) ? null : { group },
});

export const groupRemoved = event("user_group", {
  about: "A user group was deactivated. For clients that do not know of deactivated groups.",
  op: "remove",
  schema: z.object({ group_id: groupId }),
  variant: byKnowledge,
  shape: (payload: { group_id: number }, queue) => (knowsDeactivated(queue) ? null : payload),
});

export const groupUpdated = event("user_group", {
  about: "A user group was changed; carries what is different.",
  op: "update",
  schema: z.object({ group_id: groupId, data: groupChange }),
  ...unlessDeactivated<{ group_id: number; data: GroupChange }>(),
});

const withMembers = z.object({ group_id: groupId, user_ids: z.array(userId) });

const withSubgroups = z.object({ group_id: groupId, direct_subgroup_ids: z.array(groupId) });

interface MembersMoved {
  group_id: number;
  user_ids: readonly number[];
}

interface SubgroupsMoved {
  group_id: number;
  direct_subgroup_ids: readonly number[];
}

export const groupMembersAdded = event("user_group", {
  about: "Users were added to a group.",
  op: "add_members",
  schema: withMembers,
  ...unlessDeactivated<MembersMoved>(),
});

export const groupMembersRemoved = event("user_group", {
  about: "Users were removed from a group.",
  op: "remove_members",
  schema: withMembers,
  ...unlessDeactivated<MembersMoved>(),
});

export const subgroupsAdded = event("user_group", {
  about: "Subgroups were added to a group.",
  op: "add_subgroups",
  schema: withSubgroups,
  ...unlessDeactivated<SubgroupsMoved>(),
});

export const subgroupsRemoved = event("user_group", {
  about: "Subgroups were removed from a group.",
  op: "remove_subgroups",
  schema: withSubgroups,
  ...unlessDeactivated<SubgroupsMoved>(),
});

export interface GroupRow {
  id: number;
  kind: "system" | "named";
  name: string;
  description: string;
  creator_id: number | null;
  date_created: number | null;
  deactivated: 0 | 1;
}
