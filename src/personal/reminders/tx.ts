import { memberOf } from "@/foundation/permissions/access.ts";
import { renderText } from "@/foundation/realm/hooks.ts";
import type { Ctx, Tx } from "@/kernel/context.ts";
import { actingAs } from "@/kernel/operation.ts";
import { textWithoutMessage, waitingText } from "./present.ts";
import * as store from "./store.ts";

export const rendered = (ctx: Ctx, content: string) => ({ content, rendered: renderText(ctx, content).html });

/** Removes the quoted text from reminders of messages that are about to be deleted. */
export function forgetQuotations(tx: Tx, messageIds: readonly number[]): void {
  for (const row of store.findRemindersOf(tx, messageIds)) {
    store.setText(tx, row.id, rendered(tx, textWithoutMessage(row)));
  }
}

/** Quotes an edited message again, so that reminders do not keep text that the edit removed. */
export function renewQuotations(tx: Tx, messageId: number): void {
  for (const row of store.findRemindersOf(tx, [messageId])) {
    const asReader = actingAs(tx, { kind: "user", id: row.user_id, client: "Internal" });
    const text = memberOf(tx, row.user_id).is_active
      ? rendered(asReader, waitingText(asReader, row))
      : rendered(tx, textWithoutMessage(row));
    store.setText(tx, row.id, text);
  }
}
