// Ink's measure of widths, in place of the package of this name (package.json#overrides): the painter's own, so that Ink and
// the painter agree on every column.
import { widthOf } from "../../layout.ts";

/** Cells that a text takes; Ink passes texts with the codes of their styles. */
export default function stringWidth(text: string): number {
  return widthOf(Bun.stripANSI(text));
}
