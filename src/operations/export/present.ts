import type { RealmExport } from "./schema.ts";
import type { ExportRow } from "./store.ts";

/** URL path of export files. */
export const exportPath = "/exports";

/** `site` is the server's address as the reader uses it. */
export function presentExport(site: string, { file, tries, ...row }: ExportRow): RealmExport {
  const isOver = row.failed_timestamp !== null || row.deleted_timestamp !== null;
  return {
    ...row,
    pending: file === null && !isOver,
    export_url: file && `${site}${exportPath}/${file}`,
  };
}
