// The selected message: arrows and j/k move the selection, commands act on it.
import { type FocusEvent, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { createStore } from "../../lib/observable.ts";
import { useLatest } from "../../lib/use-latest.ts";
import { showFailure } from "../../ui/toasts.tsx";
import type { ListedLine } from "./rows.ts";
import type { Scroller, ScrollPlace } from "./scroll-anchor.ts";

/** The ID of the selected message of the feed on screen. */
export const selectedMessage = createStore<number | null>(null);

/** Moves the selection from anywhere: by this many messages, or to an end of all that there are. */
export const moveSelection = createStore<{ by: number | "first" | "last" } | null>(null);

interface Selecting {
  lines: readonly ListedLine[];
  virtualizer: Scroller;
  scroller: RefObject<HTMLDivElement | null>;
  hold: (place: ScrollPlace) => void;
  /** Whether the person has scrolled since the selection moved. */
  isScrolled: RefObject<boolean>;
  /** Whether the first and the last message of all are known. */
  ends: Readonly<Record<End, boolean>>;
  jump: (to: "newest" | "oldest") => Promise<void>;
}

type End = "first" | "last";

export function useSelection(options: Selecting) {
  const { lines, virtualizer, scroller, hold, isScrolled, ends, jump } = options;
  const [selected, setSelected] = useState<string | null>(null);
  /** The end that is being fetched. */
  const sought = useRef<End | null>(null);
  const focusRow = useFocusing(scroller);

  const select = useCallback(
    (index: number, place?: ScrollPlace) => {
      const line = lines[index];
      if (!line) return;
      setSelected(line.key);
      selectedMessage.set("message" in line ? line.message.id : null);
      isScrolled.current = false;
      hold(place ?? { key: line.key, at: "nearest" });
      focusRow(line.key);
    },
    [lines, hold, focusRow, isScrolled],
  );

  const selectEnd = useLatest((end: End) => {
    if (end === "last") select(lines.length - 1, "end");
    else if (lines[0]) select(0, { key: lines[0].key, at: "start" });
  });
  useEffect(() => {
    if (sought.current === null || !ends[sought.current]) return;
    selectEnd.current(sought.current);
    sought.current = null;
  });

  const step = useCallback(
    (by: number | End) => {
      sought.current = null;
      if (typeof by === "number") {
        const at = lines.findIndex(({ key }) => key === selected);
        // By where it is scrolled to: the list hears of a page turned by a key a little later.
        const { scrollTop = 0, clientHeight = 0 } = scroller.current ?? {};
        const indexAt = (offset: number) => virtualizer.getVirtualItemForOffset(offset)?.index;
        const startIndex = indexAt(scrollTop) ?? 0;
        const endIndex = indexAt(scrollTop + clientHeight - 1) ?? lines.length - 1;
        const isAway = at < 0 || (isScrolled.current && (at < startIndex || at > endIndex));
        if (isAway) select(at >= 0 && by > 0 ? startIndex : endIndex);
        else select(Math.max(0, Math.min(lines.length - 1, at + by)));
      } else if (ends[by]) selectEnd.current(by);
      else {
        sought.current = by;
        jump(by === "last" ? "newest" : "oldest").catch((error: unknown) => {
          sought.current = null;
          showFailure(error);
        });
      }
    },
    [lines, selected, select, selectEnd, virtualizer, scroller, isScrolled, ends, jump],
  );

  useEffect(
    () =>
      moveSelection.subscribe(() => {
        const move = moveSelection.get();
        if (move) step(move.by);
      }),
    [step],
  );
  useEffect(() => () => selectedMessage.set(null), []);

  const current = lines.find(({ key }) => key === selected);
  const isOutgoing = current !== undefined && "outgoing" in current;
  const wasOutgoing = useRef(false);
  // The message was selected while it was being sent: only now it has an ID, and a new row without the focus.
  useEffect(() => {
    const hasArrived = wasOutgoing.current && current && "message" in current;
    wasOutgoing.current = isOutgoing;
    if (!hasArrived) return;
    selectedMessage.set(current.message.id);
    if (document.activeElement !== document.body) return;
    scroller.current
      ?.querySelector<HTMLElement>(`[data-key="${current.key}"]`)
      ?.focus({ preventScroll: true });
  }, [current, isOutgoing, scroller]);

  return {
    selected,
    onFocus: (event: FocusEvent) => {
      const row = (event.target as Element).closest<HTMLElement>("[data-key]");
      const line = lines.find(({ key }) => key === row?.dataset.key);
      if (!line || line.key === selected) return;
      setSelected(line.key);
      selectedMessage.set("message" in line ? line.message.id : null);
    },
  };
}

/** Returns a function that focuses a row, as soon as it is drawn. */
function useFocusing(scroller: RefObject<HTMLDivElement | null>): (key: string) => void {
  const wanted = useRef<{ key: string; from: Element | null } | null>(null);
  const look = useCallback(() => {
    if (!wanted.current) return;
    const { key, from } = wanted.current;
    const { activeElement } = document;
    const hasMoved = activeElement !== from && activeElement !== document.body;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-key="${key}"]`);
    if (!row && !hasMoved) return;
    wanted.current = null;
    if (!hasMoved && !isTyping(activeElement)) row?.focus({ preventScroll: true });
  }, [scroller]);
  useEffect(look);
  return useCallback(
    (key) => {
      wanted.current = null;
      // The next key, such as the one for a reply, may come before this frame.
      requestAnimationFrame(() => {
        wanted.current = { key, from: document.activeElement };
        look();
      });
    },
    [look],
  );
}

export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
