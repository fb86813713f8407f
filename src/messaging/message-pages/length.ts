// Limits the text of one answer: a page of messages of maximum length would exceed a small server's memory.

import type { Ctx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import type { Page } from "./page.ts";
import * as store from "./store.ts";

/** Bytes of content, rendering and edit history together. */
const maxBytes = 16_000_000;
/** Characters of highlighted text. The marks count: a short message can have many. */
export const maxHighlighted = 16_000_000;

/** The page, without the messages farthest from its anchor if all together are too long for one answer. */
export function fitting(ctx: Ctx, page: Page): Page {
  if (page.ids.length <= 1) return page;
  const length = store.lengthsOf(ctx, page.ids);
  let [kept, bytes] = [0, 0];
  for (const id of nearestFirst(page)) {
    bytes += length.get(id) ?? 0;
    if (bytes > maxBytes && kept > 0) break;
    kept++;
  }
  return withoutFarthest(page, kept);
}

/** The IDs of a page by their distance from its anchor. */
export function nearestFirst({ ids, anchor }: Page): number[] {
  const distance = (id: number) => Math.abs(id - Math.min(anchor, ids.at(-1) ?? 0));
  return [...ids].sort((a, b) => distance(a) - distance(b));
}

/** The page with only the `kept` messages nearest to its anchor. Reports that there are more. */
export function withoutFarthest(page: Page, kept: number): Page {
  const { ids } = page;
  const [first = 0, last = 0] = [ids[0], ids.at(-1)];
  const dropped = new Set(nearestFirst(page).slice(kept));
  return {
    ...page,
    ids: ids.filter((id) => !dropped.has(id)),
    found_oldest: page.found_oldest && !dropped.has(first),
    found_newest: page.found_newest && !dropped.has(last),
  };
}

/** Throws if messages requested by ID are too long for one answer. */
export function checkLength(ctx: Ctx, ids: readonly number[]): void {
  if (ids.length <= 1) return;
  const bytes = store
    .lengthsOf(ctx, ids)
    .values()
    .reduce((sum, one) => sum + one, 0);
  if (bytes > maxBytes) tooLong();
}

export function tooLong(): never {
  fail("BAD_REQUEST", "These messages are too long for one answer: ask for fewer at a time.");
}
