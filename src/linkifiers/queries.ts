import type { Ctx } from "@/kernel/context.ts";
import type { StateRequest } from "@/kernel/domain.ts";
import { query } from "@/kernel/operation.ts";
import { allow } from "@/permissions/access.ts";
import { type LinkifierRow, shownTo } from "./schema.ts";
import * as store from "./store.ts";

/** In the order in which they apply. */
export const listLinkifiers = query(allow.user, (ctx): readonly LinkifierRow[] =>
  store.listLinkifiers(ctx, 0),
);

export function linkifiersState(ctx: Ctx, { capabilities }: StateRequest): Record<string, unknown> {
  return { realm_linkifiers: shownTo(capabilities, store.listLinkifiers(ctx, 0)) };
}

/** The older form of linkifiers, which no longer holds any (API-REFERENCE 5). */
export function filtersState(): Record<string, unknown> {
  return { realm_filters: [] };
}
