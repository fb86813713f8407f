import { userFor } from "@/foundation/users/access.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import type { ExportRow } from "./store.ts";
import * as store from "./store.ts";

/** An export that has a file. Only for administrators, which the caller checks. */
export function exportFor(ctx: Ctx, id: number): ExportRow & { file: string } {
  const row = store.findExport(ctx, id) ?? fail("BAD_REQUEST", "There is no such export.");
  if (row.deleted_timestamp !== null) fail("BAD_REQUEST", "This export has already been deleted.");
  if (row.failed_timestamp !== null) fail("BAD_REQUEST", "This export failed: there is nothing to delete.");
  return { ...row, file: row.file ?? fail("BAD_REQUEST", "This export is still being written.") };
}

/** Somebody whose data can be exported. Only for administrators, which the caller checks. */
export function personFor(ctx: Ctx, id: number): UserRow {
  const user = userFor(ctx, id);
  return user.is_bot ? fail("BAD_REQUEST", "Only the data of people can be exported.") : user;
}
