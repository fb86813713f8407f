// A long press on a touch screen. Not every browser emits a "contextmenu" event for it.
import { type TouchEvent, useRef } from "react";

const duration = 500;
const maxMove = 10;

/** Handlers that call `open` with the element after a long press; `open` returns whether it did something. */
export function useLongPress(open: (target: Element, at: { x: number; y: number }) => boolean) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const start = useRef({ x: 0, y: 0 });
  const hasOpened = useRef(false);
  return {
    onTouchStart: ({ touches, target }: TouchEvent) => {
      const touch = touches[0];
      clearTimeout(timer.current);
      hasOpened.current = false;
      if (!touch || touches.length > 1 || !(target instanceof Element)) return;
      start.current = { x: touch.clientX, y: touch.clientY };
      timer.current = setTimeout(() => {
        hasOpened.current = open(target, start.current);
      }, duration);
    },
    onTouchMove: ({ touches }: TouchEvent) => {
      const touch = touches[0];
      const { x, y } = start.current;
      if (!touch || Math.hypot(touch.clientX - x, touch.clientY - y) > maxMove) clearTimeout(timer.current);
    },
    onTouchEnd: (event: TouchEvent) => {
      clearTimeout(timer.current);
      // Lifting the finger after opening the menu must not click anything.
      if (hasOpened.current) event.preventDefault();
    },
    onTouchCancel: () => clearTimeout(timer.current),
  };
}
