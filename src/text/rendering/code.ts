import type { MarkdownIt, Token } from "markdown-it";
import { highlight } from "@/text/code/highlight.ts";
import { languageNamed } from "@/text/code/languages.ts";
import { escapeHtml } from "@/text/html/elements.ts";
import { type RenderScope, scopeOf } from "./scope.ts";

/** Renders code blocks as `codehilite` HTML, which clients style and offer to copy. */
export function code(md: MarkdownIt): void {
  md.renderer.rules.code_block = (tokens, index) => block(escapeHtml(codeOf(tokens[index])), "");
  md.renderer.rules.fence = (tokens, index, _options, env) => {
    const content = codeOf(tokens[index]);
    const scope = scopeOf(env);
    const given = fenceLabel(tokens[index]) || scope.options.defaultCodeLanguage || "";
    const language = languageNamed(given);
    if (!language) return block(escapeHtml(content), escapeHtml(given));
    const html = mayHighlight(scope, content) ? highlight(content, language) : escapeHtml(content);
    return block(html, escapeHtml(language.name));
  };
}

/** The first word after the opening fence, without the dot that some write before it (`.python`). */
export function fenceLabel(fence: Token | undefined): string {
  const [label = ""] = (fence?.info ?? "").trim().split(/\s/);
  return label.replace(/^\./, "");
}

/** The code without blank lines at its ends, and with the end of its last line, even if nothing closes the block. */
function codeOf(token: Token | undefined): string {
  return `${(token?.content ?? "").replace(/^(?:[ \t]*\n)+/, "").trimEnd()}\n`;
}

function block(html: string, language: string): string {
  const label = language === "" ? "" : ` data-code-language="${language}"`;
  return `<div class="codehilite"${label}><pre><span></span><code>${html}</code></pre></div>\n`;
}

/** Whether the message's budget for highlighting still covers this code. */
function mayHighlight(scope: RenderScope, content: string): boolean {
  scope.codeBudget -= content.length;
  return scope.codeBudget >= 0;
}
