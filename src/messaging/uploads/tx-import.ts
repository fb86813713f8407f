import type { Tx } from "@/kernel/context.ts";
import type { UploadRow } from "./access.ts";
import { linkedUpload } from "./access.ts";
import * as store from "./store.ts";

/** The files that an imported message links to, and noting that it does; nobody is told. */
export const claimImported = {
  find: (tx: Tx, hrefs: readonly string[]): UploadRow[] => {
    const rows = hrefs.flatMap((href) => linkedUpload(tx, href) ?? []);
    return [...new Map(rows.map((row) => [row.id, row])).values()];
  },
  link: (tx: Tx, messageId: number, uploads: readonly UploadRow[]): void => {
    for (const { id } of uploads) store.link(tx, id, messageId);
  },
};
