import type { MarkdownIt } from "markdown-it";
import { createMarkdown } from "@/rendering/markdown";
import { renderPlain } from "@/rendering/plain";
import { newScope, type RenderLookup } from "@/rendering/scope";

export type { RenderLookup } from "@/rendering/scope";

export interface Rendered {
  html: string;
  /** Begins with "/me " and is a single paragraph. */
  isMeMessage: boolean;
  /** Mentions are those that notify; silent ones are in the HTML only. Ids ascend. */
  mentionedUsers: number[];
  mentionedGroups: number[];
  channelWildcard: boolean;
  topicWildcard: boolean;
  hasLink: boolean;
  hasImage: boolean;
}

let markdown: MarkdownIt | undefined;

export function render(content: string, lookup: RenderLookup): Rendered {
  const html = renderPlain(content);
  return html === null ? renderMarkdown(content, lookup) : plainResult(content, html);
}

/** `render` without the short cut for plain text. */
export function renderMarkdown(content: string, lookup: RenderLookup): Rendered {
  markdown ??= createMarkdown();
  const scope = newScope(lookup);
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
  };
}

function plainResult(content: string, html: string): Rendered {
  return {
    html,
    isMeMessage: isMeMessage(content, html),
    mentionedUsers: [],
    mentionedGroups: [],
    channelWildcard: false,
    topicWildcard: false,
    hasLink: false,
    hasImage: false,
  };
}

function isMeMessage(content: string, html: string): boolean {
  return content.startsWith("/me ") && html.indexOf("</p>") === html.length - 4;
}

function ascending(ids: Set<number>): number[] {
  return [...ids].sort((a, b) => a - b);
}
