import { allow } from "@/foundation/permissions/access.ts";
import { query } from "@/kernel/operation.ts";
import type { Report } from "./schema.ts";
import * as store from "./store.ts";

const most = 1000;

/** Reports below an ID, the newest first; at most 1,000 at once. */
export const listReports = query(allow.admin, (ctx, wanted: { before?: number; limit: number }): Report[] => {
  const { before = Number.MAX_SAFE_INTEGER, limit } = wanted;
  return store.findReports(ctx, { before, limit: Math.min(limit, most) });
});
