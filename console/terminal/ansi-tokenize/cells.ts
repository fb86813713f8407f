// What Ink takes texts apart with and puts frames together with, in place of the package of this name (package.json#overrides),
// which took half of what a key cost: Ink does that with each text of each frame.
import { isSteady, signsOf } from "../../layout.ts";
import { styledTextsOf, writeStyledTexts } from "../painter.ts";

/** A character as Ink keeps it for the cell where it begins. */
interface Cell {
  type: "char";
  value: string;
  fullWidth: boolean;
  /** One look as the painter has it, or none. */
  styles: readonly string[];
}

const plain: readonly string[] = [];

/** The characters of a text with the codes of its styles. */
export function tokenize(text: string): Cell[] {
  const cells: Cell[] = [];
  for (const { text: run, look } of styledTextsOf(text)) {
    const styles = look === "" ? plain : [look];
    const values = isSteady(run) ? run : signsOf(run);
    for (const value of values) cells.push({ type: "char", value, fullWidth: false, styles });
  }
  return cells;
}

export function styledCharsFromTokens(cells: Cell[]): Cell[] {
  return cells;
}

export function styledCharsToString(cells: readonly Cell[]): string {
  return writeStyledTexts(cells.map(({ value, styles: [look = ""] }) => ({ text: value, look })));
}
