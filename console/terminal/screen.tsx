// The screen as Ink's: one Text a row. Loaded once the first frame is shown, since Ink takes a while to load.
import { Writable } from "node:stream";
import { Box, render, Text } from "ink";
import { memo, useSyncExternalStore } from "react";
import type { Size } from "../layout.ts";

export interface Rows {
  watch(changed: () => void): () => void;
  /** The rows of the frame to show; the same array until they change. */
  current(): readonly string[];
}

interface Options {
  rows: Rows;
  size(): Size;
  /** Gets each frame that Ink renders, as one text. */
  onFrame(frame: string): void;
}

/** Lets Ink render the rows from now on, until the returned function is called. */
export function showScreen({ rows, size, onFrame }: Options): () => void {
  const out = new Writable({
    decodeStrings: false,
    write(chunk, _, done) {
      onFrame(String(chunk));
      done();
    },
  });
  Object.defineProperties(out, {
    columns: { get: () => size().columns },
    rows: { get: () => size().rows },
  });
  // With `debug`, Ink writes each frame whole; the painter finds what changed, and the terminal sets the pace.
  const shown = render(<Screen rows={rows} />, {
    stdout: out,
    debug: true,
    interactive: false,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  return () => shown.unmount();
}

function Screen({ rows }: { rows: Rows }) {
  const texts = useSyncExternalStore(rows.watch, rows.current);
  // Every row has its width; wide enough that Ink, which counts some scripts otherwise, cuts none.
  return (
    <Box flexDirection="column" width="200%" flexShrink={0}>
      {[...texts.entries()].map(([y, text]) => (
        <ScreenRow key={y} text={text} />
      ))}
    </Box>
  );
}

const ScreenRow = memo(({ text }: { text: string }) => <Text wrap="truncate">{text}</Text>);
