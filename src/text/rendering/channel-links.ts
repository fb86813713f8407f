import type { MarkdownIt, StateInline } from "markdown-it";
import { type Attributes, beginsWord, pushElement, pushText } from "@/text/html/elements.ts";
import { channelUrl, topicUrl } from "@/text/quoting/narrow-url.ts";
import { type RenderLookup, scopeOf } from "./scope.ts";

interface ChannelLink {
  channel: { id: number; name: string };
  topic?: string | undefined;
  messageId?: string | undefined;
}

const syntax = /#\*\*([^*\n]+)\*\*/y;

export function channelLinks(md: MarkdownIt): void {
  md.inline.ruler.push("channel_link", channelLink);
}

function channelLink(state: StateInline, dryRun: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 35 /* # */ || state.linkLevel > 0 || !beginsWord(state))
    return false;
  syntax.lastIndex = state.pos;
  const [typed, body] = syntax.exec(state.src) ?? [];
  if (typed === undefined || body === undefined || syntax.lastIndex > state.posMax) return false;
  if (!dryRun) {
    const { lookup } = scopeOf(state.env);
    const link = resolve(lookup, body);
    if (link) pushLink(state, lookup, link);
    else state.pending += typed;
  }
  state.pos += typed.length;
  return true;
}

function resolve(lookup: RenderLookup, body: string): ChannelLink | null {
  const [, name, topic, messageId] = /^([^>]+)>(.*?)(?:@(\d+))?$/.exec(body) ?? [];
  const parent = name === undefined ? null : lookup.channel(name);
  if (parent) return { channel: parent, topic, messageId };
  const channel = lookup.channel(body);
  return channel && { channel };
}

function pushLink(
  state: StateInline,
  lookup: RenderLookup,
  { channel, topic, messageId }: ChannelLink,
): void {
  if (topic === undefined) {
    pushElement(state, {
      tag: "a",
      attrs: attributes("stream", channel.id, channelUrl(channel)),
      text: `#${channel.name}`,
    });
    return;
  }
  const url = topicUrl(channel, topic);
  const newest = messageId === undefined ? lookup.newestInTopic(channel.id, topic) : null;
  const attrs: Attributes =
    messageId === undefined
      ? attributes("stream-topic", channel.id, newest === null ? url : `${url}/with/${newest}`)
      : { class: "message-link", href: `${url}/near/${messageId}` };
  pushElement(state, { tag: "a", attrs, text: `#${channel.name} > ${topic}` }, () => {
    if (topic === "") pushElement(state, { tag: "em", attrs: {}, text: lookup.emptyTopicName });
    if (messageId !== undefined) pushText(state, " @ 💬");
  });
}

function attributes(css: string, channelId: number, href: string): Attributes {
  return { class: css, "data-stream-id": channelId, href };
}
