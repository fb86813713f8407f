import { setProved } from "@/foundation/sessions/tx.ts";
import type { Tx } from "@/kernel/core/context.ts";
import * as store from "./store.ts";

/** Notes that the user of a session, given by ID, has just shown who they are. */
export function markProved(tx: Tx, sessionId: number): void {
  setProved(tx, sessionId);
  if (store.findCode(tx, sessionId)) store.deleteCode(tx, sessionId);
}
