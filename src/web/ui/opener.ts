// The button of a menu or popover. The floating element is set up once it opens, because each message of a feed has two such buttons.
import { type KeyboardEvent, type MouseEvent, type ReactElement, type Ref, useRef, useState } from "react";

type Trigger = ReactElement<Record<string, unknown> & { ref?: Ref<HTMLElement> }>;

interface Opener {
  trigger: Trigger;
  onOpenChange?: ((open: boolean) => void) | undefined;
}

export function useOpener(role: "menu" | "dialog", { trigger, onOpenChange }: Opener) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLElement>(null);
  const isByKeyboard = useRef(false);
  const change = (next: boolean) => {
    setOpen(next);
    onOpenChange?.(next);
  };
  const own = trigger.props as {
    onClick?: (event: MouseEvent) => void;
    onKeyDown?: (event: KeyboardEvent) => void;
  };
  const props = {
    ref: button,
    "aria-haspopup": role,
    "aria-expanded": open,
    onClick: (event: MouseEvent) => {
      own.onClick?.(event);
      isByKeyboard.current = event.detail === 0;
      change(!open);
    },
    onKeyDown: (event: KeyboardEvent) => {
      own.onKeyDown?.(event);
      if (role !== "menu" || open || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
      event.preventDefault();
      event.stopPropagation();
      isByKeyboard.current = true;
      change(true);
    },
  };
  return { open, change, button, isByKeyboard, props };
}
