// The messages that have action buttons: the one under the pointer, and the one with the focus. Others have none in the page.
import { type FocusEvent, type PointerEvent, useCallback, useSyncExternalStore } from "react";
import { createStore } from "../../lib/observable.ts";

const pointed = createStore<number | null>(null);
const focused = createStore<number | null>(null);

/** Handlers for the list of messages. */
export const hoverHandlers = {
  onPointerOver: ({ target }: PointerEvent) => pointed.set(messageAt(target) ?? pointed.get()),
  onFocus: ({ target }: FocusEvent) => focused.set(messageAt(target) ?? focused.get()),
};

function messageAt(target: EventTarget): number | null {
  const row = target instanceof Element ? target.closest<HTMLElement>("[data-message]") : null;
  return row ? Number(row.dataset.message) : null;
}

function subscribe(listener: () => void): () => void {
  const ends = [pointed.subscribe(listener), focused.subscribe(listener)];
  return () => {
    for (const end of ends) end();
  };
}

/** A message keeps its buttons until another one gets them. */
export function useHovered(id: number): boolean {
  return useSyncExternalStore(
    subscribe,
    useCallback(() => pointed.get() === id || focused.get() === id, [id]),
  );
}
