import type { Reads } from "@/kernel/core/context.ts";
import type { UploadRow } from "./rows.ts";
import type { Attachment } from "./schema.ts";
import * as store from "./store.ts";

/** Files as their owner reads them. */
export function presentUploads(reads: Reads, rows: readonly UploadRow[]): Attachment[] {
  const ids = rows.map((row) => row.id);
  const references = Map.groupBy(store.findReferences(reads, ids), (found) => found.attachment_id);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    path_id: row.path_id,
    size: row.size,
    create_time: row.uploaded_at * 1000,
    messages: (references.get(row.id) ?? []).map(({ id, sent_at }) => ({ id, date_sent: sent_at * 1000 })),
  }));
}
