// How much one answer holds: a page of the longest messages there can be would be more than a small server can make.
import type { Ctx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import type { Page } from "./selection.ts";
import * as store from "./store.ts";

/** Bytes of what was written, what was made of it, and what both were before. */
const mostBytes = 16_000_000;

/** A page without the messages farthest from its anchor, where all together are too long for one answer. */
export function fitting(ctx: Ctx, page: Page): Page {
  const { ids, anchor } = page;
  if (ids.length <= 1) return page;
  const length = store.lengthsOf(ctx, ids);
  const [first = 0, last = 0] = [ids[0], ids.at(-1)];
  const distance = (id: number) => Math.abs(id - Math.min(anchor, last));
  const nearestFirst = [...ids].sort((a, b) => distance(a) - distance(b));
  let [kept, bytes] = [0, 0];
  for (const id of nearestFirst) {
    bytes += length.get(id) ?? 0;
    if (bytes > mostBytes && kept > 0) break;
    kept++;
  }
  const dropped = new Set(nearestFirst.slice(kept));
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
  if (bytes > mostBytes) {
    fail("BAD_REQUEST", "These messages are too long for one answer: ask for fewer at a time.");
  }
}
