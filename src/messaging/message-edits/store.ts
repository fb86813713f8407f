import type { Tx } from "@/kernel/core/context.ts";
import type { MessageRow } from "@/messaging/messages/rows.ts";
import { messageBits } from "@/messaging/messages/schema.ts";

export function setContent(tx: Tx, { id, content, rendered, bits }: MessageRow): void {
  tx.run(
    "UPDATE messages SET content = ?, rendered = ?, bits = ? WHERE id = ?",
    content,
    rendered,
    bits | messageBits.edited,
    id,
  );
}

export function setRendered(tx: Tx, id: number, rendered: string): void {
  tx.run("UPDATE messages SET rendered = ? WHERE id = ?", rendered, id);
}
