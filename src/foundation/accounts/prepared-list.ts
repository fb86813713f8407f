// The list of people as JSON text, serialized once for all who see the same: most of what a client loads at its start.

import { listKnownTo } from "@/foundation/acquaintance/access.ts";
import { memberOf } from "@/foundation/permissions/access.ts";
import { profileOf } from "@/foundation/profile-fields/access.ts";
import { findUserById, usersAfter } from "@/foundation/users/access.ts";
import { hasOpenAddress, seesAddress } from "@/foundation/users/addresses.ts";
import { presentAs } from "@/foundation/users/present.ts";
import type { UserRow, UserView } from "@/foundation/users/schema.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { JsonText } from "@/kernel/lib/json-text.ts";
import type { Task } from "@/kernel/lib/tasks.ts";
import { cacheInSteps } from "@/kernel/store/cache.ts";

/** All tables that `presentAs` and profiles read. */
const tables = ["users", "settings", "profile_fields", "profile_values", "realm"];

/** A list of 20,000 people takes 7 MB. */
const maxKept = 4;

interface ListRequest extends UserView {
  people: "all" | "active" | "inactive";
}

/** People read in one step. */
const portion = 500;

const prepared = cacheInSteps(
  tables,
  function* (reads: Reads, key: string): Task<JsonText> {
    const { role, people, client_gravatar: clientGravatar, include_custom_profile_fields } = JSON.parse(key);
    const isWanted = ({ is_active }: UserRow) =>
      people === "all" || (is_active === 1) === (people === "active");
    const texts: string[] = [];
    for (let after = 0, hasMore = true; hasMore; ) {
      const rows = usersAfter(reads, after, portion);
      for (const row of rows.filter(isWanted)) {
        const user = presentAs(reads, row, { clientGravatar, isSeen: seesAddress(reads, role, row) });
        const profile = include_custom_profile_fields ? { profile_data: profileOf(reads, row.id) } : null;
        texts.push(JSON.stringify({ ...user, ...profile }));
      }
      after = rows.at(-1)?.id ?? after;
      hasMore = rows.length === portion;
      if (hasMore) yield portion;
    }
    return new JsonText(`[${texts.join()}]`);
  },
  maxKept,
);

/**
 * The list that the actor sees; null if no other user sees the same, because the actor knows only some people or hides their
 * address.
 */
export function* prepareList(ctx: Ctx, { people, ...view }: ListRequest): Task<JsonText | null> {
  const { kind, id } = ctx.actor;
  if (kind !== "user" || listKnownTo(ctx, id)) return null;
  const own = findUserById(ctx, id);
  if (!own || !hasOpenAddress(own)) return null;
  const { client_gravatar, include_custom_profile_fields } = view;
  const { role } = memberOf(ctx, id);
  return yield* prepared(
    ctx,
    JSON.stringify({ role, people, client_gravatar, include_custom_profile_fields }),
  );
}
