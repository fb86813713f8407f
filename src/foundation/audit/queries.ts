import { allow } from "@/foundation/permissions/access.ts";
import { query } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { entryPresenter } from "./present.ts";
import { type AuditEntry, type AuditFilter, maxEntries } from "./schema.ts";
import * as store from "./store.ts";

/** Who did what to the organization and to other people's things, newest first; at most 1,000 entries at once. */
export const listAudit = query(allow.admin, (ctx, filter: AuditFilter): AuditEntry[] => {
  const { about } = filter;
  if (about?.id !== undefined && about.kind === undefined)
    fail("BAD_REQUEST", "An ID says what an entry is about only together with its kind.");
  const found = store.listEntries(ctx, { ...filter, limit: Math.min(filter.limit, maxEntries) });
  return found.map(entryPresenter(ctx));
});
