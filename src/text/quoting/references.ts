// Markdown that refers to users, threads and messages, whatever characters their names contain.

import type { Part } from "@/text/language/translator.ts";
import { channelUrl, topicUrl } from "./narrow-url.ts";

interface Thread {
  channel: { id: number; name: string };
  topic: string;
}

/** A silent mention of a user. */
export function userReference({ id, full_name }: { id: number; full_name: string }): string {
  return `@_**${full_name}|${id}**`;
}

/** A link to a thread: in the short syntax, unless a name contains characters that this syntax uses. */
export function threadReference({ channel, topic }: Thread): string {
  const isPlain = !/[*>]/.test(channel.name) && !/\*|@\d+$/.test(topic);
  if (isPlain) return `#**${channel.name}>${topic}**`;
  return topic === ""
    ? `[${literal(`#${channel.name}`)}](${channelUrl(channel)}/topic/)`
    : `[${literal(`#${channel.name} > ${topic}`)}](${topicUrl(channel, topic)})`;
}

/** A link to a message in its thread. */
export function messageReference(text: string, { channel, topic }: Thread, id: number): string {
  return `[${literal(text)}](${topicUrl(channel, topic)}/near/${id})`;
}

/** A translated text whose marked part is a link. */
export function linkedText(parts: readonly Part[], url: string): string {
  return parts
    .map((part) => (typeof part === "string" ? part : `[${linkedText(part.parts, url)}](${url})`))
    .join("");
}

/** Escapes all punctuation, so that the text is shown as is. */
function literal(text: string): string {
  return text.replace(/[^\p{L}\p{N}\s]/gu, (sign) => `&#${sign.codePointAt(0)};`);
}
