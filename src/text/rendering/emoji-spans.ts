import type { MarkdownIt, StateCore, StateInline } from "markdown-it";
import { emojiByName, nameOfEmoji } from "@/text/emoji/emoji.ts";
import { escapeHtml } from "@/text/html/elements.ts";
import { contentToken, replaceInText, type TextReplacement } from "@/text/html/text-runs.ts";
import { scopeOf } from "./scope.ts";

const named = /:([\p{L}\p{M}\p{N}_+-]+):/uy;
const mayHoldEmoji = /[\u00a9\u00ae\u203c-\u3299\ud83c-\ud83e]/;
// Keycaps, flags, flags of regions such as Scotland, characters joined to one emoji, characters that are emoji by default or by
// variation selector, and the older symbols that clients show as emoji.
const unicode =
  /[0-9#*]\uFE0F?\u20E3|\p{RI}{2}|\u{1F3F4}[\u{E0061}-\u{E007A}]+\u{E007F}|\p{Extended_Pictographic}(?:\p{EMod}|\uFE0F)?(?:\u200D\p{Extended_Pictographic}(?:\p{EMod}|\uFE0F)?)+|\p{Extended_Pictographic}(?:\p{EMod}|\uFE0F)|(?=\p{Emoji_Presentation}|[\u2600-\u27BF])\p{Extended_Pictographic}(?!\uFE0E)/gu;

const emoticons = new Map([
  [":)", "smile"],
  ["(:", "smile"],
  [":(", "frown"],
  ["<3", "heart"],
  [":|", "expressionless"],
  [":/", "confused"],
  [";)", "wink"],
  [":D", "grinning"],
  [":o", "open_mouth"],
  [":O", "open_mouth"],
  [":p", "stuck_out_tongue"],
  [":P", "stuck_out_tongue"],
]);
const emoticon = /(?<![^\s,.;?!()[\]"'])(?::[)(|/DoOpP]|\(:|<3|;\))(?![^\s,.;?!()[\]"'])/g;

export function emojiSpans(md: MarkdownIt): void {
  md.inline.ruler.push("emoji", (state, dryRun) => parseNamedEmoji(state, dryRun));
  md.core.ruler.push("unicode_emoji", (state) => {
    if (mayHoldEmoji.test(state.src)) replaceInText(state, (text) => unicodeEmoji(state, text));
  });
  md.core.ruler.push("emoticons", (state) => {
    if (scopeOf(state.env).options.translateEmoticons && hasEmoticon(state.src))
      replaceInText(state, (text) => translateEmoticons(state, text));
  });
  md.renderer.rules.emoji = (tokens, index) => tokens[index]?.content ?? "";
}

export function hasEmoticon(text: string): boolean {
  return text.search(emoticon) >= 0;
}

function parseNamedEmoji(state: StateInline, dryRun: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 58 /* : */ || state.linkLevel > 0) return false;
  named.lastIndex = state.pos;
  const [typed, name] = named.exec(state.src) ?? [];
  if (typed === undefined || name === undefined || named.lastIndex > state.posMax) return false;
  const html = htmlOf(state, name);
  if (html === null || (!dryRun && !mayDraw(state))) return false;
  if (!dryRun) state.push("emoji", "span", 0).content = html;
  state.pos += typed.length;
  return true;
}

/** Takes one emoji from the message's budget; emoji beyond it stay as typed. */
function mayDraw({ env }: Pick<StateCore, "env">): boolean {
  return scopeOf(env).emojiBudget-- > 0;
}

/** A custom emoji wins over a Unicode emoji of the same name. */
function htmlOf(state: StateInline, name: string): string | null {
  const custom = scopeOf(state.env).lookup.customEmoji?.(name);
  if (custom) {
    const title = name.replaceAll("_", " ");
    return `<img alt=":${name}:" class="emoji" src="${escapeHtml(custom.url)}" title="${title}">`;
  }
  const code = emojiByName(name);
  return code === null ? null : emojiHtml(name, code);
}

// Needs no escaping: names and codes contain no special characters.
function emojiHtml(name: string, code: string): string {
  const title = name.replaceAll("_", " ");
  return `<span aria-label="${title}" class="emoji emoji-${code}" role="img" title="${title}">:${name}:</span>`;
}

function unicodeEmoji(state: StateCore, text: string): TextReplacement[] {
  const found: TextReplacement[] = [];
  for (const { 0: typed, index } of text.matchAll(unicode)) {
    const code = emojiCode(typed);
    const name = nameOfEmoji(code);
    if (name !== null && mayDraw(state)) found.push(replacement(state, index, typed, emojiHtml(name, code)));
  }
  return found;
}

function translateEmoticons(state: StateCore, text: string): TextReplacement[] {
  const found: TextReplacement[] = [];
  for (const { 0: typed, index } of text.matchAll(emoticon)) {
    const name = emoticons.get(typed);
    const code = name === undefined ? null : emojiByName(name);
    if (name !== undefined && code !== null && mayDraw(state))
      found.push(replacement(state, index, typed, emojiHtml(name, code)));
  }
  return found;
}

function replacement(state: StateCore, start: number, typed: string, html: string): TextReplacement {
  return { start, end: start + typed.length, tokens: [contentToken(state, "emoji", html)] };
}

function emojiCode(text: string): string {
  const codes: string[] = [];
  for (const char of text) {
    if (char !== "\uFE0F") codes.push((char.codePointAt(0) ?? 0).toString(16).padStart(4, "0"));
  }
  return codes.join("-");
}
