import type { Tx } from "@/kernel/core/context.ts";
import * as store from "./store.ts";

/** Records that a row uses one picture now, and no longer another. */
export function exchangePicture(tx: Tx, file: string | null, before: string | null): void {
  if (file !== null) store.insertPicture(tx, file);
  if (before !== null) store.deletePicture(tx, before);
}
