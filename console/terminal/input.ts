// Parses a terminal's input into keys, text, pastes, mouse events and answers to queries.

export type Input =
  | { kind: "key"; name: string }
  | { kind: "text"; text: string }
  | { kind: "paste"; text: string }
  | { kind: "mouse"; action: "press" | "up" | "down"; x: number; y: number }
  /** The terminal's background; parts are from 0 to 1. */
  | { kind: "background"; colour: readonly [number, number, number] };

export interface InputReader {
  /** The inputs that this chunk completes. */
  push(chunk: Uint8Array): Input[];
  /** Whether an escape is waiting for what may follow it. */
  readonly isWaiting: boolean;
  /** Treats the waiting escape as the key. */
  flush(): Input[];
}

const letters: Record<string, string> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  H: "home",
  F: "end",
  Z: "shift+tab",
};
const numbers: Record<string, string> = {
  1: "home",
  3: "delete",
  4: "end",
  5: "pageup",
  6: "pagedown",
  7: "home",
  8: "end",
};
const controls: Record<string, string> = {
  "\t": "tab",
  "\r": "enter",
  "\n": "enter",
  "\x7f": "backspace",
  "\b": "backspace",
};

const pasteStart = "\x1b[200~";
const pasteEnd = "\x1b[201~";
/** Of a longer paste, one character more is kept, so that it can be refused. */
export const maxPasted = 2_000_000;

export function inputReader(): InputReader {
  const decoder = new TextDecoder();
  let waiting = "";
  let paste: Paste | null = null;

  /** Takes one input from what waits; null if nothing there is complete. */
  function step(): Step | null {
    if (!paste) {
      if (!waiting.startsWith(pasteStart)) return next(waiting);
      paste = openPaste();
      return { taken: pasteStart.length, input: null };
    }
    const taken = paste.take(waiting);
    if (taken === 0) return null;
    if (!paste.isWhole) return { taken, input: null };
    const input: Input = { kind: "paste", text: paste.text() };
    paste = null;
    return { taken, input };
  }

  return {
    push(chunk) {
      waiting += decoder.decode(chunk, { stream: true });
      const found: Input[] = [];
      for (;;) {
        const taken = step();
        if (!taken) break;
        waiting = waiting.slice(taken.taken);
        if (taken.input) found.push(taken.input);
      }
      return found;
    },
    get isWaiting() {
      return paste === null && waiting.startsWith("\x1b");
    },
    flush() {
      if (paste) return [];
      const rest = waiting;
      waiting = "";
      return rest === "\x1b" ? [{ kind: "key", name: "esc" }] : [];
    },
  };
}

interface Paste {
  readonly isWhole: boolean;
  /** Takes what belongs to the paste; returns how much of the text that was. */
  take(text: string): number;
  text(): string;
}

/** Collects a paste that arrives in many parts, and looks at each part once. */
function openPaste(): Paste {
  const parts: string[] = [];
  let room = maxPasted + 1;
  let isWhole = false;
  return {
    get isWhole() {
      return isWhole;
    },
    take(text) {
      const end = text.indexOf(pasteEnd);
      isWhole = end >= 0;
      // The last characters may be the beginning of the end.
      const length = isWhole ? end : Math.max(0, text.length - pasteEnd.length + 1);
      const part = text.slice(0, Math.min(length, room));
      if (part !== "") parts.push(part);
      room -= part.length;
      return isWhole ? length + pasteEnd.length : length;
    },
    text: () => parts.join(""),
  };
}

interface Step {
  taken: number;
  /** Null for unknown sequences. */
  input: Input | null;
}

/** The first input of a text; null if it is not complete. */
function next(text: string): Step | null {
  if (text === "") return null;
  if (text.startsWith("\x1b")) return readEscape(text);
  const plain = /^[^\p{Cc}]+/u.exec(text)?.[0];
  if (plain !== undefined) return { taken: plain.length, input: { kind: "text", text: plain } };
  const sign = text.charAt(0);
  const code = sign.charCodeAt(0);
  const named = controls[sign] ?? (code >= 1 && code <= 26 ? `ctrl+${String.fromCharCode(code + 96)}` : null);
  return { taken: 1, input: named === null ? null : { kind: "key", name: named } };
}

function readEscape(text: string): Step | null {
  if (text.length === 1) return null;
  const second = text.charAt(1);
  if (second === "]") return readAnswer(text);
  if (second === "O" && text.length < 3) return null;
  if (second === "O") return { taken: 3, input: toKey(letters[text.charAt(2)]) };
  // Alt combinations are not supported: this is Escape, followed by another key.
  if (second !== "[") return { taken: 1, input: { kind: "key", name: "esc" } };
  const [all, body = "", last = ""] = /^\x1b\[([\x20-\x3f]*)([\x40-\x7e])/.exec(text) ?? [];
  if (all === undefined) return text.length > 64 ? { taken: 2, input: null } : null;
  const mouse = /^<(\d+);(\d+);(\d+)$/.exec(body);
  if (mouse) return { taken: all.length, input: toPointer(mouse, last) };
  const name = last === "~" ? numbers[body.split(";")[0] ?? ""] : letters[last];
  return { taken: all.length, input: toKey(name) };
}

function toKey(name: string | undefined): Input | null {
  return name === undefined ? null : { kind: "key", name };
}

/** Mouse reports by SGR 1006: button, column, line; "M" for a press, "m" for a release. */
function toPointer([, button = "", x = "", y = ""]: RegExpExecArray, last: string): Input | null {
  const at = { x: Number(x) - 1, y: Number(y) - 1 };
  const code = Number(button);
  if (code === 64) return { kind: "mouse", action: "up", ...at };
  if (code === 65) return { kind: "mouse", action: "down", ...at };
  if (code === 0 && last === "M") return { kind: "mouse", action: "press", ...at };
  return null;
}

/** Answers to OSC 11, the question for the background's colour; others are dropped. */
function readAnswer(text: string): Step | null {
  const [all, body = ""] = /^\x1b\]([^\x07\x1b]*)(?:\x07|\x1b\\)/.exec(text) ?? [];
  if (all === undefined) return text.length > 256 ? { taken: 2, input: null } : null;
  const parts = /^11;rgba?:([\da-f]+)\/([\da-f]+)\/([\da-f]+)/i.exec(body)?.slice(1) ?? [];
  if (parts.length !== 3) return { taken: all.length, input: null };
  const [red = 0, green = 0, blue = 0] = parts.map(
    (hex) => Number.parseInt(hex, 16) / (16 ** hex.length - 1),
  );
  return { taken: all.length, input: { kind: "background", colour: [red, green, blue] } };
}
