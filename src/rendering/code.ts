import type { MarkdownIt, Token } from "markdown-it";

/** Code blocks as `codehilite` HTML, which clients style and offer to copy. */
export function code(md: MarkdownIt): void {
  const { escapeHtml } = md.utils;
  const block = (token: Token | undefined, language: string) => {
    const label = language === "" ? "" : ` data-code-language="${escapeHtml(language)}"`;
    const html = escapeHtml(token?.content ?? "");
    return `<div class="codehilite"${label}><pre><span></span><code>${html}</code></pre></div>\n`;
  };
  md.renderer.rules.code_block = (tokens, index) => block(tokens[index], "");
  md.renderer.rules.fence = (tokens, index) => {
    const [language = ""] = (tokens[index]?.info ?? "").trim().split(/\s/);
    return block(tokens[index], language);
  };
}
