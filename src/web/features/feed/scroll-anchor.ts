// Holds a place of the feed until the person scrolls. Where a row is becomes known only by and by: its size is a guess until it
// is drawn, pictures and fonts arrive late, history is put before it, and the composer takes room.
import { measureElement, type Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from "react";
import { useLatest } from "../../lib/use-latest.ts";
import type { ListedLine } from "./rows.ts";

export type Scroller = Virtualizer<HTMLDivElement, Element>;

/** The end of the feed; or a line at the top, in the middle, or no further than needed to be in sight. */
export type ScrollPlace = "end" | { key: string; at: "start" | "center" | "nearest" };

interface AnchorOptions {
  virtualizer: Scroller;
  scroller: RefObject<HTMLDivElement | null>;
  lines: readonly ListedLine[];
  isNewestKnown: boolean;
  /** Where the feed was last scrolled to, by the page or by the person. */
  position: RefObject<number>;
  /** Set whenever the person scrolls. */
  isScrolled: RefObject<boolean>;
}

/** Browsers round positions to pixels of the screen. */
const rounding = 1.5;
/** How near to the end the person sees what is added there. */
export const followsWithin = 60;
/** How near to the end it stays in sight while the window changes. */
const staysWithin = 24;

interface Anchor {
  /** Goes to a place and holds it. */
  hold: (place: ScrollPlace) => void;
  /** Whether the feed is at its end, or on its way there. */
  holdsEnd: () => boolean;
}

export function useScrollAnchor(options: AnchorOptions): Anchor {
  const { virtualizer, scroller, lines, isNewestKnown, position, isScrolled } = options;
  const held = useRef<ScrollPlace | null>(null);
  const distance = useRef(Number.POSITIVE_INFINITY);
  /** Whether the end was in sight when all rows there last had their sizes: messages may arrive faster than they are drawn. */
  const follows = useRef(false);
  const stay = useLatest(() => {
    if (held.current === null) return;
    const range = rangeOf(held.current, virtualizer, lines);
    if (!range) {
      held.current = null;
      return;
    }
    const offset = within(position.current, range);
    if (Math.abs(offset - position.current) <= rounding) return;
    if (held.current === "end") virtualizer.scrollToEnd();
    else virtualizer.scrollToOffset(offset);
  });
  const hold = useCallback(
    (place: ScrollPlace) => {
      held.current = place;
      stay.current();
    },
    [stay],
  );

  const last = lines.at(-1)?.key;
  const lastBefore = useRef(last);
  // After each render: every change of the lines and of their sizes causes one.
  useLayoutEffect(() => {
    const isAppended = last !== lastBefore.current;
    lastBefore.current = last;
    if (isAppended && isNewestKnown && follows.current) held.current = "end";
    stay.current();
    distance.current = lastOffset(virtualizer) - position.current;
    if (isDrawn(virtualizer)) follows.current = distance.current <= followsWithin;
  });

  const release = useLatest(() => {
    const place = held.current;
    if (isNewestKnown && lastOffset(virtualizer) - position.current < rounding) held.current = "end";
    else if (place === null || place === "end" || place.at !== "nearest") held.current = null;
    else {
      const range = rangeOf(place, virtualizer, lines);
      if (!range || Math.abs(within(position.current, range) - position.current) > rounding)
        held.current = null;
    }
  });
  useEffect(() => {
    const { current } = scroller;
    if (!current) return;
    const note = () => {
      const before = position.current;
      const now = current.scrollTop;
      if (Math.abs(now - before) <= rounding) return;
      position.current = now;
      isScrolled.current = true;
      distance.current = current.scrollHeight - current.clientHeight - now;
      follows.current = distance.current <= followsWithin;
      // The browser itself moves what is below the end of content that became shorter.
      const isCut = now < before && distance.current <= rounding;
      if (!isCut) release.current();
    };
    // The composer grows while the person types, and banners appear and disappear.
    let height = current.clientHeight;
    const sizes = new ResizeObserver(() => {
      if (current.clientHeight === height) return;
      height = current.clientHeight;
      if (distance.current < staysWithin && isDrawn(virtualizer)) held.current = "end";
      stay.current();
    });
    current.addEventListener("scroll", note, { passive: true });
    sizes.observe(current);
    return () => {
      current.removeEventListener("scroll", note);
      sizes.disconnect();
    };
  }, [scroller, virtualizer, position, isScrolled, release, stay]);
  const holdsEnd = useCallback(() => held.current === "end", []);
  return { hold, holdsEnd };
}

/** The first and last offset at which the feed shows the place. */
function rangeOf(
  place: ScrollPlace,
  virtualizer: Scroller,
  lines: readonly ListedLine[],
): [number, number] | undefined {
  const end = lastOffset(virtualizer);
  if (place === "end") return [end, end];
  const item = virtualizer.measurementsCache[lines.findIndex(({ key }) => key === place.key)];
  if (!item) return undefined;
  const height = virtualizer.scrollRect?.height ?? 0;
  const inside = (offset: number) => Math.max(0, Math.min(end, offset));
  const [atTop, atBottom] = [inside(item.start), inside(item.end - height)];
  if (place.at === "start") return [atTop, atTop];
  if (place.at === "nearest") return [Math.min(atTop, atBottom), Math.max(atTop, atBottom)];
  const middle = inside(item.start + (item.size - height) / 2);
  return [middle, middle];
}

const within = (offset: number, [first, last]: [number, number]) => Math.max(first, Math.min(last, offset));

function lastOffset(virtualizer: Scroller): number {
  return Math.max(0, virtualizer.getTotalSize() - (virtualizer.scrollRect?.height ?? 0));
}

/** Rows whose sizes are no guesses any more. */
const drawn = new WeakSet<Element>();

export const measureRow: typeof measureElement = (element, entry, virtualizer) => {
  drawn.add(element);
  return measureElement(element, entry, virtualizer);
};

/** Whether all rows around what is in sight have their sizes. */
export function isDrawn(virtualizer: Scroller): boolean {
  return virtualizer.getVirtualItems().every(({ key }) => {
    const row = virtualizer.elementsCache.get(key);
    return row !== undefined && drawn.has(row);
  });
}
