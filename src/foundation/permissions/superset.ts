import type { Reads } from "@/kernel/context.ts";
import { grantedGroup } from "./access.ts";
import { type GrantName, nestedGroups, type Scope, type SystemGroupName } from "./schema.ts";
import * as store from "./store.ts";

/**
 * The narrowest system group that contains everyone with a permission, even if roles change: `role:everyone` if the
 * setting names people or named groups.
 */
export function grantedSuperset<S extends Scope>(
  reads: Reads,
  scope: S,
  ownerId: number,
  permission: GrantName<S>,
): SystemGroupName {
  const granted = grantedGroup(reads, scope, ownerId, permission);
  const isAnonymous = store.findGroup(reads, granted)?.kind === "anonymous";
  if (isAnonymous && store.namesPeople(reads, granted)) return "role:everyone";
  const groups = isAnonymous ? store.directSubgroups(reads, granted) : [granted];
  const rows = groups.map((id) => store.findGroup(reads, id));
  if (rows.some((row) => row?.kind !== "system")) return "role:everyone";
  return nestedGroups.find(({ name }) => rows.some((row) => row?.name === name))?.name ?? "role:nobody";
}
