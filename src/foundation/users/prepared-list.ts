// The list of people as JSON text, serialized once for all who see the same: most of what a client loads at its start.

import { knownTo } from "@/foundation/acquaintance/access.ts";
import { memberOf } from "@/foundation/permissions/access.ts";
import { profileOf } from "@/foundation/profile-fields/access.ts";
import { cache } from "@/kernel/cache.ts";
import type { Ctx } from "@/kernel/context.ts";
import { JsonText } from "@/kernel/json-text.ts";
import { hasOpenAddress, seesAddress } from "./addresses.ts";
import { presentAs } from "./present.ts";
import type { UserView } from "./schema.ts";
import { findUser, listUsers } from "./store.ts";

/** All tables that `presentAs` and profiles read. */
const tables = ["users", "settings", "profile_fields", "profile_values", "realm"];
/** A list of 20,000 people takes 7 MB. */
const maxKept = 4;

interface Wanted extends UserView {
  people: "all" | "active" | "inactive";
}

const prepared = cache(
  tables,
  (reads, key: string): JsonText => {
    const { role, people, client_gravatar: clientGravatar, include_custom_profile_fields } = JSON.parse(key);
    const rows = listUsers(reads).filter(({ is_active }) => {
      return people === "all" || (is_active === 1) === (people === "active");
    });
    const shown = rows.map((row) => {
      const user = presentAs(reads, row, { clientGravatar, isSeen: seesAddress(reads, role, row) });
      return include_custom_profile_fields ? { ...user, profile_data: profileOf(reads, row.id) } : user;
    });
    return new JsonText(JSON.stringify(shown));
  },
  maxKept,
);

/**
 * The list that the actor sees; null if no other user sees the same, because the actor knows only some people or hides their
 * address.
 */
export function preparedList(ctx: Ctx, { people, ...view }: Wanted): JsonText | null {
  const { kind, id } = ctx.actor;
  if (kind !== "user" || knownTo(ctx, id)) return null;
  const own = findUser(ctx, id);
  if (!own || !hasOpenAddress(own)) return null;
  const { client_gravatar, include_custom_profile_fields } = view;
  const { role } = memberOf(ctx, id);
  return prepared(ctx, JSON.stringify({ role, people, client_gravatar, include_custom_profile_fields }));
}
