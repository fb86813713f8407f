// A background job: brings the full-text index up to date with the messages.

import { allow } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/context.ts";
import type { Job } from "@/kernel/domain.ts";
import { action } from "@/kernel/operation.ts";
import { hasUnindexed, indexOldest } from "./store.ts";

/** About ten milliseconds of work. Smaller portions would make more index segments, which are costly to merge. */
const portion = 200;

const indexPortion = action(allow.system, (tx): void => indexOldest(tx, portion));

/** Indexes all waiting messages in portions, so that requests run in between. */
export async function indexAll(ctx: Ctx): Promise<void> {
  while (hasUnindexed(ctx)) await indexPortion(ctx);
}

export const indexing: Job = { name: "index messages", everySeconds: 0.5, run: indexAll };
