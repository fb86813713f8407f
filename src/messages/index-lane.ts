import type { Ctx } from "@/kernel/context.ts";
import type { Lane } from "./merge.ts";
import { type Direction, newestId } from "./store-reads.ts";
import { idsWithTokens } from "./store-tokens.ts";

const narrowest = 4_096;
const quickMs = 0.5;
const slowMs = 2;
/** What a window's work counts for. */
const rowsPerMs = 300;

/**
 * What the full-text index lists under all of these tokens. It is read window by window: however common the tokens are
 * and however rare together, one step is short.
 */
export function indexLane(ctx: Ctx, tokens: readonly string[], direction: Direction): Lane {
  let width = 4 * narrowest;

  return function* (from, most) {
    const end = newestId(ctx) + 1;
    const found: number[] = [];
    let at = Math.min(from, end);
    while (found.length < most && (direction === "before" ? at > 1 : at < end)) {
      const window = {
        above: direction === "before" ? at - width : at,
        below: direction === "before" ? at : at + width,
      };
      const start = performance.now();
      const ids = idsWithTokens(ctx, tokens, { direction, ...window, most: most - found.length });
      const took = performance.now() - start;

      found.push(...ids);
      at = direction === "before" ? window.above + 1 : window.below - 1;
      if (took < quickMs) width *= 4;
      else if (took > slowMs) width = Math.max(width / 2, narrowest);
      yield Math.ceil(took * rowsPerMs);
    }
    return found;
  };
}
