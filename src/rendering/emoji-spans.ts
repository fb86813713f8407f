import type { MarkdownIt, StateCore, StateInline, Token } from "markdown-it";
import { emojiByName, nameOfEmoji } from "@/rendering/emoji";

const named = /:([\w+-]+):/y;
const mayHoldEmoji = /[\u00a9\u00ae\u203c-\u3299\ud83c-\ud83e]/;
// Keycaps, flags, what is an emoji by default or by selector, and the old symbols clients show as one.
const unicode =
  /[0-9#*]\uFE0F?\u20E3|\p{RI}{2}|(?:\p{Extended_Pictographic}(?:\p{EMod}|\uFE0F)|(?=\p{Emoji_Presentation}|[\u2600-\u27BF])\p{Extended_Pictographic}(?!\uFE0E))(?:\u200D\p{Extended_Pictographic}(?:\p{EMod}|\uFE0F)?)*/gu;

export function emojiSpans(md: MarkdownIt): void {
  md.inline.ruler.push("emoji", namedEmoji);
  md.core.ruler.push("unicode_emoji", unicodeEmoji);
  md.renderer.rules.emoji = (tokens, index) => tokens[index]?.content ?? "";
}

function namedEmoji(state: StateInline, dryRun: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 58 /* : */ || state.linkLevel > 0) return false;
  named.lastIndex = state.pos;
  const [typed, name] = named.exec(state.src) ?? [];
  if (typed === undefined || name === undefined || named.lastIndex > state.posMax) return false;
  const code = emojiByName(name);
  if (code === null) return false;
  if (!dryRun) state.push("emoji", "span", 0).content = emojiHtml(name, code);
  state.pos += typed.length;
  return true;
}

// Neither names nor codes hold anything to escape.
function emojiHtml(name: string, code: string): string {
  const title = name.replaceAll("_", " ");
  return `<span aria-label="${title}" class="emoji emoji-${code}" role="img" title="${title}">:${name}:</span>`;
}

/** Works on finished text, so that neither code nor links nor names are touched. */
function unicodeEmoji(state: StateCore): void {
  for (const block of state.tokens) {
    if (block.type !== "inline" || !block.children || !mayHoldEmoji.test(block.content)) continue;
    let depth = 0;
    block.children = block.children.flatMap((token) => {
      if (token.tag === "a" || token.tag === "span") depth += token.nesting;
      return token.type === "text" && depth === 0 ? splitEmoji(state, token) : [token];
    });
  }
}

function splitEmoji(state: StateCore, token: Token): Token[] {
  const pieces: Token[] = [];
  const push = (type: string, content: string) => {
    const piece = new state.Token(type, "", 0);
    piece.content = content;
    pieces.push(piece);
  };
  let end = 0;
  for (const { 0: found, index } of token.content.matchAll(unicode)) {
    const code = emojiCode(found);
    const name = nameOfEmoji(code);
    if (name === null) continue;
    if (index > end) push("text", token.content.slice(end, index));
    push("emoji", emojiHtml(name, code));
    end = index + found.length;
  }
  if (end === 0) return [token];
  if (end < token.content.length) push("text", token.content.slice(end));
  return pieces;
}

function emojiCode(text: string): string {
  const codes: string[] = [];
  for (const char of text) {
    if (char !== "\uFE0F") codes.push((char.codePointAt(0) ?? 0).toString(16).padStart(4, "0"));
  }
  return codes.join("-");
}
