import type { Tx } from "@/kernel/context.ts";
import type { UploadRow } from "./rows.ts";
import * as store from "./store.ts";

/** Notes the files that an imported message links to; nobody is told. */
export function linkImported(tx: Tx, messageId: number, uploads: readonly UploadRow[]): void {
  for (const { id } of uploads) store.link(tx, id, messageId);
}
