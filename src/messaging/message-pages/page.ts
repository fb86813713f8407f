import type { Ctx } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { type Direction, merge, type Nearest, nearest } from "@/kernel/lib/merge.ts";
import { type Budget, race, type Task } from "@/kernel/lib/tasks.ts";
import { firstMessageSince } from "@/messaging/channel-activity/access.ts";
import type { Narrow } from "@/messaging/narrows/narrow.ts";
import type { NarrowSubject } from "@/messaging/narrows/terms.ts";
import { channelConversation, conversation } from "@/places/conversations/access.ts";
import { visibilityOf } from "@/places/user-topics/access.ts";
import { policies } from "@/places/user-topics/schema.ts";
import { findTextCache } from "./cached-texts.ts";
import { type Plan, plansFor } from "./plans.ts";
import { type Selection, selectAmong } from "./selection.ts";
import * as store from "./store.ts";

/** The anchor for the newest message. No anchor is larger. */
export const newestAnchor = 10_000_000_000_000_000;

/** An ID, the first unread message, or the first message since a moment (Unix seconds). */
export type Anchor = number | "first_unread" | { since: number };

export interface Around {
  anchor: Anchor;
  include_anchor: boolean;
  num_before: number;
  num_after: number;
}

export interface Page {
  /** Ascending. */
  ids: number[];
  anchor: number;
  found_anchor: boolean;
  found_oldest: boolean;
  found_newest: boolean;
}

/**
 * The messages of a selection before, at and after an anchor. If the budget is spent, the page is cut short at its ends and
 * reports that there may be more, but it holds at least one message if there is any.
 */
export function* pageOf(ctx: Ctx, selection: Selection, around: Around, budget?: Budget): Task<Page> {
  const anchor = yield* anchorIn(ctx, selection, around.anchor, budget);
  const isOldest = anchor === 0;
  const isNewest = anchor >= newestAnchor;
  const num_before = isOldest ? 0 : around.num_before;
  const num_after = isNewest ? 0 : around.num_after;

  const beyond = readerBeyond(ctx, selection, { anchor, budget });
  const before = yield* beyond("before", num_before);
  const looksAtAnchor = around.include_anchor && !isOldest && !isNewest;
  const at = looksAtAnchor ? yield* selectAmong(ctx, selection, [anchor]) : [];
  const after = yield* beyond("after", num_after);
  return {
    ids: [...before.ids.reverse(), ...at, ...after.ids],
    anchor,
    found_anchor: at.length > 0,
    found_oldest: isOldest || (before.ids.length < num_before && !before.isCut),
    found_newest: isNewest || (after.ids.length < num_after && !after.isCut),
  };
}

function readerBeyond(
  ctx: Ctx,
  selection: Selection,
  { anchor, budget }: { anchor: number; budget?: Budget },
): (way: Direction, max: number) => Task<Nearest> {
  const plans = plansFor(ctx, selection);
  const from = Math.min(anchor, Number.MAX_SAFE_INTEGER);
  return function* (direction, max) {
    if (max === 0) return { ids: [], isCut: false };
    const accept = (ids: number[]) => selectAmong(ctx, selection, ids, budget);
    const follow = function* (lists: Plan["lists"]): Task<Nearest> {
      return yield* nearest(merge(lists(), direction, from), max, { accept, budget });
    };
    return yield* race(plans(direction).map(({ lists, waits }) => ({ steps: follow(lists), waits })));
  };
}

function* anchorIn(ctx: Ctx, selection: Selection, anchor: Anchor, budget?: Budget): Task<number> {
  if (typeof anchor === "number") return anchor;
  if (anchor === "first_unread") return yield* firstUnreadOf(ctx, selection);
  const from = firstMessageSince(ctx, anchor.since) - 1;
  const { ids } = yield* readerBeyond(ctx, selection, { anchor: from, budget })("after", 1);
  return ids[0] ?? newestAnchor;
}

/** The oldest unread message. Skips muted channels and topics that the narrow does not name. */
function* firstUnreadOf(ctx: Ctx, selection: Selection): Task<number> {
  const { ids } = yield* readerBeyond(ctx, unreadOnly(ctx, selection), { anchor: 0 })("after", 1);
  return ids[0] ?? newestAnchor;
}

function unreadOnly(ctx: Ctx, selection: Selection): Selection {
  const { narrow, userId } = selection;
  const muted = findMutedOutside(ctx, userId, narrow);
  const without = new Set([...narrow.without, ...muted.conversations]);
  const matches = (subject: NarrowSubject) =>
    !without.has(subject.conversation_id) &&
    !subject.has("read") &&
    !muted.has(subject) &&
    (narrow.matches?.(subject) ?? true);
  const within = { ...narrow.within, unread: true as const };
  return {
    ...selection,
    ownRecords: true,
    startsUnread: true,
    narrow: { ...narrow, matches, within, without },
  };
}

/**
 * What counts as muted in a narrow: everything muted; only topics, if it names the channel; nothing, if it names a topic.
 */
function findMutedOutside(
  ctx: Ctx,
  userId: number,
  { namesChannel, within }: Narrow,
): { conversations: readonly number[]; has: (subject: NarrowSubject) => boolean } {
  if (namesChannel && within.topics) return { conversations: [], has: () => false };
  const { isMuted, policy, silentChannels } = visibilityOf(ctx, userId);
  const conversations = namesChannel ? [] : [...silentChannels].map((id) => channelConversation(ctx, id));
  const has = ({ conversation_id, topic }: NarrowSubject) => {
    const channelId = conversation(ctx, conversation_id).channel_id;
    if (channelId === null) return false;
    return namesChannel ? policy(channelId, topic) === policies.muted : isMuted(channelId, topic);
  };
  return { conversations, has };
}

/** Bytes of content, rendering, edit history, submessages and reactions together. */
const maxBytes = 16_000_000;

/** Characters of highlighted text. The marks count: a short message can have many. */
export const maxHighlighted = 16_000_000;

/** The page, without the messages farthest from its anchor if all together are too long for one answer. */
export function* fitting(ctx: Ctx, page: Page): Task<Page> {
  const kept = yield* countFitting(ctx, nearestFirst(page));
  return kept === page.ids.length ? page : withoutFarthest(page, kept);
}

/** Messages measured at once: each can have a long history. */
const measured = 64;

/** How many of these messages, from the first on, are together short enough for one answer; at least one. */
function* countFitting(ctx: Ctx, ids: readonly number[]): Task<number> {
  if (ids.length <= 1) return ids.length;
  let bytes = 0;
  for (let at = 0; at < ids.length; at += measured) {
    const some = ids.slice(at, at + measured);
    const more = lengthOf(ctx, some);
    if (bytes + more > maxBytes)
      return at + countWithin(ctx, some, { left: maxBytes - bytes, least: at === 0 ? 1 : 0 });
    bytes += more;
    yield some.length;
  }
  return ids.length;
}

function lengthOf(ctx: Ctx, ids: readonly number[]): number {
  const kept = findTextCache(ctx);
  let bytes = 0;
  const others = ids.filter((id) => {
    const known = kept.find(id);
    bytes += known?.length ?? 0;
    return !known;
  });
  return others.length > 0 ? bytes + store.lengthOf(ctx, others) : bytes;
}

function countWithin(
  ctx: Ctx,
  ids: readonly number[],
  { left, least }: { left: number; least: number },
): number {
  const length = store.lengthsOf(ctx, ids);
  let bytes = 0;
  const over = ids.findIndex((id) => {
    bytes += length.get(id) ?? 0;
    return bytes > left;
  });
  return Math.max(least, over < 0 ? ids.length : over);
}

/** The IDs of a page by their distance from its anchor; of two at the same distance, the lower first. */
export function nearestFirst({ ids, anchor }: Page): number[] {
  const center = Math.min(anchor, ids.at(-1) ?? 0);
  if (center === ids.at(-1)) return ids.toReversed();
  let after = ids.findLastIndex((id) => id < center) + 1;
  let before = after - 1;
  const sorted: number[] = [];
  while (sorted.length < ids.length) {
    const [lower, higher] = [ids[before], ids[after]];
    const isLower = higher === undefined || (lower !== undefined && center - lower <= higher - center);
    sorted.push((isLower ? lower : higher) as number);
    if (isLower) before--;
    else after++;
  }
  return sorted;
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
export function* checkLength(ctx: Ctx, ids: readonly number[]): Task<void> {
  if ((yield* countFitting(ctx, ids)) < ids.length) tooLong();
}

export function tooLong(): never {
  fail("BAD_REQUEST", "These messages are too long for one answer: ask for fewer at a time.");
}
