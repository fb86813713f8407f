// A frame around lines, with its title in the border.
import { block, cut, type Line, type Segment, widthOf } from "../layout.ts";

export interface BoxArea {
  /** Where it begins on the screen. */
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The area within a box. */
export function within({ x, y, width, height }: BoxArea): BoxArea {
  return { x: x + 2, y: y + 1, width: width - 4, height: height - 2 };
}

interface Boxed {
  title: Line;
  /** In the border, below on the right. */
  foot?: string;
  lines: readonly Line[];
  isFocused: boolean;
}

export function box({ width, height }: BoxArea, { title, foot = "", lines, isFocused }: Boxed): Line[] {
  const tone = isFocused ? "accent" : "faint";
  const edge = (text: string): Segment => ({ text, tone });
  const room = width - 5;
  const name = fitTitle(title, room);
  const used = name.reduce((sum, { text }) => sum + widthOf(text), 0);
  const below = foot === "" ? "" : ` ${foot} `;
  return [
    [edge("╭─ "), ...name, edge(`${" "}${"─".repeat(Math.max(0, width - 5 - used))}╮`)],
    ...block(lines, width - 4, height - 2).map((line) => [edge("│ "), ...line, edge(" │")]),
    [edge(`╰${"─".repeat(Math.max(0, width - 3 - widthOf(below)))}${below}─╯`)],
  ];
}

/** The title, shortened where the room ends. */
function fitTitle(title: Line, room: number): Line {
  const kept: Segment[] = [];
  let used = 0;
  for (const segment of title) {
    const text = cut(segment.text, room - used);
    if (text.trim() === "" && text !== segment.text) break;
    kept.push({ ...segment, text });
    used += widthOf(text);
    if (text !== segment.text) break;
  }
  return kept;
}
