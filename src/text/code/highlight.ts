import type { StreamParser, StringStream } from "@codemirror/streamparser";
import { classOf } from "@/text/code/code-classes.ts";
import { escapeHtml } from "@/text/html/elements.ts";
import type { Language } from "./languages.ts";

interface Piece {
  css: string;
  text: string;
}

/** Tokenizers work line by line, so a limit per line keeps their work linear. The rest of a longer line stays plain. */
const maxLine = 1000;
const indentUnit = 2;

/** Returns the code as HTML, with each token in a `<span>` of its class. No span crosses a line. */
export function highlight(code: string, language: Language): string {
  const parser = language.load?.();
  if (!parser) return escapeHtml(code);
  try {
    return code.split("\n").map(lineReader(parser, language)).join("\n");
  } catch {
    // The tokenizers are third-party code: a fault in one must not make the message fail or the server hang.
    return escapeHtml(code);
  }
}

/** Returns a function that renders one line after another. */
function lineReader(parser: StreamParser<unknown>, language: Language): (line: string) => string {
  const state = parser.startState?.(indentUnit) ?? {};
  let last = { kind: "", css: "" };
  return (line) => {
    if (line === "") {
      parser.blankLine?.(state, indentUnit);
      return "";
    }
    const stream = createWatchedStream(line.slice(0, maxLine));
    const pieces: Piece[] = [];
    let keyword = "";
    while (!stream.eol()) {
      const kind = nextToken(parser, stream, state);
      const text = stream.current();
      const continued = kind !== "" && kind === last.kind ? last.css : null;
      const isCalled = stream.peek() === "(";
      const { isProgram, classes } = language;
      const css = classes[kind] ?? classOf({ kind, text, keyword, continued, isCalled, isProgram });
      if (css === "" && isProgram) pieces.push(...words(text));
      else pieces.push({ css, text });
      last = { kind, css };
      if (text.trim() !== "") keyword = css.startsWith("k") ? text : "";
    }
    pieces.push({ css: "", text: line.slice(maxLine) });
    return spans(pieces);
  };
}

const maxSteps = 100;

/** A stream that throws if the tokenizer takes far more steps than the line has characters. */
function createWatchedStream(line: string): StringStream {
  const Stream: typeof StringStream = require("@codemirror/streamparser").StringStream;
  const stream = new Stream(line, 4, indentUnit);
  let steps = maxSteps * (line.length + 10);
  for (const name of ["eat", "eol", "match", "next", "peek"] as const) {
    const method = stream[name] as (...args: unknown[]) => unknown;
    const runWatched = (...args: unknown[]) => {
      if (--steps < 0) throw new Error("The tokenizer does not finish.");
      return method.apply(stream, args);
    };
    Object.assign(stream, { [name]: runWatched });
  }
  return stream;
}

/** Advances the stream by one token and returns its kind. */
function nextToken(parser: StreamParser<unknown>, stream: StringStream, state: unknown): string {
  stream.start = stream.pos;
  // A tokenizer may change its state without consuming a character, but not forever.
  for (let tries = 0; tries < 10; tries++) {
    const kind = parser.token(stream, state);
    // Tokenizers that look words up in an object return a function for `constructor`.
    if (stream.pos > stream.start) return typeof kind === "string" ? kind : "";
  }
  stream.next();
  return "";
}

function spans(pieces: readonly Piece[]): string {
  let html = "";
  let index = 0;
  while (index < pieces.length) {
    const css = pieces[index]?.css ?? "";
    let text = "";
    for (; pieces[index]?.css === css; index++) text += pieces[index]?.text;
    html += css === "" ? escapeHtml(text) : `<span class="${css}">${escapeHtml(text)}</span>`;
  }
  return html;
}

const word = /([\p{L}_$][\p{L}\p{N}_$]*)|([-+*/%=<>!&|^~?@]+)|([()[\]{},;:.]+)|./gsu;

/** Splits what the tokenizer left unnamed in a program into names, operators and punctuation. */
function words(text: string): Piece[] {
  return Array.from(text.matchAll(word), ([found, name, operator, punctuation]) => {
    const css = name ? "n" : operator ? "o" : punctuation ? "p" : "";
    return { css, text: found };
  });
}
