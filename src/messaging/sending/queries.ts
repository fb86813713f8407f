import { allow } from "@/foundation/permissions/access.ts";
import type { ReadsNow } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { toStoredContent } from "@/messaging/messages/schema.ts";
import { renderMessage } from "./lookup.ts";
import { idempotencyKeyLife } from "./schema.ts";
import * as store from "./store.ts";

/** The HTML of a message with this content. */
export const renderContent = query(allow.user, (ctx, content: string): string => {
  return renderMessage(ctx, toStoredContent(content)).html;
});

/** Whether a send of the user with this key would be a repetition. */
export function isSentWith(reads: ReadsNow, userId: number, key: string): boolean {
  const first = store.findRepeatableSend(reads, userId, key);
  return first !== null && reads.now - first.sent_at < idempotencyKeyLife;
}
