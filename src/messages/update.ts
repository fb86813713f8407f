import { fail } from "@/kernel/errors.ts";
import { action } from "@/kernel/operation.ts";
import { allow } from "@/permissions/access.ts";
import type { Attachment } from "@/uploads/schema.ts";
import { messageFor } from "./access.ts";
import { keepPast } from "./store-edits.ts";
import { type ContentChange, changeContent, plannedContent } from "./update-content.ts";
import { tellContentChanged } from "./update-news.ts";

export interface MessageUpdate extends ContentChange {
  message_id: number;
}

/** Changes what a message says (API.md 4.2); gives the files of the actor that it was the last to link to. */
export const updateMessage = action(allow.user, (tx, update: MessageUpdate): Attachment[] => {
  const row = messageFor(tx, update.message_id);
  const content = plannedContent(tx, row, update);
  if (content === null) fail("BAD_REQUEST", "Nothing to change");

  keepPast(tx, row.id);
  const { changed, detached } = changeContent(tx, row, content);
  tellContentChanged(tx, row, changed);
  return detached;
});
