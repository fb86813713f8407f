// The list of choices for a field.
import type { Ctx } from "@/kernel/core/context.ts";
import { isPicked, meaningOfPicked } from "../controller/picker.ts";
import type { ControllerState, Picking } from "../controller/state.ts";
import { fit, type Line, line, pad, sanitize, widthOf, wrapLines } from "../layout.ts";
import { Choices } from "./choices.tsx";
import { type Area, Panel, within } from "./panel.tsx";

const meaningRows = 3;

interface PickerProps extends Area {
  state: ControllerState;
  layer: Picking;
  ctx: Ctx;
}

/** The filter, the choice so far, and the list. */
export function Picker({ state, layer, ctx, ...area }: PickerProps) {
  const { width, height } = within(area);
  const { filling, name, field, index, found, all, chosen } = layer;
  const room = Math.max(1, height - 2 - meaningRows);
  state.page = room;
  const first = Math.max(0, Math.min(index - Math.floor(room / 2), found.length - room));
  const visible = found.slice(first, first + room);
  const nouns = Math.max(0, ...all.map(({ noun }) => widthOf(noun)));
  const names = Math.min(Math.floor(width / 2), Math.max(0, ...visible.map((pick) => widthOf(pick.name))));
  const rows = visible.map((pick, i) => {
    const isSelected = first + i === index;
    const isChosen = isPicked(layer, pick);
    return fit(
      [
        { text: isSelected ? "▸ " : "  ", tone: "accent" },
        { text: isChosen ? "● " : "○ ", tone: isChosen ? "good" : "faint" },
        { text: `${pad(pick.noun, nouns)}  `, tone: "second" },
        { text: `${pad(sanitize(pick.name), names)}  `, tone: isChosen ? "title" : "plain" },
        { text: sanitize(pick.about), tone: "dim" },
      ],
      width,
      isSelected ? "selected" : undefined,
    );
  });
  const title = sanitize(`${filling.form.title}: ${filling.form.fields[name]?.label ?? ""}`);
  return (
    <Panel {...area} title={line(title, "title")} foot={`${chosen.length} chosen`}>
      <Choices
        sign="/"
        typed={field.text}
        between={meaningLines(layer, ctx, width)}
        rows={rows}
        first={first}
        kind="pick"
      />
    </Panel>
  );
}

/** Always the same number of lines, so that the list does not move. */
function meaningLines(layer: Picking, ctx: Ctx, width: number): Line[] {
  const meaning = meaningOfPicked(layer, ctx);
  const count = layer.chosen.length;
  const text = meaning !== "" ? `= ${meaning}` : count === 0 ? "Nothing is chosen yet." : `${count} chosen`;
  const lines = wrapLines(text, width, count === 0 ? "dim" : "good");
  return Array.from({ length: meaningRows }, (_, i) => lines[i] ?? []);
}
