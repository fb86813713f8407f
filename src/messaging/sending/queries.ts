import { allow } from "@/foundation/permissions/access.ts";
import { query } from "@/kernel/core/operation.ts";
import { toStoredContent } from "@/messaging/messages/schema.ts";
import { renderMessage } from "./lookup.ts";

/** The HTML of a message with this content. */
export const renderContent = query(allow.user, (ctx, content: string): string => {
  return renderMessage(ctx, toStoredContent(content)).html;
});
