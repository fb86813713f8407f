// The list of screens on the left.
import type { ControllerState } from "../controller/state.ts";
import { block, fit, type Line, line } from "../layout.ts";
import type { BoxArea } from "./box.ts";

interface Entry {
  at: number | null;
  text: string;
}

/** All screens under their headings; where there are too few lines, without headings, scrolled to the open one. */
export function sidebar(state: ControllerState, { x, y, width, height }: BoxArea): Line[] {
  const headed = entries(state, true);
  const all = headed.length <= height ? headed : entries(state, false);
  const open = all.findIndex(({ at }) => at === state.at);
  const top = Math.max(0, Math.min(all.length - height, open - Math.floor(height / 2)));
  const lines = all.slice(top, top + height).map(({ at, text }, i): Line => {
    const cutOff = (i === 0 && top > 0) || (i === height - 1 && top + height < all.length);
    if (at === null) return line(text, "faint");
    state.zones.push({ x, y: y + i, width, height: 1, target: { kind: "screen", at } });
    const isOpen = at === state.at;
    const { key, title } = state.screens[at] ?? { key: "", title: "" };
    return fit(
      [
        { text: ` ${key} `, tone: isOpen ? "accent" : "faint" },
        { text: title, tone: isOpen ? "title" : "dim" },
        { text: cutOff ? " …" : "", tone: "faint" },
      ],
      width,
      isOpen ? "selected" : undefined,
    );
  });
  return block(lines, width, height);
}

function entries({ screens }: ControllerState, withHeadings: boolean): Entry[] {
  let area = "";
  return screens.flatMap((screen, at): Entry[] => {
    const isNew = screen.area !== area;
    area = screen.area;
    const heading = [
      { at: null, text: "" },
      { at: null, text: ` ${area.toUpperCase()}` },
    ];
    return [...(withHeadings && isNew ? heading : []), { at, text: "" }];
  });
}
