// Which users a message alerts because it contains one of their alert words.
import type { Reads } from "@/kernel/core/context.ts";
import { decodeText, htmlParts, tagName } from "@/text/html/html-parts.ts";
import { usersLookingFor } from "./matching.ts";
import * as store from "./store.ts";

/** Users with an alert word in a message, given as HTML. Ignores code and the addresses of links. */
export function usersAlertedBy(reads: Reads, html: string): ReadonlySet<number> {
  const index = store.indexOfAll(reads);
  return usersLookingFor(index, index.next.size === 0 ? "" : textOf(html));
}

const codeTag = /^(?:pre|code)$/;
const inlineTag = /^\/?(?:strong|em|del|span|a)$/;

/** The text of a message's HTML. Blocks, code and bare links become spaces, so that no word spans them. */
function textOf(html: string): string {
  const parts = [...htmlParts(html)];
  let text = "";
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] as string;
    const name = tagName(part);
    if (name === null) text += part;
    else if (isBareLink(parts, at)) {
      text += " ";
      at += 2;
    } else if (!inlineTag.test(name)) {
      text += " ";
      if (codeTag.test(name)) at = indexOfTag(parts, `/${name}`, at);
    }
  }
  return decodeText(text).text;
}

function indexOfTag(parts: readonly string[], name: string, start: number): number {
  let at = start;
  while (at < parts.length && tagName(parts[at] as string) !== name) at++;
  return at;
}

/** Whether the link that opens here shows just its address. */
function isBareLink(parts: readonly string[], start: number): boolean {
  const [open = "", text = "", end] = parts.slice(start, start + 3);
  if (tagName(open) !== "a" || end !== "</a>") return false;
  const href = /\bhref="([^"]*)"/.exec(open)?.[1];
  return ["", "http://", "https://", "mailto:"].some((scheme) => href === scheme + text);
}
