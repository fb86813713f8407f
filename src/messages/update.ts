import { fail } from "@/kernel/errors.ts";
import { action } from "@/kernel/operation.ts";
import { allow } from "@/permissions/access.ts";
import { messageFor } from "./access.ts";
import { keepPast } from "./store-edits.ts";
import { type ContentChange, changeContent, plannedContent } from "./update-content.ts";
import { tellContentChanged } from "./update-news.ts";

export interface MessageUpdate extends ContentChange {
  message_id: number;
}

/** Changes what a message says (API.md 4.2). */
export const updateMessage = action(allow.user, (tx, update: MessageUpdate): void => {
  const row = messageFor(tx, update.message_id);
  const content = plannedContent(tx, row, update);
  if (content === null) fail("BAD_REQUEST", "Nothing to change");

  keepPast(tx, row.id);
  tellContentChanged(tx, row, changeContent(tx, row, content));
});
