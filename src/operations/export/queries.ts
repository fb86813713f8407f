import { allow } from "@/foundation/permissions/access.ts";
import { settingOf } from "@/foundation/user-settings/access.ts";
import { activePeople } from "@/foundation/users/access.ts";
import { siteOf } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { personFor } from "./access.ts";
import { type ExportConsent, exportsAt, type RealmExport } from "./schema.ts";
import type { ExportRow } from "./store.ts";
import * as store from "./store.ts";

/** All exports ever requested, oldest first. */
export const listExports = query(allow.admin, (ctx): RealmExport[] =>
  exportsAt(siteOf(ctx), store.listExports(ctx).map(presentExport)),
);

/** Whether each active person consents to having their private data exported; or one person, who may be deactivated. */
export const listExportConsents = query(allow.admin, (ctx, userId: number | null): ExportConsent[] =>
  (userId === null ? activePeople(ctx) : [personFor(ctx, userId)]).map(({ id }) => ({
    user_id: id,
    consented: settingOf(ctx, id, "allow_private_data_export"),
    email_address_visibility: settingOf(ctx, id, "email_address_visibility"),
  })),
);

export const exportOfFile = query(allow.admin, (ctx, file: string): ExportRow => {
  return (
    store.findExportByFile(ctx, file) ?? fail("NOT_FOUND", "This export does not exist or has been deleted.")
  );
});

/** URL path of export files. */
export const exportPath = "/exports";

/** An export with the path of its file as `export_url`; `exportsAt` makes that a URL. */
export function presentExport({ file, tries, ...row }: ExportRow): RealmExport {
  const isOver = row.failed_timestamp !== null || row.deleted_timestamp !== null;
  return {
    ...row,
    pending: file === null && !isOver,
    export_url: file && `${exportPath}/${file}`,
  };
}
