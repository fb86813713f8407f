// Where floating elements go.
import { computePosition, flip, offset, type Placement, shift, size } from "@floating-ui/react";
import { language } from "../lib/texts.ts";

/** Where lines of text end. */
export const beside: Placement = language.dir === "rtl" ? "left-start" : "right-start";

/** Keeps a floating element within the window; it scrolls inside. */
export function fitting() {
  return size({
    padding: 8,
    apply: ({ availableHeight, elements }) => {
      elements.floating.style.maxHeight = `${Math.max(160, availableHeight)}px`;
    },
  });
}

/** Shows a hidden element above another, and within the window. */
export async function placeAbove(target: HTMLElement, node: HTMLElement): Promise<void> {
  const middleware = [offset(6), flip(), shift({ padding: 8 })];
  const { x, y } = await computePosition(target, node, { placement: "top", strategy: "fixed", middleware });
  node.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  node.style.visibility = "visible";
}
