import type { Tx } from "@/kernel/context.ts";
import type { Mail } from "./schema.ts";
import * as store from "./store.ts";

/** Leaves a mail to be sent, as part of another action; returns what takes it back. */
export function queueMail(tx: Tx, mail: Mail): number {
  return store.insertMail(tx, mail);
}

/** Takes a mail back that may not have been sent yet. */
export function withdrawMail(tx: Tx, id: number): void {
  store.deleteMail(tx, id);
}
