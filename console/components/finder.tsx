// What ':' finds, over the rest.
import type { Layer } from "../controller/state.ts";
import { fit, line, pad, sanitize, widthOf } from "../layout.ts";
import { Choices } from "./choices.tsx";
import { type Area, Panel, within } from "./panel.tsx";

/** In the middle of this area. */
export function Finder({ layer, ...area }: Area & { layer: Layer & { kind: "finder" } }) {
  const { field, found, index } = layer;
  const size = { width: Math.min(84, area.width - 4), height: Math.min(18, area.height - 2) };
  const inner = within(size);
  const room = Math.max(1, inner.height - 2);
  const first = Math.max(0, index - room + 1);
  const nouns = Math.max(0, ...found.map(({ noun }) => widthOf(noun)));
  const rows = found
    .slice(first, first + room)
    .map(({ noun, name, about }, i) =>
      fit(
        [
          { text: first + i === index ? "▸ " : "  ", tone: "accent" },
          { text: `${pad(noun, nouns)}  `, tone: "second" },
          { text: `${sanitize(name)}  ` },
          { text: sanitize(about), tone: "dim" },
        ],
        inner.width,
        first + i === index ? "selected" : undefined,
      ),
    );
  const left = Math.floor((area.width - size.width) / 2);
  return (
    <Panel {...size} over={{ left, top: 1 }} title={line("Go to", "title")}>
      <Choices sign=":" typed={field.text} rows={rows} first={first} kind="find" />
    </Panel>
  );
}
