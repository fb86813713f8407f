import MarkdownItFactory, { type MarkdownIt } from "markdown-it";
import { blocks } from "@/rendering/blocks";
import { channelLinks } from "@/rendering/channel-links";
import { code } from "@/rendering/code";
import { emojiSpans } from "@/rendering/emoji-spans";
import { links } from "@/rendering/links";
import { mentions } from "@/rendering/mentions";
import { quoteFences } from "@/rendering/quote-fences";
import { text } from "@/rendering/text";

const blockRules = ["table", "code", "fence", "blockquote", "hr", "list", "heading"];
const inlineRules = ["newline", "backticks", "strikethrough", "emphasis", "entity"];

/** Everything is off until named here: no raw HTML, images, references, backslash escapes or underlined headings. */
export function createMarkdown(): MarkdownIt {
  const md = new MarkdownItFactory("zero", { breaks: true, maxNesting: 30 });
  md.enable([...blockRules, ...inlineRules]);
  for (const plugin of [text, links, blocks, quoteFences, code, mentions, channelLinks, emojiSpans])
    md.use(plugin);
  return md;
}
