// The terminal itself: raw input, the alternate screen, the mouse, the clipboard, and leaving all of it as it was.
import type { Line, Size } from "../layout.ts";
import { type Input, inputReader } from "./input.ts";
import { type PaintedRow, pacer, paintChanges, rowsOf } from "./painter.ts";
import { shadeOf, styleLine, type Theme, themeFor } from "./theme.ts";

export interface Terminal {
  readonly size: Size;
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
  frame(size: Size): readonly Line[];
  /** Whether the console takes the mouse; else it selects text as anywhere in the terminal. */
  takesMouse(): boolean;
  onInput(input: Input): void;
}

const mouseOn = "\x1b[?1000h\x1b[?1006h";
const mouseOff = "\x1b[?1006l\x1b[?1000l";
const enter = `\x1b[?1049h\x1b[?25l\x1b[?2004h${mouseOn}\x1b]11;?\x1b\\`;
const leave = `\x1b[0m${mouseOff}\x1b[?2004l\x1b[?25h\x1b[?1049l`;
/** A lone escape is a key if nothing follows it for this long. */
const escapeMs = 40;
const frameMs = 40;
const answerMs = 30;
/** The max output for a slow line, in bytes: per second, and at once. */
const bytesPerSecond = 36_000;
const burst = 24_000;
/** Clipboards of some terminals take no more. */
const maxCopied = 70_000;

export function openTerminal({ stdin, stdout, env, frame, takesMouse, onInput }: Options): Terminal {
  let theme: Theme = themeFor(env);
  let rows: readonly string[] = [];
  let shown: readonly PaintedRow[] = [];
  /** The newest frame, while the line is still busy with an older one. */
  let wanted: readonly PaintedRow[] = [];
  let held: ReturnType<typeof setTimeout> | null = null;
  const watchers = new Set<() => void>();
  let endScreen: (() => void) | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let lastAt = Number.NEGATIVE_INFINITY;
  let isClosed = false;
  let hasMouse = true;
  const pace = pacer(bytesPerSecond, burst, () => performance.now());
  const reader = inputReader();
  let unsure: ReturnType<typeof setTimeout> | undefined;

  // A terminal without a size (0×0, as under some supervisors) is taken for the usual one.
  const size = (): Size => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 });

  function paint(): void {
    timer = null;
    if (isClosed) return;
    rows = frame(size()).map((line) => styleLine(theme, line));
    lastAt = performance.now();
    if (takesMouse() !== hasMouse) {
      hasMouse = !hasMouse;
      stdout.write(hasMouse ? mouseOn : mouseOff);
    }
    if (endScreen) for (const changed of watchers) changed();
    else {
      accept(rows.join("\n"));
      void import("./screen.tsx").then(({ showScreen }) => {
        if (!isClosed) endScreen ??= showScreen({ rows: source, size, onFrame: accept });
      });
    }
  }

  const source = {
    watch(changed: () => void) {
      watchers.add(changed);
      return () => void watchers.delete(changed);
    },
    current: () => rows,
  };

  function accept(text: string): void {
    if (isClosed) return;
    wanted = rowsOf(text);
    if (held === null) write();
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
    shown = [];
    wanted = [];
    stdout.write("\x1b[0m\x1b[2J");
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
    const isFirst = lastAt === Number.NEGATIVE_INFINITY;
    theme = { ...theme, shade };
    if (!isFirst || timer === null) return;
    clearTimeout(timer);
    paint();
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
    endScreen?.();
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
  // The first frame waits a moment for the terminal's answer, so that it does not change its colours. Meanwhile the
  // code that draws it warms up.
  const beganAt = performance.now();
  frame(size());
  timer = setTimeout(paint, Math.max(0, answerMs - (performance.now() - beganAt)));
  return {
    get size() {
      return size();
    },
    draw,
    copy: (text) =>
      void stdout.write(`\x1b]52;c;${Buffer.from(text.slice(0, maxCopied)).toString("base64")}\x07`),
    close,
  };
}
