import { allow } from "@/foundation/permissions/access.ts";
import { query } from "@/kernel/core/operation.ts";
import { maxReports, type Report } from "./schema.ts";
import * as store from "./store.ts";

/** Reports, newest first, at most 1,000; for moderators. */
export const listReports = query(allow.moderator, (ctx, wanted: store.ReportsWanted): Report[] =>
  store.findReports(ctx, { ...wanted, limit: Math.min(wanted.limit, maxReports) }),
);
