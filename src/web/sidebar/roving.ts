// One stop of the Tab key for a list: the arrows move within it.
import { type KeyboardEvent, useEffect, useRef } from "react";

const rows = "[data-row]";

function setStop(list: Element, stop: HTMLElement): void {
  for (const row of list.querySelectorAll<HTMLElement>(rows)) row.tabIndex = row === stop ? 0 : -1;
}

export function useRoving<E extends HTMLElement>() {
  const list = useRef<E>(null);
  useEffect(() => {
    const { current } = list;
    if (!current) return;
    const all = [...current.querySelectorAll<HTMLElement>(rows)];
    if (all.some((row) => row === document.activeElement)) return;
    const stop =
      all.find((row) => row.ariaCurrent === "page") ?? all.find((row) => row.tabIndex === 0) ?? all[0];
    if (stop) setStop(current, stop);
  });
  return {
    ref: list,
    onFocus: ({ target }: { target: Element }) => {
      const row = target.closest<HTMLElement>(rows);
      if (row && list.current) setStop(list.current, row);
    },
    onKeyDown: (event: KeyboardEvent) => {
      const keys: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };
      const by = keys[event.key];
      if (by === undefined || !list.current || event.ctrlKey || event.metaKey || event.altKey) return;
      const all = [...list.current.querySelectorAll<HTMLElement>(rows)].filter(
        (row) => row.offsetParent !== null,
      );
      const at = all.indexOf(document.activeElement as HTMLElement);
      if (at < 0) return;
      event.preventDefault();
      all[Math.max(0, Math.min(all.length - 1, at + by))]?.focus();
    },
  };
}
