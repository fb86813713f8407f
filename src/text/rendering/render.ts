import type { MarkdownIt } from "markdown-it";
import { tag } from "@/text/html/elements.ts";
import { hasEmoticon } from "./emoji-spans.ts";
import { hasLinks } from "./linkifiers.ts";
import { createMarkdown } from "./markdown.ts";
import { type Plain, renderPlain } from "./plain.ts";
import { maxPreviews } from "./previews.ts";
import { newScope, type RenderLookup, type RenderOptions } from "./scope.ts";

export interface Rendered {
  html: string;
  /** Begins with "/me " and is a single paragraph. */
  isMeMessage: boolean;
  /** IDs in ascending order. Silent mentions are only in the HTML, not here. */
  mentionedUsers: number[];
  mentionedGroups: number[];
  channelWildcard: boolean;
  topicWildcard: boolean;
  hasLink: boolean;
  hasImage: boolean;
  /** Links that may lead to uploaded files, unescaped. */
  uploads: string[];
  /** Addresses on other sites of which a preview may be shown once somebody has looked. */
  toFetch: string[];
}

let markdown: MarkdownIt | undefined;

export function render(content: string, lookup: RenderLookup, options: RenderOptions = {}): Rendered {
  const plain = renderPlain(content);
  if (plain === null || holdsMore(content, lookup, options)) return renderMarkdown(content, lookup, options);
  const toFetch = options.linkPreviews ? unfetchedOf(plain, lookup) : [];
  return toFetch === null ? renderMarkdown(content, lookup, options) : plainResult(content, plain, toFetch);
}

/** The addresses of a plain text's links at which nobody has looked yet; null if previews of some are to be shown, or if there are many. */
function unfetchedOf({ links }: Plain, { linked }: RenderLookup): string[] | null {
  if (links.length === 0 || !linked) return [];
  if (links.length > maxPreviews) return null;
  const found = [...new Set(links)].map((href) => linked(href, false));
  if (found.some((one) => one !== null && one.kind !== "unfetched")) return null;
  return [...new Set(found.flatMap((one) => (one?.kind === "unfetched" ? one.address : [])))];
}

/** Whether options or linkifiers give plain text a special meaning. */
function holdsMore(
  content: string,
  { linkifiers }: RenderLookup,
  { translateEmoticons }: RenderOptions,
): boolean {
  if (translateEmoticons && hasEmoticon(content)) return true;
  return linkifiers !== undefined && hasLinks(content, linkifiers);
}

/** Renders like `render`, but always with the parser. */
export function renderMarkdown(content: string, lookup: RenderLookup, options: RenderOptions = {}): Rendered {
  markdown ??= createMarkdown();
  const scope = newScope(lookup, options);
  const html = markdown.render(content, { scope }).replace(/\n$/, "");
  return {
    html,
    isMeMessage: isMeMessage(content, html),
    mentionedUsers: ascending(scope.users),
    mentionedGroups: ascending(scope.groups),
    channelWildcard: scope.channelWildcard,
    topicWildcard: scope.topicWildcard,
    hasLink: scope.hasLink,
    hasImage: scope.hasImage,
    uploads: [...scope.uploads],
    toFetch: [...scope.toFetch],
  };
}

function plainResult(content: string, { html, links }: Plain, toFetch: string[]): Rendered {
  return {
    html,
    isMeMessage: isMeMessage(content, html),
    mentionedUsers: [],
    mentionedGroups: [],
    channelWildcard: false,
    topicWildcard: false,
    hasLink: links.length > 0,
    hasImage: false,
    uploads: [],
    toFetch,
  };
}

/** How the HTML of a mention of a user begins, if it is not silent. */
export function mentionStart(userId: number): string {
  return tag("span", { class: "user-mention", "data-user-id": String(userId) });
}

function isMeMessage(content: string, html: string): boolean {
  return content.startsWith("/me ") && html.indexOf("</p>") === html.length - 4;
}

function ascending(ids: Set<number>): number[] {
  return [...ids].sort((a, b) => a - b);
}
