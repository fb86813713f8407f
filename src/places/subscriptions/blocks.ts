// Splits many subscriptions into blocks, one transaction each, so that no request keeps another waiting.

import { fail } from "@/kernel/lib/errors.ts";
import { peopleAtOnce } from "./schema.ts";

/** Subscriptions per transaction. Unsubscribing costs more, because it marks messages as read. */
const atOnce = { join: peopleAtOnce, leave: 200 };
/** Channels per transaction; few, because each may have to be created. */
const channelsAtOnce = 5;
/** Per request. */
const maxSubscriptions = 100_000;

type Change = keyof typeof atOnce;

export interface SubscriptionBlock<C> {
  channels: readonly C[];
  userIds: number[];
  /** Whether it is the first block of its channels. */
  isFirst: boolean;
}

/** Whether a single transaction is enough. Throws if these are more subscriptions than one request may change. */
export function isOneBlock(
  change: Change,
  channels: readonly unknown[],
  userIds: readonly number[],
): boolean {
  const count = channels.length * userIds.length;
  if (count > maxSubscriptions) {
    fail("BAD_REQUEST", `At most ${maxSubscriptions} subscriptions can be changed at once.`);
  }
  return count <= atOnce[change] && channels.length <= channelsAtOnce;
}

/** Yields blocks with all channels for the first users, then for the next users, and so on. */
export function* blocksOf<C>(
  change: Change,
  channels: readonly C[],
  userIds: readonly number[],
): Generator<SubscriptionBlock<C>> {
  const width = Math.min(channels.length, channelsAtOnce);
  const height = Math.max(1, Math.floor(atOnce[change] / width));
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

/** Splits a list: things for which `holds` returns true, and the others. */
export function partition<T>(things: readonly T[], holds: (thing: T) => boolean): [T[], T[]] {
  return [things.filter((one) => holds(one)), things.filter((one) => !holds(one))];
}
