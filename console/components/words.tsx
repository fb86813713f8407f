// Text of screens: a line is one Text of Ink, in the looks of the theme.
import { Box, Text } from "ink";
import { memo, type ReactNode, use } from "react";
import { type Line, line } from "../layout.ts";
import { writeStyledTexts } from "../terminal/painter.ts";
import { type Look, lookOf, type Theme, ThemeContext } from "./theme.ts";

/** One line, cut where the room ends. */
export const Words = memo(
  ({ line }: { line: Line }) => {
    const theme = use(ThemeContext);
    return <Text wrap="truncate">{paintLine(theme, line)}</Text>;
  },
  // Lines are made for each frame, and most are as they were.
  (before, after) =>
    before.line.length === after.line.length &&
    before.line.every((one, i) => {
      const other = after.line[i];
      return (
        one.text === other?.text &&
        one.tone === other.tone &&
        one.back === other.back &&
        one.cursor === other.cursor
      );
    }),
);

/** Blanks that show nothing take the look before them, so that fewer codes are written. */
function paintLine(theme: Theme, segments: Line): string {
  let look: Look | null = null;
  return writeStyledTexts(
    segments.map((segment) => {
      const own = lookOf(theme, segment);
      const isBlank = !own.hasGround && segment.text.trim() === "";
      if (!isBlank || look?.hasGround) look = own;
      return { text: segment.text, look: look?.codes ?? "" };
    }),
  );
}

/** Lines below each other; an empty one takes its place, too. */
export function Lines({ lines }: { lines: readonly Line[] }) {
  return (
    <Box flexDirection="column" flexShrink={0}>
      {[...lines.entries()].map(([y, one]) => (
        <Words key={y} line={one.every(({ text }) => text === "") ? line(" ") : one} />
      ))}
    </Box>
  );
}

/** One line over the whole width, at an edge of the screen. */
export function Bar({ columns, children }: { columns: number; children: ReactNode }) {
  const { backgroundColor } = lookOf(use(ThemeContext), { back: "bar" });
  return (
    <Box width={columns} height={1} flexShrink={0} overflow="hidden" backgroundColor={backgroundColor}>
      {children}
    </Box>
  );
}
