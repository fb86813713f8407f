import { type TouchEvent, useRef } from "react";
import { language } from "./texts.ts";

const far = 72;

/** Handlers for a swipe from where lines begin, except on elements that scroll horizontally. */
export function useSwipe(back: () => void) {
  const start = useRef<{ x: number; y: number } | null>(null);
  return {
    onTouchStart: ({ touches, target }: TouchEvent) => {
      const touch = touches[0];
      const isSideways =
        target instanceof Element && target.closest("pre, table, input, textarea, .katex-display");
      start.current =
        touch && touches.length === 1 && !isSideways ? { x: touch.clientX, y: touch.clientY } : null;
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const [from, touch] = [start.current, changedTouches[0]];
      start.current = null;
      if (!from || !touch) return;
      const right = touch.clientX - from.x;
      const [along, down] = [language.dir === "rtl" ? -right : right, Math.abs(touch.clientY - from.y)];
      if (along > far && down < along / 2) back();
    },
  };
}
