// The list of choices for a field.
import type { Ctx } from "@/kernel/core/context.ts";
import { isPicked, meaningOfPicked } from "../controller/picker.ts";
import type { ControllerState, Picking } from "../controller/state.ts";
import { fit, type Line, line, pad, type Segment, sanitize, widthOf, wrap } from "../layout.ts";
import type { BoxArea } from "./box.ts";

const meaningRows = 3;

/** The filter, the choice so far, and the list; records what each mouse position hits. */
export function pickerLines(
  state: ControllerState,
  top: Picking,
  ctx: Ctx,
  { x, y, width, height }: BoxArea,
): Line[] {
  const typed: Line = [
    { text: "/ ", tone: "accent" },
    { text: sanitize(top.field.text) },
    { text: " ", cursor: true },
  ];
  const head = [typed, ...meaningLines(top, ctx, width), []];
  const room = Math.max(1, height - head.length);
  state.page = room;
  const first = Math.max(0, Math.min(top.index - Math.floor(room / 2), top.found.length - room));
  const visible = top.found.slice(first, first + room);
  const nouns = Math.max(0, ...top.all.map(({ noun }) => widthOf(noun)));
  const names = Math.min(Math.floor(width / 2), Math.max(0, ...visible.map(({ name }) => widthOf(name))));
  const rows = visible.map((pick, i): Line => {
    const index = first + i;
    state.zones.push({ x, y: y + head.length + i, width, height: 1, target: { kind: "pick", index } });
    const isChosen = isPicked(top, pick);
    const segments: Segment[] = [
      { text: index === top.index ? "▸ " : "  ", tone: "accent" },
      { text: isChosen ? "● " : "○ ", tone: isChosen ? "good" : "faint" },
      { text: `${pad(pick.noun, nouns)}  `, tone: "second" },
      { text: `${pad(sanitize(pick.name), names)}  `, tone: isChosen ? "title" : "plain" },
      { text: sanitize(pick.about), tone: "dim" },
    ];
    return fit(segments, width, index === top.index ? "selected" : undefined);
  });
  return [...head, ...(rows.length === 0 ? [line("Nothing has such a name.", "dim")] : rows)];
}

/** Always the same number of lines, so that the list does not move. */
function meaningLines(top: Picking, ctx: Ctx, width: number): Line[] {
  const meaning = meaningOfPicked(top, ctx);
  const count = top.chosen.length;
  const text = meaning !== "" ? `= ${meaning}` : count === 0 ? "Nothing is chosen yet." : `${count} chosen`;
  const lines = wrap(text, width).map((one) => line(one, count === 0 ? "dim" : "good"));
  return Array.from({ length: meaningRows }, (_, i) => lines[i] ?? []);
}
