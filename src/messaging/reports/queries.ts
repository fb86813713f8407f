import { allow } from "@/foundation/permissions/access.ts";
import { query } from "@/kernel/core/operation.ts";
import { maxReports, type Report } from "./schema.ts";
import * as store from "./store.ts";

/** Reports below an ID, newest first, at most 1,000; for moderators. */
export const listReports = query(
  allow.moderator,
  (ctx, wanted: { before?: number; limit: number }): Report[] => {
    const { before = Number.MAX_SAFE_INTEGER, limit } = wanted;
    return store.findReports(ctx, { before, limit: Math.min(limit, maxReports) });
  },
);
