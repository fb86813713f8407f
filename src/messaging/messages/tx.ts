import type { Tx } from "@/kernel/core/context.ts";
import { reindexMessages } from "@/messaging/message-index/tx.ts";
import type { NewMessage } from "./rows.ts";
import * as store from "./store.ts";

/** Returns the new message's ID. The index finds it by that. */
export function insertMessage(tx: Tx, message: NewMessage): number {
  return store.insertMessage(tx, message);
}

/** Deletes messages and queues this for the index. Rows that refer to them must be deleted before. */
export function deleteMessages(tx: Tx, ids: readonly number[]): void {
  store.deleteMessages(tx, ids);
  reindexMessages(tx, ids);
}
