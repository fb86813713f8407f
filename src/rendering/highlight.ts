import { classOf } from "@/rendering/code-classes.ts";
import { escapeHtml } from "@/rendering/elements.ts";
import { highlighterFor } from "@/rendering/grammars.ts";
import type { Language } from "@/rendering/languages.ts";

interface Piece {
  css: string;
  text: string;
}

/** HTML of code, every token in a `<span>` of its class that ends within its line. */
export function highlight(code: string, language: Language): string {
  const [grammar] = language.grammars;
  if (grammar === undefined) return escapeHtml(code);
  const { value } = highlighterFor(language.grammars).highlight(code, {
    language: grammar,
    ignoreIllegals: true,
  });
  let html = "";
  for (const { css, text } of pieces(value, language.isProgram)) {
    html += css === "" ? escapeHtml(text) : spans(css, escapeHtml(text));
  }
  return html;
}

function spans(css: string, html: string): string {
  return html.replace(/[^\n]+/g, (line) => `<span class="${css}">${line}</span>`);
}

/** The highlighter's nested tags, flattened to what is innermost. */
function pieces(value: string, isProgram: boolean): Piece[] {
  const found: Piece[] = [];
  const open: string[] = [];
  const parts = value.split(/<(?:span class="([^"]*)"|\/span)>/);
  // `split` alternates text and scope, the scope being undefined for an end tag.
  for (let index = 0; index < parts.length; index += 2) {
    const text = unescapeHtml(parts[index] ?? "");
    if (index > 0) {
      const scope = parts[index - 1];
      if (scope === undefined) open.pop();
      else open.push(classOf(scope, text, open.at(-1) ?? ""));
    }
    const css = open.at(-1) ?? "";
    if (css === "" && isProgram) for (const piece of words(text)) add(found, piece);
    else if (text !== "") add(found, { css, text });
  }
  return found;
}

function add(found: Piece[], piece: Piece): void {
  const last = found.at(-1);
  if (last?.css === piece.css) last.text += piece.text;
  else found.push(piece);
}

const word =
  /([\p{L}_$][\p{L}\p{N}_$]*)|([-+*/%=<>!&|^~?@]+)|([()[\]{},;:.]+)|[^\p{L}_$\-+*/%=<>!&|^~?@()[\]{},;:.]+/gu;

/** What a grammar leaves unmarked of a program: names, operators and punctuation. */
function* words(text: string): Generator<Piece> {
  for (const [found, name, operator, punctuation] of text.matchAll(word)) {
    const css = name ? (name === "self" ? "bp" : "n") : operator ? "o" : punctuation ? "p" : "";
    yield { css, text: found };
  }
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

function unescapeHtml(html: string): string {
  return html.replace(/&(amp|lt|gt|quot|#x27);/g, (whole, name: string) => entities[name] ?? whole);
}
