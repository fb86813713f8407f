import type { Tx } from "@/kernel/context.ts";
import { indexNewMessage, reindexMessages } from "@/messaging/message-index/tx.ts";
import type { NewMessage } from "./rows.ts";
import * as store from "./store.ts";

/** Inserts a message and queues it for the index; returns its ID. */
export function insertMessage(tx: Tx, message: NewMessage): number {
  const id = store.insertMessage(tx, message);
  indexNewMessage(tx, id);
  return id;
}

/** Deletes messages and queues this for the index. Rows that refer to them must be deleted before. */
export function deleteMessages(tx: Tx, ids: readonly number[]): void {
  store.deleteMessages(tx, ids);
  reindexMessages(tx, ids);
}
