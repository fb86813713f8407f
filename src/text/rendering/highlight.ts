import type { StreamParser, StringStream } from "@codemirror/streamparser";
import { classOf } from "./code-classes.ts";
import { escapeHtml } from "./elements.ts";
import type { Language } from "./languages.ts";

interface Piece {
  css: string;
  text: string;
}

/** What remains of a longer line stays plain: readers work line by line, so this makes their work linear. */
const maxLine = 1000;
const indentUnit = 2;

/** HTML of code, every token in a `<span>` of its class that ends within its line. */
export function highlight(code: string, language: Language): string {
  const parser = language.load?.();
  if (!parser) return escapeHtml(code);
  try {
    return code.split("\n").map(lineReader(parser, language)).join("\n");
  } catch {
    // The readers are many and not ours: a message must not fail, nor the server hang, for its colours.
    return escapeHtml(code);
  }
}

/** A function that renders one line after the other. */
function lineReader(parser: StreamParser<unknown>, language: Language): (line: string) => string {
  const state = parser.startState?.(indentUnit) ?? {};
  let last = { kind: "", css: "" };
  return (line) => {
    if (line === "") {
      parser.blankLine?.(state, indentUnit);
      return "";
    }
    const stream = watchedStream(line.slice(0, maxLine));
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

/** A stream that fails a reader which takes far more steps than the line has characters. */
function watchedStream(line: string): StringStream {
  const Stream: typeof StringStream = require("@codemirror/streamparser").StringStream;
  const stream = new Stream(line, 4, indentUnit);
  let steps = maxSteps * (line.length + 10);
  for (const name of ["eat", "eol", "match", "next", "peek"] as const) {
    const method = stream[name] as (...args: unknown[]) => unknown;
    const watched = (...args: unknown[]) => {
      if (--steps < 0) throw new Error("The reader does not come to an end.");
      return method.apply(stream, args);
    };
    Object.assign(stream, { [name]: watched });
  }
  return stream;
}

/** Advances the stream over one token and answers its kind. */
function nextToken(parser: StreamParser<unknown>, stream: StringStream, state: unknown): string {
  stream.start = stream.pos;
  // A reader may change its state without taking anything, but not for ever.
  for (let tries = 0; tries < 10; tries++) {
    const kind = parser.token(stream, state);
    // One that looks words up in an object answers a function for `constructor`.
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

/** What a reader leaves unnamed of a program: names, operators and punctuation. */
function words(text: string): Piece[] {
  return Array.from(text.matchAll(word), ([found, name, operator, punctuation]) => {
    const css = name ? "n" : operator ? "o" : punctuation ? "p" : "";
    return { css, text: found };
  });
}
