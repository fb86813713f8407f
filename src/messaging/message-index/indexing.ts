// A background job: brings the full-text index up to date with the messages.

import { allow } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import type { Job } from "@/kernel/http/domain.ts";
import { hasUnindexed, indexOldest, mergeSegments } from "./store.ts";

/** At most this many messages and this much work in one transaction; smaller ones would make more segments to merge. */
const portion = { messages: 1_000, ms: 10 };
/** About ten milliseconds of work. */
const mergedPages = 32;

const indexPortion = action(allow.system, (tx): void => indexOldest(tx, portion.messages, portion.ms));
const mergePortion = action(allow.system, (tx): boolean => mergeSegments(tx, mergedPages));

/** Indexes all waiting messages in portions, and merges what they added, so that requests run in between. */
export async function indexAll(ctx: Ctx): Promise<void> {
  while (hasUnindexed(ctx)) {
    await indexPortion(ctx);
    while (await mergePortion(ctx));
  }
}

export const indexing: Job = {
  name: "index messages",
  everySeconds: 0.5,
  run: indexAll,
  nextDue: (reads) => (hasUnindexed(reads) ? 0 : Number.POSITIVE_INFINITY),
};
