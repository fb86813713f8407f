// What is shown once: a key, or a link.
import { Box } from "ink";
import type { Layer } from "../controller/state.ts";
import { chop, type Line, line, widthOf, wrapLines } from "../layout.ts";
import { factLines } from "./details.tsx";
import type { Area } from "./panel.tsx";
import { Lines } from "./words.tsx";

const widestText = 76;
const isLink = (text: string) => /^https?:\/\/\S+$/.test(text);

/**
 * Over the whole width. A link begins in the first column and wraps to the next line, with nothing next to it, so that it
 * can be selected as a whole.
 */
export function Secret({ layer, width, height }: Area & { layer: Layer & { kind: "secret" } }) {
  const { title, facts, picture, remark } = layer;
  const links = facts.filter(([, value]) => isLink(value));
  const others = facts.filter(([, value]) => !isLink(value));
  const wide = Math.max(0, ...picture.map((one) => one.reduce((sum, { text }) => sum + widthOf(text), 0)));
  const hasRoom = wide > 0 && width - wide >= 32;
  const room = Math.min(hasRoom ? width - wide - 4 : width - 2, widestText);
  const text: Line[] = [
    ...wrapLines(title, room, "good"),
    ...(others.length === 0 ? [] : [[], ...factLines(others, room)]),
    [],
    ...wrapLines(remark, room, "warn"),
  ];
  return (
    <Box flexDirection="column" width={width} height={height} overflow="hidden">
      <Lines
        lines={links.flatMap(([, value]): Line[] => [
          [],
          ...chop(value, width).map((one) => line(one, "link")),
        ])}
      />
      <Box marginTop={1} paddingLeft={1} flexShrink={0} flexDirection={hasRoom ? "row" : "column"} rowGap={1}>
        <Box width={hasRoom ? room + 2 : undefined} flexShrink={0}>
          <Lines lines={text} />
        </Box>
        <Lines lines={picture} />
      </Box>
    </Box>
  );
}
