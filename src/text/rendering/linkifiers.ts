import type { MarkdownIt, StateCore, Token } from "markdown-it";
import { scopeOf } from "./scope.ts";
import { contentToken, replaceInText } from "./text-runs.ts";
import { findUrls, safeHref } from "./urls.ts";

/** A pattern of the organization whose matches become links. */
export interface Linkifier {
  /**
   * Its matches in a text, in order and without overlaps, in time linear in the text. What is not
   * delimited by a blank, a sign or the end of the text is left out by the caller. Stops early once the work is spent.
   */
  find(text: string, work: LinkWork): readonly LinkifierMatch[];
}

export interface LinkifierMatch {
  start: number;
  end: number;
  /** The expanded template. */
  url: string;
}

/** What looking for links in one text has taken; a pattern that lets a text cost too much finds no more in it. */
export interface LinkWork {
  steps: number;
  /** When the first search began; null before it. */
  since: number | null;
  /** Whether it was found to be spent. */
  isOver: boolean;
}

const freeSteps = 200_000;
const mostMs = 10;

export function newLinkWork(): LinkWork {
  return { steps: 0, since: null, isOver: false };
}

/** Counts a search of so many steps at most, and says whether there is time for it; ordinary texts never ask the clock. */
export function isSpent(work: LinkWork, steps: number): boolean {
  work.since ??= performance.now();
  work.steps += steps;
  work.isOver ||= work.steps > freeSteps && performance.now() - work.since > mostMs;
  return work.isOver;
}

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

/** Whether rendering the text would link any of it. */
export function hasLinks(text: string, linkifiers: readonly Linkifier[]): boolean {
  const work = newLinkWork();
  return text.split("\n").some((line) => findLinks(line, linkifiers, work).length > 0);
}

/** The links that linkifiers make of a topic's name, in the order in which they occur. */
export function linksInTopic(
  topic: string,
  linkifiers: readonly Linkifier[],
): { text: string; url: string }[] {
  const urls = findUrls(topic)
    .filter(({ href }) => !href.startsWith("mailto:"))
    .map(({ start, end, href }) => ({ start, end, url: href }));
  const links = findLinks(topic, [...linkifiers, { find: () => urls }], newLinkWork());
  return links.map(({ start, end, url }) => ({ text: topic.slice(start, end), url }));
}

/** Links in order of place; where matches overlap, the earlier linkifier's is taken. */
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
