// The Tab key stops once in a list; arrow keys move within it.
import { type KeyboardEvent, useCallback, useRef } from "react";

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

/** Focuses another row of the view's list: by this many rows, or at an end. Returns whether there is one. */
export function moveInList(by: number | "first" | "last"): boolean {
  const all = [...document.querySelectorAll<HTMLElement>(`#view ${rows}`)].filter(isShown);
  const at = all.indexOf(document.activeElement as HTMLElement);
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

export function useRoving<E extends HTMLElement>() {
  const list = useRef<E>(null);
  const ref = useCallback((element: E) => {
    list.current = element;
    return tend(element);
  }, []);
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
      all[Math.max(0, Math.min(all.length - 1, at + by))]?.focus();
    },
  };
}
