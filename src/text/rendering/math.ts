import type { MarkdownIt, StateInline } from "markdown-it";
import { escapeHtml } from "@/text/html/elements.ts";
import { fenceLabel } from "./code.ts";
import { type RenderScope, scopeOf } from "./scope.ts";

// The body may not contain a bare `$` nor begin with one, so that prices and `$$_$$` faces stay text.
const syntax = /\$\$([^\n_$](?:\\\$|[^$\n])*)\$\$(?![\w$])/y;

/** `$$x$$` in a line and "```math" blocks, as KaTeX's HTML and MathML. */
export function math(md: MarkdownIt): void {
  const { rules } = md.renderer;
  const fence = rules.fence;
  md.inline.ruler.push("math", inlineMath);
  rules.math = (tokens, index, _options, env) => {
    const tex = tokens[index]?.content ?? "";
    return formula(scopeOf(env), tex, false) ?? texError(escapeHtml(`$$${tex}$$`));
  };
  rules.fence = (tokens, index, options, env, renderer) => {
    const token = tokens[index];
    if (fenceLabel(token) !== "math") return fence?.(tokens, index, options, env, renderer) ?? "";
    const parts = (token?.content ?? "").split(/\n(?:[ \t]*\n)+/).filter((part) => part.trim() !== "");
    return parts
      .map((part) => part.replace(/\n$/, ""))
      .map((tex) => `<p>${formula(scopeOf(env), tex, true) ?? texError(escapeHtml(tex))}</p>\n`)
      .join("");
  };
}

function inlineMath(state: StateInline, dryRun: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 36 /* $ */) return false;
  syntax.lastIndex = state.pos;
  const [typed, tex] = syntax.exec(state.src) ?? [];
  if (typed === undefined || tex === undefined || syntax.lastIndex > state.posMax) return false;
  if (/[\w$]/.test(state.src.charAt(state.pos - 1))) return false;
  if (!dryRun) state.push("math", "span", 0).content = tex;
  state.pos += typed.length;
  return true;
}

function texError(html: string): string {
  return `<span class="tex-error">${html}</span>`;
}

// Macros could expand without end, so formulas that define any stay text.
const definition = /\\(?:[egx]?def|(?:re|provide)?newcommand|let|futurelet|global|long)(?![a-z])/i;
// Characters that cost KaTeX many times the work of others: column separators, and letters that it splits into accents.
const laborious = /[&\u0080-\uffff]/g;
const formulaCost = 20;

const settings = {
  maxExpand: 300,
  maxSize: 20,
  trust: false,
  // KaTeX would log a warning for each symbol without metrics.
  strict: (offence: string) => (offence === "unknownSymbol" ? "error" : "ignore"),
} as const;

let katex: typeof import("katex").default | undefined;

function formula(scope: RenderScope, tex: string, displayMode: boolean): string | null {
  scope.mathBudget -= formulaCost + tex.length + 9 * (tex.match(laborious)?.length ?? 0);
  if (scope.mathBudget < 0 || definition.test(tex)) return null;
  // Loaded on first use, by `require` because rendering is synchronous.
  katex ??= require("katex") as typeof import("katex").default;
  try {
    return katex.renderToString(tex, { ...settings, displayMode });
  } catch {
    // Invalid TeX, or nested too deeply for the stack: shown as typed.
    return null;
  }
}
