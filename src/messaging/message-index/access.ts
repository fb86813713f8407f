// Lanes that search: they read one window of IDs at a time, so that each step is short, however rare the matches are.

import type { Ctx } from "@/kernel/context.ts";
import type { Direction, Lane, Window } from "@/kernel/merge.ts";
import { blockSizes } from "./schema.ts";
import { idsContaining, idsWithTokens, newestId } from "./store.ts";

/** A window size; faster steps switch to the next size, slower ones to the previous. */
interface Step {
  size: number;
  growBelowMs: number;
  shrinkAboveMs: number;
}

const [small, medium, large] = blockSizes;

/** Small windows grow early, because most of their time is the fixed cost of a query. */
const indexSteps: readonly Step[] = [
  { size: small, growBelowMs: 4, shrinkAboveMs: Number.POSITIVE_INFINITY },
  { size: medium, growBelowMs: 0.5, shrinkAboveMs: 8 },
  { size: large, growBelowMs: 0, shrinkAboveMs: 3 },
];

/** Small, because each message may have the maximum length. */
const textSteps: readonly Step[] = [{ size: 256, growBelowMs: 0, shrinkAboveMs: Number.POSITIVE_INFINITY }];

/** Messages that the full-text index lists under all of these tokens. */
export function indexLane(ctx: Ctx, tokens: readonly string[], direction: Direction): Lane {
  const read = (window: Window) => idsWithTokens(ctx, tokens, window);
  return windowLane(read, indexSteps, { direction, end: newestId(ctx) + 1 });
}

/** Messages that contain this text in their content or topic, found by scanning, without an index. */
export function textLane(ctx: Ctx, text: string, direction: Direction): Lane {
  const read = (window: Window) => idsContaining(ctx, text, window);
  return windowLane(read, textSteps, { direction, end: newestId(ctx) + 1 });
}

/** Converts the time of a step into the unit of effort. */
const rowsPerMs = 300;

/** A lane that can be read once, in one direction. `read` returns all matches of a window, ascending. */
function windowLane(
  read: (window: Window) => number[],
  steps: readonly Step[],
  { direction, end }: { direction: Direction; end: number },
): Lane {
  const isDown = direction === "before";
  let step = 0;
  let at: number | null = null;
  let rest: number[] = [];

  return function* (from, max) {
    at ??= Math.min(from, end);
    while (rest.length < max && (isDown ? at > 1 : at + 1 < end)) {
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
    const given = rest.slice(0, max);
    rest = rest.slice(max);
    return given;
  };
}
