// On touch screens a long press opens a message's menu; a right click does the same.
import { type MouseEvent, type TouchEvent, useRef, useState } from "react";
import { useClient } from "../client.ts";
import type { Message, Term } from "../state/message-shape.ts";
import { MenuAt } from "../ui/menu.tsx";
import { messageItems } from "./message-items.ts";

const longPress = 500;
const maxMove = 10;

interface Pressed {
  message: Message;
  at: { x: number; y: number };
}

/** Handlers for the list of messages, and the menu that they open. */
export function useTouchMenu(terms: readonly Term[]) {
  const client = useClient();
  const [pressed, setPressed] = useState<Pressed | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const start = useRef({ x: 0, y: 0 });
  const hasOpened = useRef(false);

  const open = (target: EventTarget, at: { x: number; y: number }) => {
    const row = target instanceof Element ? target.closest<HTMLElement>("[data-message]") : null;
    const message = client.store.get().messages[Number(row?.dataset.message)];
    if (message) setPressed({ message, at });
    return message !== undefined;
  };
  const isOwnMenu = (target: EventTarget) =>
    target instanceof Element && target.closest("a, textarea, input, img, video, audio") !== null;

  const handlers = {
    onContextMenu: (event: MouseEvent) => {
      if (isOwnMenu(event.target) || !getSelection()?.isCollapsed) return;
      if (open(event.target, { x: event.clientX, y: event.clientY })) event.preventDefault();
    },
    onTouchStart: (event: TouchEvent) => {
      const touch = event.touches[0];
      clearTimeout(timer.current);
      hasOpened.current = false;
      if (!touch || event.touches.length > 1 || isOwnMenu(event.target)) return;
      const { target } = event;
      start.current = { x: touch.clientX, y: touch.clientY };
      timer.current = setTimeout(() => {
        hasOpened.current = open(target, start.current);
      }, longPress);
    },
    onTouchMove: ({ touches }: TouchEvent) => {
      const touch = touches[0];
      const { x, y } = start.current;
      if (!touch || Math.hypot(touch.clientX - x, touch.clientY - y) > maxMove) clearTimeout(timer.current);
    },
    onTouchEnd: (event: TouchEvent) => {
      clearTimeout(timer.current);
      // Lifting the finger that opened the menu must not click anything.
      if (hasOpened.current) event.preventDefault();
    },
  };
  const menu = (
    <MenuAt
      label="Message"
      at={pressed?.at ?? null}
      items={pressed ? messageItems(client, pressed.message, terms) : []}
      onClose={() => setPressed(null)}
    />
  );
  return { handlers, menu };
}
