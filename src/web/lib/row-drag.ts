// Rows of a list that are dragged to another place, by mouse, pen or finger. The list keeps the order of its elements meanwhile: rows
// are only shifted, so that nothing loses its focus.
import { type CSSProperties, type PointerEvent, useEffect, useState } from "react";
import { useLatest } from "./use-latest.ts";

interface Drag {
  list: HTMLElement;
  pointerId: number;
  /** Of the row. */
  from: number;
  to: number;
  /** How far the row is from its place, in pixels. */
  offset: number;
  /** Which rows stood there at the beginning. */
  known: string;
  /** How far below the top of the row it was taken. */
  hold: number;
  pointer: number;
}

/** The handle's props for a row, and what a row looks like meanwhile. `known` changes whenever the rows do, which ends a drag. */
export function useRowDrag(known: string, onMove: (from: number, to: number) => void) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const latest = useLatest({ drag, onMove });
  const isDragging = drag !== null;
  if (drag && drag.known !== known) setDrag(null);

  useEffect(() => {
    if (!isDragging) return;
    // Each frame, since the page is scrolled as long as the row is held at its edge.
    const follow = () => {
      frame = requestAnimationFrame(follow);
      // By what is the newest then: a move of the pointer may not have been drawn yet.
      setDrag(placed);
      const { drag: now } = latest.current;
      if (!now) return;
      now.list.children[now.from]?.scrollIntoView({ block: "nearest" });
    };
    let frame = requestAnimationFrame(follow);
    const cancel = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      setDrag(null);
    };
    addEventListener("keydown", cancel, true);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("keydown", cancel, true);
    };
  }, [isDragging, latest]);

  const handle = (from: number) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const row = event.currentTarget.closest("li");
      const list = row?.parentElement;
      if (!row || !list || event.button !== 0 || !event.isPrimary) return;
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      const { pointerId, clientY: pointer } = event;
      const hold = pointer - row.getBoundingClientRect().top;
      setDrag({ list, pointerId, from, to: from, offset: 0, known, hold, pointer });
    },
    onPointerMove: ({ pointerId, clientY }: PointerEvent) =>
      setDrag((now) => (now?.pointerId === pointerId ? { ...now, pointer: clientY } : now)),
    onPointerUp: ({ pointerId, clientY }: PointerEvent) => {
      if (drag?.pointerId !== pointerId) return;
      const { to } = placeOf({ ...drag, pointer: clientY });
      setDrag(null);
      if (to !== from) onMove(from, to);
    },
    onPointerCancel: () => setDrag(null),
  });

  return {
    handle,
    dragged: drag?.from ?? null,
    styleOf: (at: number) => (drag ? styleOf(drag, at) : undefined),
  };
}

function placed(drag: Drag | null): Drag | null {
  if (!drag) return null;
  const { to, offset } = placeOf(drag);
  return to === drag.to && offset === drag.offset ? drag : { ...drag, to, offset };
}

/** Where the row is now, and its place if it is let go there: behind the rows of which it covers half. */
function placeOf({ list, from, hold, pointer }: Drag): Pick<Drag, "to" | "offset"> {
  const rows = [...list.children] as HTMLElement[];
  const row = rows[from];
  const last = rows.at(-1);
  if (!row || !last) return { to: from, offset: 0 };
  const start = rows[0]?.offsetTop ?? 0;
  const wanted = pointer - hold - list.getBoundingClientRect().top + start;
  const top = Math.max(start, Math.min(wanted, endOf(last) - row.offsetHeight));
  const before = rows.slice(0, from).filter((other) => top < middleOf(other)).length;
  const after = rows.slice(from + 1).filter((other) => top + row.offsetHeight > middleOf(other)).length;
  return { to: from - before + after, offset: top - row.offsetTop };
}

const endOf = ({ offsetTop, offsetHeight }: HTMLElement) => offsetTop + offsetHeight;
const middleOf = ({ offsetTop, offsetHeight }: HTMLElement) => offsetTop + offsetHeight / 2;

function styleOf({ list, from, to, offset }: Drag, at: number): CSSProperties | undefined {
  const height = (list.children[from] as HTMLElement | undefined)?.offsetHeight ?? 0;
  const shift = at === from ? offset : at > from && at <= to ? -height : at < from && at >= to ? height : 0;
  return shift === 0 ? undefined : { transform: `translateY(${shift}px)` };
}
