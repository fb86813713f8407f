// Where the mouse meets what.
import { Box, type BoxProps, type DOMElement } from "ink";
import type { PropsWithChildren } from "react";
import type { ClickTarget } from "../controller/state.ts";

/** What is at these cells of a zone. */
type TargetAt = (x: number, y: number) => ClickTarget | null;

const zones = new WeakMap<DOMElement, TargetAt>();

/** A box that says what the mouse meets in it. */
export function Zone({ at, ...box }: PropsWithChildren<BoxProps> & { at: ClickTarget | TargetAt }) {
  return (
    <Box
      {...box}
      ref={(element) => {
        if (element) zones.set(element, typeof at === "function" ? at : () => at);
      }}
    />
  );
}

/** What is at these cells of an element, in the innermost zone that has something there. */
export function targetAt(element: DOMElement, x: number, y: number): ClickTarget | null {
  const place = element.yogaNode?.getComputedLayout();
  if (!place) return null;
  const [left, top] = [x - place.left, y - place.top];
  if (left < 0 || top < 0 || left >= place.width || top >= place.height) return null;
  for (const child of element.childNodes.toReversed()) {
    const found = child.nodeName === "#text" ? null : targetAt(child, left, top);
    if (found) return found;
  }
  return zones.get(element)?.(left, top) ?? null;
}
