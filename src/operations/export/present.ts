import type { RealmExport } from "./schema.ts";
import type { ExportRow } from "./store.ts";

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
