// A line of typed text with what it finds below, one of which is selected: the finder, and the choices for a field.
import { Box } from "ink";
import type { ClickTarget } from "../controller/state.ts";
import { type Line, line, sanitize } from "../layout.ts";
import { Lines, Words } from "./words.tsx";
import { Zone } from "./zone.tsx";

interface ChoicesProps {
  sign: string;
  typed: string;
  /** Between the typed text and the rows. */
  between?: readonly Line[];
  /** The rows that fit, and the number of the first of them. */
  rows: readonly Line[];
  first: number;
  kind: "find" | "pick";
}

export function Choices({ sign, typed, between = [], rows, first, kind }: ChoicesProps) {
  const targetAt = (_: number, y: number): ClickTarget | null =>
    y < rows.length ? { kind, index: first + y } : null;
  return (
    <Box flexDirection="column" flexShrink={0} rowGap={1}>
      <Lines
        lines={[
          [{ text: `${sign} `, tone: "accent" }, { text: sanitize(typed) }, { text: " ", cursor: true }],
          ...between,
        ]}
      />
      <Zone at={targetAt} flexDirection="column" flexShrink={0}>
        {[...rows.entries()].map(([i, one]) => (
          <Words key={i} line={one} />
        ))}
        {rows.length === 0 && <Words line={line("Nothing has such a name.", "dim")} />}
      </Zone>
    </Box>
  );
}
