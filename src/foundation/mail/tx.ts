import type { Tx } from "@/kernel/context.ts";
import type { Mail } from "./schema.ts";
import * as store from "./store.ts";

/** Queues a mail, as part of another action; returns the ID for `withdrawMail`. */
export function queueMail(tx: Tx, mail: Mail): number {
  return store.insertMail(tx, mail);
}

/** Removes a queued mail, unless it has been sent already. */
export function withdrawMail(tx: Tx, id: number): void {
  store.deleteMail(tx, id);
}
