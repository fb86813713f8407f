// Marks as read what the reader has on screen, as their settings say.
import { type RefObject, useEffect, useRef } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import { readingPaused } from "../../api/flagging.ts";
import { useStore } from "../../lib/observable.ts";
import type { ListedLine } from "./rows.ts";
import { isDrawn, type Scroller } from "./scroll-anchor.ts";

interface FeedReader {
  virtualizer: Scroller;
  lines: readonly ListedLine[];
  scroller: RefObject<HTMLDivElement | null>;
  /** Whether the feed is at its end, or on its way there. */
  holdsEnd: () => boolean;
  isConversation: boolean;
  isSearch: boolean;
}

const policies = { always: 1, conversations: 2, never: 3 };

export function useReading({
  virtualizer,
  lines,
  scroller,
  holdsEnd,
  isConversation,
  isSearch,
}: FeedReader): void {
  const { flagging, isVisitor } = useClient();
  const policy = useSelect((state) => state.user_settings.web_mark_read_on_scroll_policy);
  const isPaused = useStore(readingPaused);
  const marks =
    !isVisitor &&
    !isPaused &&
    !isSearch &&
    (policy === policies.always || (policy === policies.conversations && isConversation));
  /** The last line, if it was on screen at the last look. */
  const followed = useRef<string | null>(null);
  const look = useRef(() => {});
  look.current = () => {
    if (!marks || document.visibilityState !== "visible" || !document.hasFocus()) {
      followed.current = null;
      return;
    }
    // While sizes are guesses, the feed may show another place for a moment.
    if (!scroller.current || !isDrawn(virtualizer)) return;
    const feed = scroller.current.getBoundingClientRect();
    const seen = virtualizer.getVirtualItems().flatMap(({ index, key }) => {
      const row = virtualizer.elementsCache.get(key)?.getBoundingClientRect();
      if (!row) return [];
      const isSeen = row.bottom > feed.top && (row.bottom <= feed.bottom + 4 || row.top < feed.top);
      return isSeen ? [index] : [];
    });
    const [first = 0, last = -1] = [seen[0], seen.at(-1)];
    const isAtEnd = last === lines.length - 1;
    // What passed by while the feed followed new messages has been seen, however fast they came.
    const passed = isAtEnd ? lines.findLastIndex(({ key }) => key === followed.current) : -1;
    if (isAtEnd) followed.current = lines[last]?.key ?? null;
    else if (!holdsEnd()) followed.current = null;
    const from = passed < 0 ? first : Math.min(passed, first);
    const read = lines.slice(from, last + 1);
    flagging.see(read.flatMap((line) => ("message" in line ? [line.message.id] : [])));
  };
  // Runs after each render, because scrolling, new messages and resizing all cause one.
  useEffect(() => look.current());
  useEffect(() => {
    const again = () => look.current();
    addEventListener("focus", again);
    document.addEventListener("visibilitychange", again);
    return () => {
      removeEventListener("focus", again);
      document.removeEventListener("visibilitychange", again);
      readingPaused.set(false);
    };
  }, []);
}
