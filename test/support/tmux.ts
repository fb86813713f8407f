// Programs in a real terminal: sends keys, reads the screen.
import { executable } from "./executable.ts";

export const hasTmux = Bun.which("tmux") !== null;

export interface Terminal {
  /** Presses keys by tmux's names: "Enter", "C-s", "j". */
  press(...keys: string[]): void;
  type(text: string): void;
  /** The screen as a selection copies it: lines that the terminal wrapped are whole. */
  selectable(): string;
  /** Waits until a program has copied something to the clipboard, and returns it. */
  copied(): Promise<string>;
  /** The screen with its colour sequences. */
  looks(): string;
  /** Waits until the text is on the screen, and returns the screen. */
  sees(text: string | RegExp): Promise<string>;
  resize(columns: number, rows: number): void;
  close(): void;
}

const patience = 30_000;
let opened = 0;

interface Size {
  columns: number;
  rows: number;
  env?: Record<string, string>;
}

/** Runs one of our commands in a terminal. */
export function openTerminal(args: readonly string[], size: Size): Terminal {
  return openProgram([...executable, ...args], size);
}

/** Runs any program in a terminal. */
export function openProgram(words: readonly string[], { columns, rows, env = {} }: Size): Terminal {
  const socket = `confab-test-${process.pid}-${++opened}`;
  const command = (...given: string[]) => ["tmux", "-u", "-L", socket, "-f", "/dev/null", ...given];
  const tmux = (...given: string[]) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync(command(...given));
    if (exitCode !== 0) throw new Error(`tmux ${given.join(" ")}: ${stderr}`);
    return stdout.toString();
  };
  const clean = [
    "env",
    "-u",
    "NO_COLOR",
    "-u",
    "CI",
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
  ];
  const quoted = [...clean, ...words].map((part) => `'${part.replaceAll("'", "'\\''")}'`).join(" ");
  tmux(
    "new-session",
    "-d",
    "-x",
    String(columns),
    "-y",
    String(rows),
    `${quoted}; echo "left with $?"; sleep 60`,
  );
  tmux("set-option", "-s", "set-clipboard", "on");
  return {
    press: (...keys) => void tmux("send-keys", "--", ...keys),
    type: (text) => void tmux("send-keys", "-l", "--", text),
    selectable: () => tmux("capture-pane", "-p", "-J"),
    async copied() {
      const end = performance.now() + patience;
      while (tmux("list-buffers") === "") {
        if (performance.now() > end) throw new Error("Nothing was copied.");
        await Bun.sleep(20);
      }
      return tmux("show-buffer");
    },
    looks: () => tmux("capture-pane", "-p", "-e"),
    async sees(text) {
      const end = performance.now() + patience;
      for (;;) {
        // Not spawnSync, because several terminals wait at the same time.
        const shown = await new Response(Bun.spawn(command("capture-pane", "-p")).stdout).text();
        if (typeof text === "string" ? shown.includes(text) : text.test(shown)) return shown;
        if (performance.now() > end) throw new Error(`The screen never showed ${text}:\n${shown}`);
        await Bun.sleep(25);
      }
    },
    resize: (width, height) => void tmux("resize-window", "-x", String(width), "-y", String(height)),
    close: () => void Bun.spawnSync(["tmux", "-L", socket, "kill-server"]),
  };
}
