import type { MarkdownIt, StateCore, Token } from "markdown-it";
import { contentToken, replaceInText } from "@/text/html/text-runs.ts";
import { type Linkifier, type LinkifierMatch, type LinkWork, newLinkWork } from "@/text/links/link-work.ts";
import { findUrls, safeHref } from "@/text/links/urls.ts";
import { scopeOf } from "./scope.ts";

export function linkifiers(md: MarkdownIt): void {
  md.core.ruler.push("linkifiers", (state) => {
    const scope = scopeOf(state.env);
    const active = scope.lookup.linkifiers ?? [];
    if (active.length === 0) return;
    replaceInText(state, (text) =>
      findLinks(text, active, scope.linkWork).map((link) => {
        scope.hasLink = true;
        const { start, end, url } = link;
        return { start, end, tokens: linkTokens(state, url, text.slice(start, end)) };
      }),
    );
  });
}

function linkTokens(state: StateCore, url: string, text: string): Token[] {
  const open = new state.Token("element_open", "a", 1);
  open.attrs = [["href", url]];
  return [open, contentToken(state, "text", text), new state.Token("element_close", "a", -1)];
}

export function hasLinks(text: string, linkifiers: readonly Linkifier[]): boolean {
  if (linkifiers.length === 0) return false;
  const work = newLinkWork();
  return text.split("\n").some((line) => findLinks(line, linkifiers, work).length > 0);
}

/** The links that linkifiers make of a text without markup, in the order in which they occur. */
export function linksInText(text: string, linkifiers: readonly Linkifier[]): { text: string; url: string }[] {
  const work = newLinkWork();
  return text.split("\n").flatMap((line) => textsOf(line, findLinks(line, linkifiers, work)));
}

function textsOf(text: string, links: readonly LinkifierMatch[]): { text: string; url: string }[] {
  return links.map(({ start, end, url }) => ({ text: text.slice(start, end), url }));
}

/** The links that linkifiers make of a topic's name, in the order in which they occur. */
export function linksInTopic(
  topic: string,
  linkifiers: readonly Linkifier[],
): { text: string; url: string }[] {
  const urls = findUrls(topic)
    .filter(({ href }) => !href.startsWith("mailto:"))
    .map(({ start, end, href }) => ({ start, end, url: href }));
  return textsOf(topic, findLinks(topic, [...linkifiers, { find: () => urls }], newLinkWork()));
}

/** Links ordered by position; where matches overlap, the earlier linkifier wins. */
function findLinks(text: string, linkifiers: readonly Linkifier[], work: LinkWork): LinkifierMatch[] {
  const links: LinkifierMatch[] = [];
  let taken: Uint8Array | undefined;
  for (const linkifier of linkifiers) {
    if (work.isOver) break;
    for (const { start, end, url } of linkifier.find(text, work)) {
      const href = safeHref(url);
      if (href === null || !isDelimited(text, start, end)) continue;
      taken ??= new Uint8Array(text.length);
      if (taken.subarray(start, end).includes(1)) continue;
      taken.fill(1, start, end);
      links.push({ start, end, url: href });
    }
  }
  return links.sort((a, b) => a.start - b.start);
}

const wordEnds = /[\p{L}\p{N}_]$/u;
const wordBegins = /^[\p{L}\p{N}_]/u;

function isDelimited(text: string, start: number, end: number): boolean {
  if (start >= end) return false;
  return (
    !wordEnds.test(text.slice(Math.max(0, start - 2), start)) && !wordBegins.test(text.slice(end, end + 2))
  );
}
