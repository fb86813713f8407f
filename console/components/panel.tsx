// A frame around something, with its title in the border.
import { Box, Text } from "ink";
import { type ReactNode, use } from "react";
import { cut, type Line, type Segment, widthOf } from "../layout.ts";
import { lookOf, ThemeContext } from "./theme.ts";
import { Words } from "./words.tsx";

export interface Area {
  width: number;
  height: number;
}

/** The room within a panel. */
export function within({ width, height }: Area): Area {
  return { width: width - 4, height: height - 2 };
}

interface PanelProps extends Area {
  title: Line;
  /** In the border, below on the right. */
  foot?: string;
  isFocused?: boolean;
  /** Where it lies over others. */
  over?: { left: number; top: number };
  children?: ReactNode;
}

export function Panel({ title, foot = "", isFocused = true, over, width, height, children }: PanelProps) {
  const tone = isFocused ? "accent" : "faint";
  const { color, isDim } = lookOf(use(ThemeContext), { tone });
  const place = over ? { position: "absolute" as const, ...over } : {};
  return (
    <Box
      width={width}
      height={height}
      flexShrink={0}
      flexDirection="column"
      borderStyle="round"
      borderColor={color}
      borderDimColor={isDim}
      paddingX={1}
      {...place}
    >
      {over && <Blank width={width - 2} height={height - 2} />}
      <Box position="absolute" top={-1} left={1}>
        <Words line={[{ text: " " }, ...fitTitle(title, width - 5), { text: " " }]} />
      </Box>
      {foot !== "" && (
        <Box position="absolute" bottom={-1} right={1}>
          <Words line={[{ text: ` ${foot} `, tone }]} />
        </Box>
      )}
      {children}
    </Box>
  );
}

/** Hides what is below. */
function Blank({ width, height }: Area) {
  return (
    <Box position="absolute" left={0} top={0}>
      <Text>{Array.from({ length: height }, () => " ".repeat(width)).join("\n")}</Text>
    </Box>
  );
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
