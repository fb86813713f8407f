import type { Tx } from "@/kernel/core/context.ts";
import { renderImported } from "@/messaging/sending/actions-import.ts";
import type { HistoryChange } from "./schema.ts";
import type { EditRow } from "./store.ts";
import * as store from "./store.ts";

/** Records messages as they are before a change. Prunes the oldest edits of `id`, one of them, beyond the limits. */
export function keepPast(tx: Tx, id: number, ids: readonly number[], change: HistoryChange): void {
  store.keepPast(tx, id, ids, change);
}

/** An imported edit; fields are null if the edit did not change them. */
export interface EditImport {
  editorId: number;
  /** UNIX seconds. */
  at: number;
  before: string | null;
  topic: { from: string; to: string } | null;
  channel: { from: number; to: number } | null;
}

/** Adds the edits of an imported message, oldest first. */
export function insertImportedEdits(tx: Tx, messageId: number, edits: readonly EditImport[]): void {
  for (const [index, { editorId, at, before, topic, channel }] of edits.entries()) {
    store.insertEdit(tx, {
      message_id: messageId,
      nth: index + 1,
      user_id: editorId,
      edited_at: at,
      prev_content: before,
      prev_rendered: before === null ? null : renderImported(tx, before),
      prev_topic: topic?.from ?? null,
      topic: topic?.to ?? null,
      prev_channel_id: channel?.from ?? null,
      channel_id: channel?.to ?? null,
    });
  }
}

/** Adds an imported edit; `nth` counts the edits of its message from 1. */
export function insertEdit(tx: Tx, edit: EditRow & { nth: number }): void {
  store.insertEdit(tx, edit);
}

/** Replaces words in the earlier versions of a range of messages that have `html` in their rendering. */
export function rewordPast(
  tx: Tx,
  { reword, ...range }: { after: number; upTo: number; html: string; reword: Reword },
): void {
  for (const past of store.findPastWith(tx, range)) {
    const { content, rendered } = reword({ content: past.prev_content, rendered: past.prev_rendered });
    store.setPastText(tx, { ...past, prev_content: content, prev_rendered: rendered });
  }
}

type Reword = (words: { content: string; rendered: string }) => { content: string; rendered: string };
