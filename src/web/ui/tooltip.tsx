// One tooltip for the whole page: shows the `data-tip` of the element under the pointer or with the focus.
import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { importOnce } from "./on-demand.tsx";
import css from "./tooltip.module.css";

interface Tip {
  target: HTMLElement;
  text: string;
  keys: string | undefined;
}

const loadPlacement = importOnce(() => import("./placement.ts"));
const delay = 400;
const isTouch = (event: Event) => event instanceof PointerEvent && event.pointerType === "touch";

/** Mount it once. Elements with `data-tip` need their own label for screen readers. */
export function Tips() {
  const [tip, setTip] = useState<Tip | null>(null);
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hide = () => {
      clearTimeout(timer);
      setTip(null);
    };
    const show = (event: Event, wait: number) => {
      const target = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-tip]") : null;
      clearTimeout(timer);
      if (!target || isTouch(event) || target.getAttribute("aria-expanded") === "true") return setTip(null);
      const { tip: text = "", keys } = target.dataset;
      timer = setTimeout(() => target.isConnected && setTip({ target, text, keys }), wait);
    };
    const over = (event: Event) => show(event, delay);
    const focus = (event: FocusEvent) => {
      if (event.target instanceof Element && event.target.matches(":focus-visible")) show(event, 0);
      else hide();
    };
    const key = (event: KeyboardEvent) => event.key === "Escape" && hide();
    const listeners = [
      ["pointerover", over],
      ["pointerdown", hide],
      ["focusin", focus],
      ["focusout", hide],
      ["scroll", hide],
      ["keydown", key],
    ] as const;
    for (const [name, listener] of listeners) {
      document.addEventListener(name, listener as EventListener, { capture: true, passive: true });
    }
    return () => {
      clearTimeout(timer);
      for (const [name, listener] of listeners) {
        document.removeEventListener(name, listener as EventListener, { capture: true });
      }
    };
  }, []);

  useEffect(() => {
    const node = box.current;
    if (!tip || !node) return;
    let isLeft = false;
    loadPlacement()
      .then(({ placeAbove }) => (isLeft ? null : placeAbove(tip.target, node)))
      // It stays hidden until its code is there.
      .catch(() => {});
    return () => {
      isLeft = true;
    };
  }, [tip]);

  if (!tip?.text) return null;
  return createPortal(
    <div ref={box} className={css.tooltip} aria-hidden="true">
      {tip.text}
      {tip.keys ? (
        <kbd className={css.keys} dir="ltr">
          {tip.keys}
        </kbd>
      ) : null}
    </div>,
    document.body,
  );
}
