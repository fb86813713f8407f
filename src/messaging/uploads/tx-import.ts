import type { Tx } from "@/kernel/core/context.ts";
import type { UploadRow } from "./rows.ts";
import * as store from "./store.ts";

/** Stores which files an imported message links to, without events. */
export function linkImported(tx: Tx, messageId: number, uploads: readonly UploadRow[]): void {
  for (const { id } of uploads) store.link(tx, id, messageId);
}
