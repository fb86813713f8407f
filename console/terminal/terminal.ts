// The terminal itself: raw input, the alternate screen, the mouse, the clipboard, and leaving all of it as it was.
import type { ReactNode } from "react";
import { shadeOf, type Theme, themeFor } from "../components/theme.ts";
import type { Size } from "../layout.ts";
import { type Input, inputReader } from "./input.ts";
import {
  copyText,
  enter,
  leave,
  mouseOff,
  mouseOn,
  type PaintedRow,
  pacer,
  paintChanges,
  rowsOf,
  wipe,
} from "./painter.ts";
import { type InkScreen, openScreen } from "./screen.tsx";

export interface Terminal {
  readonly size: Size;
  targetAt: InkScreen["targetAt"];
  /** Asks for a new frame soon; many calls are one frame. */
  draw(): void;
  /** Puts a text onto the clipboard of the terminal's machine. */
  copy(text: string): void;
  close(): void;
}

interface Options {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  env: Readonly<Record<string, string | undefined>>;
  frame(size: Size): ReactNode;
  /** Whether the console takes the mouse; else it selects text as anywhere in the terminal. */
  takesMouse(): boolean;
  onInput(input: Input): void;
}

/** A lone escape is a key if nothing follows it for this long. */
const escapeMs = 40;
const frameMs = 40;
const answerMs = 30;
/** The max output for a slow line, in bytes: per second, and at once. */
const bytesPerSecond = 36_000;
const burst = 24_000;

export function openTerminal({ stdin, stdout, env, frame, takesMouse, onInput }: Options): Terminal {
  let theme: Theme = themeFor(env);
  let shown: readonly PaintedRow[] = [];
  /** The newest frame, while the line is still busy with an older one. */
  let wanted: readonly PaintedRow[] = [];
  let held: ReturnType<typeof setTimeout> | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let lastAt = 0;
  let isClosed = false;
  let hasMouse = true;
  /** Whether the first frame is not shown yet. */
  let isWaiting = true;
  const pace = pacer(bytesPerSecond, burst, () => performance.now());
  const reader = inputReader();
  let unsure: ReturnType<typeof setTimeout> | undefined;

  // A terminal without a size (0×0, as under some supervisors) is taken for the usual one.
  const size = (): Size => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 });

  const screen = openScreen(size, (text) => {
    wanted = rowsOf(text);
  });

  function paint(): void {
    timer = null;
    if (isClosed) return;
    screen.show(theme, frame(size()));
    // Ink writes nothing while nothing changes; a wiped terminal needs the frame, though.
    queueMicrotask(() => {
      if (held === null) write();
    });
    lastAt = performance.now();
    if (takesMouse() === hasMouse) return;
    hasMouse = !hasMouse;
    stdout.write(hasMouse ? mouseOn : mouseOff);
  }

  function write(): void {
    held = null;
    if (isClosed) return;
    const bytes = paintChanges(shown, wanted, size().columns);
    if (bytes === "") return;
    const length = Buffer.byteLength(bytes);
    const wait = pace.wait(length);
    if (wait > 0) {
      held = setTimeout(write, wait);
      return;
    }
    shown = wanted;
    pace.wrote(length);
    stdout.write(bytes);
  }

  function draw(): void {
    if (timer !== null || isClosed) return;
    timer = setTimeout(paint, Math.max(0, lastAt + frameMs - performance.now()));
  }

  function whole(): void {
    if (held !== null) clearTimeout(held);
    held = null;
    shown = [];
    stdout.write(wipe);
    draw();
  }

  function take(inputs: readonly Input[]): void {
    for (const input of inputs) {
      if (input.kind === "background") learn(shadeOf(input.colour));
      else onInput(input);
    }
    draw();
  }

  function learn(shade: Theme["shade"]): void {
    theme = { ...theme, shade };
    if (!isWaiting) return;
    isWaiting = false;
    if (held !== null) clearTimeout(held);
    held = null;
    paint();
  }

  /** Shows the first frame. */
  function begin(): void {
    isWaiting = false;
    write();
  }

  const onData = (chunk: Uint8Array) => {
    clearTimeout(unsure);
    take(reader.push(chunk));
    if (reader.isWaiting) unsure = setTimeout(() => take(reader.flush()), escapeMs);
  };

  const onResize = () => whole();
  function close(): void {
    if (isClosed) return;
    isClosed = true;
    screen.close();
    clearTimeout(unsure);
    if (timer !== null) clearTimeout(timer);
    if (held !== null) clearTimeout(held);
    stdin.off("data", onData);
    stdout.off("resize", onResize);
    process.off("exit", close);
    process.off("SIGCONT", resume);
    stdin.setRawMode(false);
    stdin.pause();
    stdout.write(leave);
  }
  function resume(): void {
    stdin.setRawMode(true);
    stdout.write(enter);
    hasMouse = true;
    whole();
  }

  stdin.setRawMode(true);
  stdin.on("data", onData);
  stdin.resume();
  stdout.on("resize", onResize);
  process.on("exit", close);
  process.on("SIGCONT", resume);
  stdout.write(enter);
  // The first frame waits a moment for the terminal's answer, so that it does not change its colours.
  held = setTimeout(begin, answerMs);
  paint();
  return {
    get size() {
      return size();
    },
    draw,
    targetAt: screen.targetAt,
    copy: (text) => void stdout.write(copyText(text)),
    close,
  };
}
