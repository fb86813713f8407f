import type { MarkdownIt } from "markdown-it";
import { blocks } from "./blocks.ts";
import { channelLinks } from "./channel-links.ts";
import { code } from "./code.ts";
import { containerFences } from "./container-fences.ts";
import { emojiSpans } from "./emoji-spans.ts";
import { fences } from "./fences.ts";
import { inlineMarks } from "./inline-marks.ts";
import { linkifiers } from "./linkifiers.ts";
import { links } from "./links.ts";
import { math } from "./math.ts";
import { mentions } from "./mentions.ts";
import { previews } from "./previews.ts";
import { quotes } from "./quotes.ts";
import { text } from "./text.ts";
import { timestamps } from "./timestamps.ts";

const blockRules = ["table", "code", "fence", "blockquote", "hr", "list", "heading"];
const inlineRules = ["newline", "backticks", "strikethrough", "emphasis", "entity"];

// Plugins add their rules in this order: linkifiers come before emoji, which skip text inside links.
const plugins = [
  ...[text, links, blocks, quotes, fences, containerFences, code, inlineMarks, math],
  ...[mentions, channelLinks, timestamps, linkifiers, emojiSpans, previews],
];

/**
 * Starts with every rule disabled and enables those named here: no raw HTML, images, references, backslash escapes or
 * underlined headings.
 */
export function createMarkdown(): MarkdownIt {
  // Loaded on first use, by `require` because rendering is synchronous: its tables of entities take a part of the start.
  const MarkdownItFactory = require("markdown-it") as typeof import("markdown-it").default;
  const md = new MarkdownItFactory("zero", { breaks: true, maxNesting: 30 });
  md.enable([...blockRules, ...inlineRules]);
  for (const plugin of plugins) md.use(plugin);
  return md;
}
