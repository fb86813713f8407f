// How much one answer holds: a page of the longest messages there can be would be more than a small server can make.

import type { Ctx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import type { Page } from "./page.ts";
import * as store from "./store.ts";

/** Bytes of what was written, what was made of it, and what both were before. */
const mostBytes = 16_000_000;
/** Characters of what was found, with its marks: a short message can have many. */
export const mostHighlighted = 16_000_000;

/** A page without the messages farthest from its anchor, where all together are too long for one answer. */
export function fitting(ctx: Ctx, page: Page): Page {
  if (page.ids.length <= 1) return page;
  const length = store.lengthsOf(ctx, page.ids);
  let [kept, bytes] = [0, 0];
  for (const id of nearestFirst(page)) {
    bytes += length.get(id) ?? 0;
    if (bytes > mostBytes && kept > 0) break;
    kept++;
  }
  return withoutFarthest(page, kept);
}

/** The IDs of a page by their distance from its anchor. */
export function nearestFirst({ ids, anchor }: Page): number[] {
  const distance = (id: number) => Math.abs(id - Math.min(anchor, ids.at(-1) ?? 0));
  return [...ids].sort((a, b) => distance(a) - distance(b));
}

/** A page with as many messages as are kept, those nearest to its anchor; it says that there are more. */
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

/** Throws where messages that were asked for one by one are too long for one answer. */
export function checkLength(ctx: Ctx, ids: readonly number[]): void {
  if (ids.length <= 1) return;
  const bytes = store
    .lengthsOf(ctx, ids)
    .values()
    .reduce((sum, one) => sum + one, 0);
  if (bytes > mostBytes) tooLong();
}

export function tooLong(): never {
  fail("BAD_REQUEST", "These messages are too long for one answer: ask for fewer at a time.");
}
