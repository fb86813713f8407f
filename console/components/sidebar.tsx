// The list of screens on the left.
import { Box } from "ink";
import { memo } from "react";
import type { ControllerState } from "../controller/state.ts";
import { fit, type Line, line } from "../layout.ts";
import type { Area } from "./panel.tsx";
import { Words } from "./words.tsx";
import { Zone } from "./zone.tsx";

interface Entry {
  /** The number of its screen; null for a heading. */
  at: number | null;
  text: string;
}

/** Made again only if one of these changes. */
type Shown = Pick<ControllerState, "screens" | "at">;

/** All screens under their headings; where there are too few lines, without headings, scrolled to the open one. */
export const Sidebar = memo(({ screens, at: opened, width, height }: Area & Shown) => {
  const headed = entries(screens, true);
  const all = headed.length <= height ? headed : entries(screens, false);
  const open = all.findIndex(({ at }) => at === opened);
  const top = Math.max(0, Math.min(all.length - height, open - Math.floor(height / 2)));
  const shown = all.slice(top, top + height);
  const hasMore = (i: number) => (i === 0 && top > 0) || (i === height - 1 && top + height < all.length);
  const targetAt = (_: number, y: number) => {
    const at = shown[y]?.at ?? null;
    return at === null ? null : { kind: "screen" as const, at };
  };
  return (
    <Zone at={targetAt} flexDirection="column" width={width} height={height} flexShrink={0}>
      {[...shown.entries()].map(([i, { at, text }]) => (
        <Box key={i} height={1} flexShrink={0}>
          <Words
            line={
              at === null ? line(text, "faint") : screenLine({ screens, at: opened }, at, width, hasMore(i))
            }
          />
        </Box>
      ))}
    </Zone>
  );
});

function screenLine({ screens, at: open }: Shown, at: number, width: number, more: boolean): Line {
  const { key, title } = screens[at] ?? { key: "", title: "" };
  const isOpen = at === open;
  return fit(
    [
      { text: ` ${key} `, tone: isOpen ? "accent" : "faint" },
      { text: title, tone: isOpen ? "title" : "dim" },
      { text: more ? " …" : "", tone: "faint" },
    ],
    width,
    isOpen ? "selected" : undefined,
  );
}

function entries(screens: Shown["screens"], withHeadings: boolean): Entry[] {
  return screens.flatMap(({ area }, at): Entry[] => [
    ...(withHeadings && area !== (screens[at - 1]?.area ?? "")
      ? [
          { at: null, text: "" },
          { at: null, text: ` ${area.toUpperCase()}` },
        ]
      : []),
    { at, text: "" },
  ]);
}
