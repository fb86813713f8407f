// Ink renders the components; what it writes goes to the painter, and never to the terminal itself.
import { Writable } from "node:stream";
import { Box, type DOMElement, render } from "ink";
import type { ReactNode } from "react";
import { type Theme, ThemeContext } from "../components/theme.ts";
import { targetAt } from "../components/zone.tsx";
import type { ClickTarget } from "../controller/state.ts";
import type { Size } from "../layout.ts";

export interface InkScreen {
  /** Renders this, at once. */
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
  // With `debug`, Ink writes each frame at once and whole; the painter finds what changed, and the terminal sets the pace.
  const ink = render(null, {
    stdout: out as unknown as NodeJS.WriteStream,
    debug: true,
    interactive: false,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  return {
    show(theme, content) {
      const { columns, rows } = size();
      ink.rerender(
        <ThemeContext value={theme}>
          <Box
            width={columns}
            height={rows}
            ref={(element) => {
              root = element;
            }}
          >
            {content}
          </Box>
        </ThemeContext>,
      );
    },
    targetAt: (x, y) => (root ? targetAt(root, x, y) : null),
    close() {
      // Ink writes its last frames while it ends; nobody wants them.
      isOpen = false;
      ink.unmount();
    },
  };
}
