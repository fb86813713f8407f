import { Box, Text } from "ink";
import type { Line, Tone } from "../layout.ts";

type Look = Omit<React.ComponentProps<typeof Text>, "children">;

const hasColor = () => !process.env.NO_COLOR && process.env.TERM !== "dumb";

const colors: Record<Tone, Look> = {
  plain: {},
  dim: { dimColor: true },
  good: { color: "green" },
  bad: { color: "red" },
  warn: { color: "yellow" },
  accent: { color: "cyan" },
  title: { bold: true },
};

/** Without colour, only font weight distinguishes tones. */
const weights: Record<Tone, Look> = {
  ...colors,
  good: {},
  bad: { bold: true },
  warn: { bold: true },
  accent: { bold: true },
};

function lookOf(tone: Tone = "plain"): Look {
  return (hasColor() ? colors : weights)[tone];
}

export function Row({ line, inverse = false }: { line: Line; inverse?: boolean }) {
  const keyed = line.map((segment, i) => ({ ...segment, place: i }));
  return (
    <Text wrap="truncate" inverse={inverse}>
      {keyed.map(({ text, tone, cursor, place }) => (
        <Text key={place} inverse={inverse || cursor} {...(inverse ? {} : lookOf(tone))}>
          {text}
        </Text>
      ))}
      {line.length === 0 ? " " : ""}
    </Text>
  );
}

/** Lines below each other, cut to the height. */
export function Rows({ lines, height }: { lines: readonly Line[]; height: number }) {
  const shown = lines.slice(0, Math.max(0, height)).map((line, i) => ({ line, place: i }));
  return (
    <Box flexDirection="column">
      {shown.map(({ line, place }) => (
        <Row key={place} line={line} />
      ))}
    </Box>
  );
}
