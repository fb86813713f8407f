// Which of a search's tokens to look up: each more leaves fewer messages to check, but its list has to be passed.

import type { AnyOf } from "./schema.ts";

/** Tokens, and the share of all messages that are listed under one of them. */
export interface Share {
  readonly tokens: AnyOf;
  readonly share: number;
}

/** Checking a message costs as much as passing this many entries of a list. */
const checkCost = 400;
/** Lists with less than this cost next to nothing. */
const small = 0.01;

/** The most helpful of these, at least one, the shortest list first. */
export function mostHelpful(shares: readonly Share[], max: number): Share[] {
  const chosen: Share[] = [];
  let left = 1;
  for (const one of shares.toSorted((a, b) => a.share - b.share)) {
    const saved = left * (1 - one.share) * checkCost;
    if (chosen.length > 0 && one.share >= small && one.share > saved) break;
    chosen.push(one);
    left *= one.share;
    if (chosen.length === max) break;
  }
  return chosen;
}
