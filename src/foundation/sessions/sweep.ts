// Deletes expired sessions, a few at a time.
import type { Ctx } from "@/kernel/core/context.ts";
import { deleteEnded } from "./actions.ts";
import * as store from "./store.ts";

const maxBatch = 500;

export async function sweep(ctx: Ctx): Promise<void> {
  while (store.hasEnded(ctx)) await deleteEnded(ctx, maxBatch);
}
