import { isPrintable } from "@/foundation/realm/texts.ts";
import type { Tx } from "@/kernel/core/context.ts";
import * as store from "./store.ts";

/** Adds an imported named group, unless its name is taken, without events. */
export function addImportedGroup(
  tx: Tx,
  { name, description, members }: { name: string; description: string; members: readonly number[] },
): void {
  if (name === "" || !isPrintable(name) || name.startsWith("role:") || store.findGroupByName(tx, name))
    return;
  const id = store.insertGroup(tx, { name, description, creator_id: null });
  store.insertMembers(tx, id, [...new Set(members)]);
}
