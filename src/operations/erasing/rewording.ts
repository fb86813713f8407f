// What a person was called, replaced where others stored it.

import { escapeHtml } from "@/text/html/elements.ts";
import { decodeText } from "@/text/html/html-parts.ts";
import type { Traces } from "./schema.ts";

export interface Words {
  content: string;
  rendered: string;
}

/** As it is in the HTML of mentions. */
export const mentionOf = (userId: number) => `data-user-id="${userId}"`;

/** Replaces the names in mentions of a user. */
export function rewordMentions({ content, rendered }: Words, userId: number, name: string): Words {
  const names = new Set<string>();
  const span = new RegExp(`(<span class="[^"]*" ${mentionOf(userId)}>)(@?)([^<]*)(?=</span>)`, "g");
  const html = rendered.replace(span, (_, tag: string, at: string, before: string) => {
    names.add(decodeText(before).text);
    return `${tag}${at}${escapeHtml(name)}`;
  });
  let text = content.replace(new RegExp(`(@_?\\*\\*)[^*|]*\\|${userId}\\*\\*`, "g"), mention);
  for (const one of names) {
    text = text.replace(new RegExp(`(@_?\\*\\*)${RegExp.escape(one)}\\*\\*`, "gi"), mention);
  }
  return { content: text, rendered: html };

  function mention(_: string, sign: string): string {
    return `${sign}${name}|${userId}**`;
  }
}

/** Replaces the names in mentions of a user, and their addresses, in a text that is stored without its HTML. */
export function rewordSource(
  text: string,
  traces: Traces,
  { userId, name }: { userId: number; name: string },
): string {
  const rendered = traces.names
    .map((one) => `<span class="user-mention" ${mentionOf(userId)}>@${escapeHtml(one)}</span>`)
    .join("");
  return replaceAddresses(rewordMentions({ content: text, rendered }, userId, name).content, traces, name);
}

/** Replaces addresses in any case, but not in longer addresses that hold them. */
export function replaceAddresses(text: string, { addresses }: Pick<Traces, "addresses">, by: string): string {
  return addresses.reduce((rest, one) => {
    const address = `(?<![\\p{L}\\p{N}._%+-])${RegExp.escape(one)}(?![\\p{L}\\p{N}]|[.-][\\p{L}\\p{N}])`;
    return rest.replace(new RegExp(address, "giu"), () => by);
  }, text);
}

/** Replaces addresses anywhere, and a text that is one of the names; with `isTheirs`, also the names in a text. */
export function replaceTraces(
  text: string,
  traces: Traces,
  { isTheirs, by }: { isTheirs: boolean; by: string },
): string {
  const rest = replaceAddresses(text, traces, by);
  return traces.names.reduce((so, name) => {
    if (!isTheirs) return so.toLowerCase() === name.toLowerCase() ? by : so;
    const word = new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(name)}(?![\\p{L}\\p{N}])`, "giu");
    return so.replace(word, () => by);
  }, rest);
}
