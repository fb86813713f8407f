import type { MarkdownIt, StateCore, Token } from "markdown-it";
import { contentToken } from "@/text/html/text-runs.ts";
import { type Preview, previewOf } from "./media.ts";
import { type RenderScope, scopeOf } from "./scope.ts";

interface Link {
  href: string;
  label: string;
  /** Nothing but this link is in its paragraph, as a bare address. */
  isAlone: boolean;
  /** The range of its tokens within the paragraph. */
  start: number;
  end: number;
}

/** Wire: a message with more links that could be shown shows none. */
export const maxPreviews = 24;

/**
 * Adds pictures, videos, audio players and cards of pages below the paragraphs that link to them: each address once, none inside
 * quotes.
 */
export function previews(md: MarkdownIt): void {
  md.core.ruler.push("previews", (state) => {
    const scope = scopeOf(state.env);
    const { previews: ofFiles, linkPreviews } = scope.options;
    if ((ofFiles || linkPreviews) && scope.hasLink) addPreviews(state, scope);
  });
  md.renderer.rules.preview = (tokens, index) => tokens[index]?.content ?? "";
}

function addPreviews(state: StateCore, scope: RenderScope): void {
  const linksByBlock = findLinks(state.tokens);
  const found = new Map<string, Preview | null>();
  const toFetch = new Set<string>();
  let count = 0;
  for (const link of [...linksByBlock.values()].flat()) {
    if (found.has(link.href)) continue;
    const preview = previewOf(link, scope);
    if (typeof preview === "string") toFetch.add(preview);
    found.set(link.href, typeof preview === "string" ? null : preview);
    if (preview && ++count > maxPreviews) return;
  }
  for (const address of toFetch) scope.toFetch.add(address);
  if ([...found.values()].every((preview) => preview === null)) return;

  const shown = new Set<string>();
  const below = new Map<Token, string>();
  const replaced = new Set<Token>();
  for (const [block, links] of linksByBlock) {
    let html = "";
    for (const { href, isAlone } of links) {
      const preview = found.get(href);
      const isFirst = !shown.has(href);
      shown.add(href);
      if (!preview || preview.inPlace || !isFirst) continue;
      html += preview.html;
      if (isAlone && preview.replacesAddress) replaced.add(block);
    }
    if (html !== "") below.set(block, html);
    replaceLinks(state, block, links, found);
  }
  state.tokens = withPreviews(state, below, replaced);
}

/** The links of each inline token, except those in quotes. */
function findLinks(tokens: readonly Token[]): Map<Token, Link[]> {
  const found = new Map<Token, Link[]>();
  let quotes = 0;
  for (const token of tokens) {
    if (token.type === "blockquote_open") quotes++;
    else if (token.type === "blockquote_close") quotes--;
    else if (token.type === "inline" && quotes === 0) found.set(token, linksAmong(token.children ?? []));
  }
  return found;
}

function linksAmong(tokens: readonly Token[]): Link[] {
  const links: Link[] = [];
  let open: Link | undefined;
  for (const [index, token] of tokens.entries()) {
    if (token.type === "link_open") {
      open = { href: String(token.attrGet("href")), label: "", isAlone: false, start: index, end: index };
      links.push(open);
    } else if (token.type === "link_close" && open) {
      open.end = index;
      open.isAlone = open.start === 0 && index === tokens.length - 1 && open.label === open.href;
      open = undefined;
    } else if (token.type === "text" && open) open.label += token.content;
  }
  return links;
}

function replaceLinks(
  state: StateCore,
  block: Token,
  links: readonly Link[],
  found: Map<string, Preview | null>,
): void {
  for (const { href, start, end } of links.toReversed()) {
    const preview = found.get(href);
    if (preview?.inPlace)
      block.children?.splice(start, end - start + 1, contentToken(state, "preview", preview.html));
  }
}

/** Inserts previews after their paragraph, or at the end of their table cell; those in `replaced` take the place of the paragraph. */
function withPreviews(state: StateCore, below: Map<Token, string>, replaced: ReadonlySet<Token>): Token[] {
  const tokens: Token[] = [];
  let waiting = "";
  let isReplaced = false;
  for (const [index, token] of state.tokens.entries()) {
    if (waiting === "") tokens.push(token);
    else if (token.type === "paragraph_close" || token.type === "heading_close") {
      if (isReplaced && token.type === "paragraph_close") tokens.splice(token.hidden ? -1 : -2);
      else tokens.push(token);
      const endsLine = !token.hidden && state.tokens[index + 1]?.nesting !== -1;
      tokens.push(contentToken(state, "preview", endsLine ? `${waiting}\n` : waiting));
    } else tokens.push(contentToken(state, "preview", waiting), token);
    waiting = below.get(token) ?? "";
    isReplaced = replaced.has(token);
  }
  return tokens;
}
