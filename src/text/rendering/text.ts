import type { MarkdownIt, StateCore, StateInline } from "markdown-it";
import { findUrls, urlIndex } from "@/text/links/urls.ts";
import { scopeOf } from "./scope.ts";

// Only the characters that begin or end inline syntax; each one costs a pass through all rules. `_` and `\` are missing
// because they have no meaning in this dialect.
const special = new Uint8Array(128);
for (const char of "\n&*#:<@[]`~$") special[char.charCodeAt(0)] = 1;

export function text(md: MarkdownIt): void {
  md.inline.ruler.at("text", plainText);
  md.core.ruler.at("inline", inline);
}

function plainText(state: StateInline, dryRun: boolean): boolean {
  const end = state.linkLevel > 0 ? state.posMax : Math.min(state.posMax, nextUrl(state));
  let pos = state.pos;
  while (pos < end && special[state.src.charCodeAt(pos)] !== 1) pos++;
  if (pos === state.pos) return false;
  if (!dryRun) state.pending += state.src.slice(state.pos, pos);
  state.pos = pos;
  return true;
}

function nextUrl(state: StateInline): number {
  const { urls } = scopeOf(state.env);
  return urls.length === 0 ? state.posMax : (urls[urlIndex(urls, state.pos)]?.start ?? state.posMax);
}

/** markdown-it's own rule, which also passes inline rules what they must know of the block around them. */
function inline(state: StateCore): void {
  const scope = scopeOf(state.env);
  for (const token of state.tokens) {
    if (token.type === "blockquote_open") scope.quoteDepth++;
    else if (token.type === "blockquote_close") scope.quoteDepth--;
    else if (token.type === "inline") {
      scope.urls = findUrls(token.content);
      state.md.inline.parse(token.content, state.md, state.env, token.children ?? []);
    }
  }
}
