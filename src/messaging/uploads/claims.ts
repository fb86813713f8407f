// Tracks which messages link to which files, when messages are sent, edited or deleted.

import type { Ctx } from "@/kernel/context.ts";
import { linkedUpload, type UploadRow } from "./access.ts";

/** The linked files that the actor may read. Others do not count: a link must not give readers access to them. */
export function linkedUploads(ctx: Ctx, hrefs: readonly string[]): UploadRow[] {
  const found = new Map<number, UploadRow>();
  for (const href of hrefs) {
    const row = linkedUpload(ctx, href);
    if (row) found.set(row.id, row);
  }
  return [...found.values()];
}
