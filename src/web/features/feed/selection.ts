// The selected message: arrows and j/k move the selection, commands act on it.
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { createStore } from "../../lib/observable.ts";
import type { ListedLine } from "./rows.ts";
import type { Scroller, ScrollPlace } from "./scroll-anchor.ts";

/** The ID of the selected message of the feed on screen. */
export const selectedMessage = createStore<number | null>(null);

/** Moves the selection from anywhere: by this many messages, or to an end. */
export const moveSelection = createStore<{ by: number | "first" | "last" } | null>(null);

interface Selecting {
  lines: readonly ListedLine[];
  virtualizer: Scroller;
  scroller: RefObject<HTMLDivElement | null>;
  hold: (place: ScrollPlace) => void;
}

const steps: Record<string, number | "first" | "last"> = {
  ArrowUp: -1,
  ArrowDown: 1,
  k: -1,
  j: 1,
  Home: "first",
  End: "last",
};

export function useSelection({ lines, virtualizer, scroller, hold }: Selecting) {
  const [selected, setSelected] = useState<string | null>(null);
  const focusRow = useFocusing(scroller);

  const select = useCallback(
    (index: number) => {
      const line = lines[index];
      if (!line) return;
      setSelected(line.key);
      selectedMessage.set("message" in line ? line.message.id : null);
      hold({ key: line.key, at: "nearest" });
      focusRow(line.key);
    },
    [lines, hold, focusRow],
  );

  const step = useCallback(
    (by: number | "first" | "last") => {
      const at = lines.findIndex(({ key }) => key === selected);
      const visible = virtualizer.range?.endIndex ?? lines.length - 1;
      if (by === "first") select(0);
      else if (by === "last") select(lines.length - 1);
      else select(at < 0 ? visible : Math.max(0, Math.min(lines.length - 1, at + by)));
    },
    [lines, selected, select, virtualizer],
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
    onKeyDown: (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const by = steps[event.key];
      if (by === undefined || isTyping(event.target)) return;
      event.preventDefault();
      event.stopPropagation();
      step(by);
    },
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
