import type { ScheduledMessage } from "./schema.ts";
import type { ScheduledRow } from "./store.ts";

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
