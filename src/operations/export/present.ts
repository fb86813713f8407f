import type { RealmExport } from "./schema.ts";
import type { ExportRow } from "./store.ts";

/** Where an export's file is fetched. */
export const exportPath = "/exports";

/** `site`: where the reader reaches this server. */
export function presentExport(site: string, { file, tries, ...row }: ExportRow): RealmExport {
  const isOver = row.failed_timestamp !== null || row.deleted_timestamp !== null;
  return {
    ...row,
    pending: file === null && !isOver,
    export_url: file && `${site}${exportPath}/${file}`,
  };
}
