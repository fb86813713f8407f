// Work behind the requests: the full-text index catches up with the messages (`store-tokens.ts`).

import { allow } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/context.ts";
import type { Job } from "@/kernel/domain.ts";
import { action } from "@/kernel/operation.ts";
import { hasUnindexed, indexOldest } from "./store.ts";

/** Some ten milliseconds' work: every portion makes a segment of the index, and segments cost when they are merged. */
const portion = 200;

const indexPortion = action(allow.user, (tx): void => indexOldest(tx, portion));

/** Indexes all that waits, in portions between which others have their turn. */
export async function indexAll(ctx: Ctx): Promise<void> {
  while (hasUnindexed(ctx)) await indexPortion(ctx);
}

export const indexing: Job = { name: "index messages", everySeconds: 0.5, run: indexAll };
