// Many subscriptions are changed in several transactions, so that no request keeps another waiting.

import { fail } from "@/kernel/errors.ts";
import { peopleAtOnce } from "./schema.ts";

/** Subscriptions of one transaction; what leaving costs depends on what is unread. */
const atOnce = { join: peopleAtOnce, leave: 200 };
/** Channels of one transaction, because each may have to be made. */
const channelsAtOnce = 5;
/** Subscriptions that one request may change. */
const mostSubscriptions = 100_000;

type Deed = keyof typeof atOnce;

export interface Block<C> {
  channels: readonly C[];
  userIds: number[];
  /** Whether none of its channels was in a block before it. */
  isFirst: boolean;
}

/** Whether a single transaction does; throws where these are more subscriptions than one request may change. */
export function isOneBlock(deed: Deed, channels: readonly unknown[], userIds: readonly number[]): boolean {
  const count = channels.length * userIds.length;
  if (count > mostSubscriptions) {
    fail("BAD_REQUEST", `At most ${mostSubscriptions} subscriptions can be changed at once.`);
  }
  return count <= atOnce[deed] && channels.length <= channelsAtOnce;
}

/** All of the channels for some of the people, then for the next of them. */
export function* blocksOf<C>(
  deed: Deed,
  channels: readonly C[],
  userIds: readonly number[],
): Generator<Block<C>> {
  const width = Math.min(channels.length, channelsAtOnce);
  const height = Math.max(1, Math.floor(atOnce[deed] / width));
  for (let first = 0; first < userIds.length; first += height) {
    for (let from = 0; from < channels.length; from += width) {
      yield {
        channels: channels.slice(from, from + width),
        userIds: userIds.slice(first, first + height),
        isFirst: first === 0,
      };
    }
  }
}

/** Those for which it holds, and the others. */
export function partition<T>(things: readonly T[], holds: (thing: T) => boolean): [T[], T[]] {
  return [things.filter((one) => holds(one)), things.filter((one) => !holds(one))];
}
