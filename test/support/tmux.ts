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
  /** Waits until a program has copied something to the clipboard, and takes it from there. */
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
  const shell = `${quoted}; echo "left with $?"; sleep 60`;
  const size = ["-x", String(columns), "-y", String(rows)];
  tmux("new-session", "-d", ...size, shell, ";", "set-option", "-s", "set-clipboard", "on");
  const { ask, outputs } = controlled(command("-C", "attach-session", "-f", "ignore-size"));
  let failure: unknown;
  const tell = (...given: string[]) =>
    void ask(...given).catch((error) => {
      failure ??= error;
    });
  return {
    press: (...keys) => tell("send-keys", "--", ...keys),
    type: (text) => tell("send-keys", "-l", "--", text),
    paste(text) {
      const loaded = Bun.spawnSync(command("load-buffer", "-"), {
        env: surroundings(),
        stdin: Buffer.from(text),
      });
      if (loaded.exitCode !== 0) throw new Error(`tmux load-buffer: ${loaded.stderr}`);
      tell("paste-buffer", "-p", "-d");
    },
    selectable: () => tmux("capture-pane", "-p", "-J"),
    async copied() {
      await until(() => tmux("list-buffers") !== "", "something is copied", 20);
      return tmux("show-buffer", ";", "delete-buffer");
    },
    looks: () => tmux("capture-pane", "-p", "-e"),
    async sees(text) {
      let shown = "";
      let looked = -1;
      const isSeen = async () => {
        if (looked === outputs()) return false;
        looked = outputs();
        shown = await ask("capture-pane", "-p");
        if (failure) throw failure;
        return typeof text === "string" ? shown.includes(text) : text.test(shown);
      };
      await until(isSeen, () => `the screen shows ${text}:\n${shown}`);
      return shown;
    },
    resize: (width, height) => tell("resize-window", "-x", String(width), "-y", String(height)),
    close: () => void Bun.spawnSync(["tmux", "-L", socket, "kill-server"]),
  };
}

/**
 * A client of tmux that stays: a process for each key and each look at the screen would cost more than the program that is tried.
 * `ask` runs a command of tmux, in the order of the calls, and returns what it prints; `outputs` counts what the program has written.
 */
function controlled(words: string[]) {
  const client = Bun.spawn(words, { env: surroundings(), stdin: "pipe", stdout: "pipe" });
  client.unref();
  const waiting: PromiseWithResolvers<string>[] = [];
  let outputs = 0;
  /** What a command has printed so far, between "%begin" and "%end" or "%error", which have the same words. */
  let answer: { words: string; lines: string[] } | null = null;
  const take = (line: string) => {
    if (answer && (line === `%end ${answer.words}` || line === `%error ${answer.words}`)) {
      const text = answer.lines.join("\n");
      // Ending in 1: asked by this client.
      const asked = answer.words.endsWith(" 1") ? waiting.shift() : undefined;
      if (line.startsWith("%end ")) asked?.resolve(text);
      else asked?.reject(new Error(`tmux: ${text}`));
      answer = null;
    } else if (answer) answer.lines.push(line);
    else if (line.startsWith("%begin ")) answer = { words: line.slice("%begin ".length), lines: [] };
    else if (line.startsWith("%output ") || line.startsWith("%layout-change ")) outputs++;
  };
  const read = async () => {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of client.stdout) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      lines.forEach(take);
    }
    for (const asked of waiting) asked.reject(new Error("tmux has ended"));
  };
  void read();
  return {
    outputs: () => outputs,
    ask(...given: string[]): Promise<string> {
      const asked = Promise.withResolvers<string>();
      waiting.push(asked);
      client.stdin.write(`${given.map(quotedForTmux).join(" ")}\n`);
      client.stdin.flush();
      return asked.promise;
    },
  };
}

/** A word in a line that tmux reads: everything that could mean something to it, as octal numbers. */
function quotedForTmux(word: string): string {
  const escaped = word.replace(
    /[^\w .\-\u0080-\u{10ffff}]/gu,
    (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return `"${escaped}"`;
}
