// Marks as read what the reader has on screen, as their settings say.
import { type RefObject, useEffect, useRef } from "react";
import { useClient, useSelect, useValue } from "../client.ts";
import { watched } from "../state/watched.ts";
import { isDrawn, type Scroller } from "./holding.ts";
import type { Line } from "./rows.ts";

/** Whether marking is paused, because the person has marked something as unread; until they leave the view. */
export const readingPaused = watched(false);

interface Reader {
  virtualizer: Scroller;
  lines: readonly Line[];
  scroller: RefObject<HTMLDivElement | null>;
  isConversation: boolean;
  isSearch: boolean;
}

const policies = { always: 1, conversations: 2, never: 3 };

export function useReading({ virtualizer, lines, scroller, isConversation, isSearch }: Reader): void {
  const { flagging, isVisitor } = useClient();
  const policy = useSelect((state) => state.user_settings.web_mark_read_on_scroll_policy);
  const isPaused = useValue(readingPaused);
  const marks =
    !isVisitor &&
    !isPaused &&
    !isSearch &&
    (policy === policies.always || (policy === policies.conversations && isConversation));
  const look = useRef(() => {});
  look.current = () => {
    if (!marks || document.visibilityState !== "visible" || !document.hasFocus()) return;
    // While sizes are guesses, the feed may show another place for a moment.
    if (!scroller.current || !isDrawn(virtualizer)) return;
    const feed = scroller.current.getBoundingClientRect();
    const seen = virtualizer.getVirtualItems().flatMap(({ index, key }) => {
      const line = lines[index];
      const row = virtualizer.elementsCache.get(key)?.getBoundingClientRect();
      if (!row || !line || !("message" in line)) return [];
      const isSeen = row.bottom > feed.top && (row.bottom <= feed.bottom + 4 || row.top < feed.top);
      return isSeen ? [line.message.id] : [];
    });
    flagging.see(seen);
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
