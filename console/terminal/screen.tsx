// Ink renders the components; what it writes goes to the painter, and never to the terminal itself.
import { Writable } from "node:stream";
import { Box, type DOMElement, type Instance, render } from "ink";
import { type ReactNode, useSyncExternalStore } from "react";
import { type Theme, ThemeContext, themeFor } from "../components/theme.ts";
import { targetAt } from "../components/zone.tsx";
import type { ClickTarget } from "../controller/state.ts";
import type { Size } from "../layout.ts";

export interface InkScreen {
  /** Renders this: the first time at once, later in a microtask. */
  show(theme: Theme, content: ReactNode): void;
  /** What the mouse meets at these cells. */
  targetAt(x: number, y: number): ClickTarget | null;
  close(): void;
}

/** `onFrame` gets each frame whole, as one text. */
export function openScreen(size: () => Size, onFrame: (frame: string) => void): InkScreen {
  let isOpen = true;
  const out = new Writable({
    decodeStrings: false,
    write(chunk, _, done) {
      if (isOpen) onFrame(String(chunk));
      done();
    },
  });
  Object.defineProperties(out, {
    columns: { get: () => size().columns },
    rows: { get: () => size().rows },
  });
  let root: DOMElement | null = null;
  let shown: { theme: Theme; content: ReactNode } = { theme: themeFor({}), content: null };
  let renderAgain = () => {};
  const watchShown = (notice: () => void) => {
    renderAgain = notice;
    return () => {};
  };
  const keepRoot = (element: DOMElement | null) => {
    root = element;
  };

  // Ink renders it once: with each `rerender` of Ink's, all texts would be rendered again, changed or not.
  function Root() {
    const { theme, content } = useSyncExternalStore(watchShown, () => shown);
    const { columns, rows } = size();
    return (
      <ThemeContext value={theme}>
        <Box width={columns} height={rows} ref={keepRoot}>
          {content}
        </Box>
      </ThemeContext>
    );
  }

  // With `debug`, Ink writes each frame at once and whole; the painter finds what changed, and the terminal sets the pace.
  const begin = () =>
    render(<Root />, {
      stdout: out as unknown as NodeJS.WriteStream,
      debug: true,
      interactive: false,
      exitOnCtrlC: false,
      patchConsole: false,
    });
  let ink: Instance | null = null;
  return {
    show(theme, content) {
      shown = { theme, content };
      if (ink) renderAgain();
      else ink = begin();
    },
    targetAt: (x, y) => (root ? targetAt(root, x, y) : null),
    close() {
      // Ink writes its last frames while it ends; nobody wants them.
      isOpen = false;
      ink?.unmount();
    },
  };
}
