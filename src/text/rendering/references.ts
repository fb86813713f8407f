// People, threads and messages as Markdown names them, whatever they are called.

import { channelUrl, topicUrl } from "./narrow-url.ts";

interface Thread {
  channel: { id: number; name: string };
  topic: string;
}

/** A user, as a mention that notifies nobody. */
export function userReference({ id, full_name }: { id: number; full_name: string }): string {
  return `@_**${full_name}|${id}**`;
}

/** A link to a thread: the short way to write it, unless a name holds what that would take for its own signs. */
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

/** Text that stands for itself, whatever signs are in it. */
function literal(text: string): string {
  return text.replace(/[^\p{L}\p{N}\s]/gu, (sign) => `&#${sign.codePointAt(0)};`);
}
