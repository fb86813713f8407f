import type { Tx } from "@/kernel/context.ts";
import * as store from "./store.ts";

/** Creates the system groups of a new organization; part of its creation. */
export function createSystemGroups(tx: Tx): void {
  store.insertSystemGroups(tx);
}
