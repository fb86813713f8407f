import type { MarkdownIt } from "markdown-it";
import { hasEmoticon } from "./emoji-spans.ts";
import { hasLinks } from "./linkifiers.ts";
import { createMarkdown } from "./markdown.ts";
import { type Plain, renderPlain } from "./plain.ts";
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
  if (plain.hasLink && options.linkPreviews) return renderMarkdown(content, lookup, options);
  return plainResult(content, plain);
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

function plainResult(content: string, { html, hasLink }: Plain): Rendered {
  return {
    html,
    isMeMessage: isMeMessage(content, html),
    mentionedUsers: [],
    mentionedGroups: [],
    channelWildcard: false,
    topicWildcard: false,
    hasLink,
    hasImage: false,
    uploads: [],
    toFetch: [],
  };
}

function isMeMessage(content: string, html: string): boolean {
  return content.startsWith("/me ") && html.indexOf("</p>") === html.length - 4;
}

function ascending(ids: Set<number>): number[] {
  return [...ids].sort((a, b) => a - b);
}
