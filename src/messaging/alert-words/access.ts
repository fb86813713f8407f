// Which users a message alerts because it contains one of their alert words.
import type { Reads } from "@/kernel/context.ts";
import { usersLookingFor } from "./matching.ts";
import * as store from "./store.ts";

/** Users with an alert word in a message, given as HTML. Ignores code and the addresses of links. */
export function usersAlertedBy(reads: Reads, html: string): ReadonlySet<number> {
  const index = store.indexOfAll(reads);
  return usersLookingFor(index, index.next.size === 0 ? "" : textOf(html));
}

const code = /<(pre|code)\b[^>]*>[\s\S]*?<\/\1>/g;
const link = /<a\b[^>]*\bhref="([^"]*)"[^>]*>([^<]*)<\/a>/g;
const inlineTag = /<\/?(?:strong|em|del|span|a)\b[^>]*>/g;
const tag = /<[^>]*>/g;
const entities: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** The text of a message's HTML. */
function textOf(html: string): string {
  return html
    .replace(code, " ")
    .replace(link, (_, href: string, text: string) => (isAddress(href, text) ? " " : text))
    .replace(inlineTag, "")
    .replace(tag, " ")
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] as string);
}

/** Whether a link's text is just its address. */
function isAddress(href: string, text: string): boolean {
  return ["", "http://", "https://", "mailto:"].some((scheme) => href === scheme + text);
}
