import { allow } from "@/foundation/permissions/access.ts";
import { query } from "@/kernel/operation.ts";
import type { AuditEntry, AuditFilter } from "./schema.ts";
import * as store from "./store.ts";

const maxEntries = 1000;

/** What was changed in the organization, newest first; at most 1,000 entries at once. */
export const listAudit = query(allow.admin, (ctx, filter: AuditFilter): AuditEntry[] => {
  return store.listEntries(ctx, { ...filter, limit: Math.min(filter.limit, maxEntries) });
});
