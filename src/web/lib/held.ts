// The order of a list stays while the pointer or the focus is in it, so that nothing moves away from under them.
import { type FocusEvent, type PointerEvent, useRef, useState } from "react";

/** What is gone is left out while the order is held, and what has come is last. */
function holdOrder<T>(held: readonly T[], current: readonly T[]): readonly T[] {
  const known = new Set(held);
  const now = new Set(current);
  return [...held.filter((one) => now.has(one)), ...current.filter((one) => !known.has(one))];
}

export function useHeldOrder<T>(current: readonly T[]) {
  const [isHeld, setHeld] = useState(false);
  const held = useRef(current);
  held.current = isHeld ? holdOrder(held.current, current) : current;
  const holding = {
    onPointerEnter: ({ pointerType }: PointerEvent) => {
      if (pointerType === "mouse") setHeld(true);
    },
    onPointerLeave: ({ currentTarget }: PointerEvent) => {
      if (!currentTarget.contains(document.activeElement)) setHeld(false);
    },
    onFocus: () => setHeld(true),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      const stays = currentTarget.contains(relatedTarget) || currentTarget.matches(":hover");
      if (!stays) setHeld(false);
    },
  };
  return { order: held.current, holding };
}
