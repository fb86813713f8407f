// Lanes over what has to be searched for: read window by window of IDs, so that however rare the matches are, one step is
// short.

import type { Ctx } from "@/kernel/context.ts";
import type { Direction, Lane, Window } from "@/kernel/merge.ts";
import { blockSizes, idsWithTokens } from "@/messaging/message-index/store.ts";
import { idsContaining, newestId } from "./store.ts";

/** How long a step may take with windows of a size until others are tried. */
interface Step {
  size: number;
  growBelowMs: number;
  shrinkAboveMs: number;
}

const [small, medium, large] = blockSizes;

/** What a small step takes is mostly what it takes to begin; so it is worth it to try a longer one. */
const indexSteps: readonly Step[] = [
  { size: small, growBelowMs: 4, shrinkAboveMs: Number.POSITIVE_INFINITY },
  { size: medium, growBelowMs: 0.5, shrinkAboveMs: 8 },
  { size: large, growBelowMs: 0, shrinkAboveMs: 3 },
];

/** Each of the messages may be as long as messages can be. */
const textSteps: readonly Step[] = [{ size: 256, growBelowMs: 0, shrinkAboveMs: Number.POSITIVE_INFINITY }];

/** What the full-text index lists under all of these tokens. */
export function indexLane(ctx: Ctx, tokens: readonly string[], direction: Direction): Lane {
  const read = (window: Window) => idsWithTokens(ctx, tokens, window);
  return windowLane(read, indexSteps, { direction, end: newestId(ctx) + 1 });
}

/** All messages with this in their content or topic, which no index lists. */
export function textLane(ctx: Ctx, text: string, direction: Direction): Lane {
  const read = (window: Window) => idsContaining(ctx, text, window);
  return windowLane(read, textSteps, { direction, end: newestId(ctx) + 1 });
}

/** What a millisecond of a step counts for. */
const rowsPerMs = 300;

/** To be read once from one end to the other; `read` gives all of a window, ascending. */
function windowLane(
  read: (window: Window) => number[],
  steps: readonly Step[],
  { direction, end }: { direction: Direction; end: number },
): Lane {
  const isDown = direction === "before";
  let step = 0;
  let at: number | null = null;
  let rest: number[] = [];

  return function* (from, most) {
    at ??= Math.min(from, end);
    while (rest.length < most && (isDown ? at > 1 : at + 1 < end)) {
      const { size, growBelowMs, shrinkAboveMs } = steps[step] as Step;
      const n = Math.floor((isDown ? at - 1 : at + 1) / size);
      const [first, last] = [n * size, (n + 1) * size - 1];
      const start = performance.now();
      const ids = read(
        isDown ? { size, n, above: first - 1, below: at } : { size, n, above: at, below: last + 1 },
      );
      const took = performance.now() - start;

      rest = rest.concat(isDown ? ids.reverse() : ids);
      at = isDown ? first : last;
      if (took > shrinkAboveMs) step--;
      else if (took < growBelowMs) step++;
      yield Math.ceil(took * rowsPerMs);
    }
    const given = rest.slice(0, most);
    rest = rest.slice(most);
    return given;
  };
}
