import { usersUpTo } from "@/foundation/permissions/access.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { activePeople } from "@/foundation/users/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { presentExport } from "./present.ts";
import { exportsChanged } from "./schema.ts";
import * as store from "./store.ts";

/** Emits the list of exports to administrators. */
export function emitExports(tx: Tx): void {
  const admins = usersUpTo(tx, roles.admin);
  const people = activePeople(tx).filter(({ id }) => admins.has(id));
  const exports = store.listExports(tx).map(presentExport);
  tx.emit(exportsChanged, { to: people.map(({ id }) => id) }, { exports, site: tx.env.site });
}
