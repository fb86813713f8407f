import type { MarkdownIt, StateCore, Token } from "markdown-it";
import { contentToken } from "@/text/html/text-runs.ts";
import { type Preview, previewOf } from "./media.ts";
import { type RenderScope, scopeOf } from "./scope.ts";

interface Link {
  href: string;
  label: string;
  /** The range of its tokens within the paragraph. */
  start: number;
  end: number;
}

const maxPreviews = 24;

/**
 * Adds pictures, videos and audio players below the paragraphs that link to them: each address once, none inside
 * quotes.
 */
export function previews(md: MarkdownIt): void {
  md.core.ruler.push("previews", (state) => {
    const scope = scopeOf(state.env);
    if (scope.options.previews && scope.hasLink) addPreviews(state, scope);
  });
  md.renderer.rules.preview = (tokens, index) => tokens[index]?.content ?? "";
}

function addPreviews(state: StateCore, scope: RenderScope): void {
  const linksByBlock = findLinks(state.tokens);
  const found = new Map<string, Preview | null>();
  let count = 0;
  for (const link of [...linksByBlock.values()].flat()) {
    if (found.has(link.href)) continue;
    const preview = previewOf(link, scope.lookup);
    found.set(link.href, preview);
    if (preview && ++count > maxPreviews) return;
  }
  if (count === 0) return;

  const shown = new Set<string>();
  const below = new Map<Token, string>();
  for (const [block, links] of linksByBlock) {
    let html = "";
    for (const { href } of links) {
      const preview = found.get(href);
      if (preview && !preview.inPlace && !shown.has(href)) html += preview.html;
      shown.add(href);
    }
    if (html !== "") below.set(block, html);
    replaceLinks(state, block, links, found);
  }
  state.tokens = withPreviews(state, below);
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
      open = { href: String(token.attrGet("href")), label: "", start: index, end: index };
      links.push(open);
    } else if (token.type === "link_close" && open) {
      open.end = index;
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

/** Inserts previews after their paragraph, or at the end of their table cell. */
function withPreviews(state: StateCore, below: Map<Token, string>): Token[] {
  const tokens: Token[] = [];
  let waiting = "";
  for (const token of state.tokens) {
    if (waiting === "") tokens.push(token);
    else if (token.type === "paragraph_close" || token.type === "heading_close") {
      tokens.push(token, contentToken(state, "preview", token.hidden ? waiting : `${waiting}\n`));
    } else tokens.push(contentToken(state, "preview", waiting), token);
    waiting = below.get(token) ?? "";
  }
  return tokens;
}
