// The Tab key stops once in a list; arrow keys move within it.
import { type KeyboardEvent, useCallback, useRef } from "react";
import { useLatest } from "./use-latest.ts";

const rows = "[data-row]";

function setStop(list: Element, stop: HTMLElement): void {
  for (const row of list.querySelectorAll<HTMLElement>(rows)) {
    const wanted = row === stop ? 0 : -1;
    if (row.tabIndex !== wanted) row.tabIndex = wanted;
  }
}

/** Rows change without a render of the whole list, so after each change this makes one of them the stop. */
function tend(list: Element): () => void {
  const settle = () => {
    const all = [...list.querySelectorAll<HTMLElement>(rows)];
    const focused = all.find((row) => row === document.activeElement);
    const page = all.find((row) => row.ariaCurrent === "page");
    const stop = focused ?? page ?? all.find((row) => row.tabIndex === 0) ?? all[0];
    if (stop) setStop(list, stop);
  };
  settle();
  const changes = new MutationObserver(settle);
  changes.observe(list, { childList: true, subtree: true, attributeFilter: ["aria-current"] });
  return () => changes.disconnect();
}

/** By so many rows, or to an end. */
export type RowMove = number | "first" | "last";

/** What moves the focus in lists (`data-virtual`) of which only the rows near the window exist. */
const movers = new WeakMap<Element, (by: RowMove) => void>();

function moverOf(row: Element | undefined): ((by: RowMove) => void) | undefined {
  const list = row?.closest("[data-virtual]");
  return list ? movers.get(list) : undefined;
}

/** Focuses another row of the view's list: by this many rows, or at an end. Returns whether there is one. */
export function moveInList(by: RowMove): boolean {
  const all = [...document.querySelectorAll<HTMLElement>(`#view ${rows}`)].filter(isShown);
  const at = all.indexOf(document.activeElement as HTMLElement);
  const move = typeof by === "string" || at >= 0 ? moverOf(all[0]) : undefined;
  if (move) {
    move(by);
    return true;
  }
  const last = all.length - 1;
  const stop = Math.max(
    0,
    all.findIndex((row) => row.tabIndex === 0),
  );
  const moved = by === "first" ? 0 : by === "last" ? last : Math.max(0, Math.min(last, at + by));
  const row = all[typeof by === "number" && at < 0 ? stop : moved];
  row?.focus();
  return row !== undefined;
}

const isShown = (row: HTMLElement) => row.offsetParent !== null;

/** `move` moves the focus in a list of which only the rows near the window exist. */
export function useRoving<E extends HTMLElement>(move?: (by: RowMove) => void) {
  const list = useRef<E>(null);
  const latest = useLatest(move);
  const ref = useCallback(
    (element: E) => {
      list.current = element;
      movers.set(element, (by) => latest.current?.(by));
      return tend(element);
    },
    [latest],
  );
  return {
    ref,
    onFocus: ({ target }: { target: Element }) => {
      const row = target.closest<HTMLElement>(rows);
      if (row && list.current) setStop(list.current, row);
    },
    onKeyDown: (event: KeyboardEvent) => {
      const keys: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };
      const by = keys[event.key];
      if (by === undefined || !list.current || event.ctrlKey || event.metaKey || event.altKey) return;
      const all = [...list.current.querySelectorAll<HTMLElement>(rows)].filter(isShown);
      const at = all.indexOf(document.activeElement as HTMLElement);
      if (at < 0) return;
      event.preventDefault();
      const mover = moverOf(all[at]);
      if (mover) mover(Number.isFinite(by) ? by : by < 0 ? "first" : "last");
      else all[Math.max(0, Math.min(all.length - 1, at + by))]?.focus();
    },
  };
}
