// Programs in a real terminal: sends keys, reads the screen.
import { executable, surroundings } from "./executable.ts";
import { until } from "./waiting.ts";

export const hasTmux = Bun.which("tmux") !== null;

export interface Terminal {
  /** Presses keys by tmux's names: "Enter", "C-s", "j". */
  press(...keys: string[]): void;
  type(text: string): void;
  /** Pastes as a terminal does, in brackets if the program asked for them. */
  paste(text: string): void;
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
  const socket = `confab-test-${Bun.randomUUIDv7()}`;
  const command = (...given: string[]) => ["tmux", "-u", "-L", socket, "-f", "/dev/null", ...given];
  const tmux = (...given: string[]) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync(command(...given), { env: surroundings() });
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
    paste(text) {
      const loaded = Bun.spawnSync(command("load-buffer", "-"), {
        env: surroundings(),
        stdin: Buffer.from(text),
      });
      if (loaded.exitCode !== 0) throw new Error(`tmux load-buffer: ${loaded.stderr}`);
      tmux("paste-buffer", "-p", "-d");
    },
    selectable: () => tmux("capture-pane", "-p", "-J"),
    async copied() {
      await until(() => tmux("list-buffers") !== "", "something is copied", 20);
      return tmux("show-buffer");
    },
    looks: () => tmux("capture-pane", "-p", "-e"),
    async sees(text) {
      let shown = "";
      const isSeen = async () => {
        // Not spawnSync, because several terminals wait at the same time.
        shown = await new Response(Bun.spawn(command("capture-pane", "-p")).stdout).text();
        return typeof text === "string" ? shown.includes(text) : text.test(shown);
      };
      await until(isSeen, () => `the screen shows ${text}:\n${shown}`, 25);
      return shown;
    },
    resize: (width, height) => void tmux("resize-window", "-x", String(width), "-y", String(height)),
    close: () => void Bun.spawnSync(["tmux", "-L", socket, "kill-server"]),
  };
}
