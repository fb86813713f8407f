import { allow, me } from "@/foundation/permissions/access.ts";
import { query } from "@/kernel/core/operation.ts";
import type { Task } from "@/kernel/lib/tasks.ts";
import type { ScheduledMessage } from "./schema.ts";
import type { ScheduledRow } from "./store.ts";
import * as store from "./store.ts";

/** The actor's undelivered scheduled messages, by delivery time. */
export const listScheduled = query(allow.user, function* (ctx): Task<ScheduledMessage[]> {
  const rows = yield* store.listScheduled(ctx, me(ctx).id);
  return rows.map(presentScheduled);
});

export function presentScheduled(row: ScheduledRow): ScheduledMessage {
  const [channel = 0] = row.to;
  return {
    scheduled_message_id: row.id,
    type: row.type,
    ...(row.type === "stream" ? { to: channel, topic: row.topic } : { to: row.to }),
    content: row.content,
    rendered_content: row.rendered,
    scheduled_delivery_timestamp: row.deliver_at,
    failed: row.failed,
  };
}
