import type { StateCore, Token } from "markdown-it";

/** What replaces part of a text run: other text, or tokens. */
export interface TextReplacement {
  start: number;
  end: number;
  tokens: Token[];
}

/**
 * Replaces parts of finished text, but not in code, links or names. `find` returns replacements in order, without
 * overlaps.
 */
export function replaceInText(state: StateCore, find: (text: string) => readonly TextReplacement[]): void {
  for (const block of state.tokens) {
    if (block.type !== "inline" || !block.children) continue;
    let depth = 0;
    block.children = block.children.flatMap((token) => {
      if (token.tag === "a" || token.tag === "span") depth += token.nesting;
      if (token.type !== "text" || depth > 0) return token;
      const found = find(token.content);
      return found.length === 0 ? token : splice(state, token.content, found);
    });
  }
}

function splice(state: StateCore, text: string, replacements: readonly TextReplacement[]): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const replacement of replacements) {
    if (replacement.start > end) tokens.push(contentToken(state, "text", text.slice(end, replacement.start)));
    tokens.push(...replacement.tokens);
    end = replacement.end;
  }
  if (end < text.length) tokens.push(contentToken(state, "text", text.slice(end)));
  return tokens;
}

export function contentToken(state: StateCore, type: string, content: string): Token {
  const token = new state.Token(type, "", 0);
  token.content = content;
  return token;
}
