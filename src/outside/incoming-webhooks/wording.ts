// Puts other tools' texts into Markdown, escaped, so that they cannot format, link or mention.
import { fenceWithin, quoteWithin } from "@/text/quoting/quoting.ts";

const maxQuote = 1_000;
const maxName = 200;

/** A text as one escaped line. */
export function escapeText(text: string, max = maxName): string {
  return escapeInside(text, max).replace(/^([-+>#]|\d+(?=[.)] ))/, escapeCharacters);
}

/**
 * As `escapeText`, but not at the start of a line. Does not escape `_` and `:` inside words, such as in code and times. An @ at the
 * end would make a mention with bold text that follows.
 */
function escapeInside(text: string, max = maxName): string {
  return shortenText(beginning(text, max).replaceAll(/\s+/g, " ").trim(), max).replaceAll(
    /[*`<[\]|]|~~|\$\$|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|:(?=[\w+-]+:)|&(?=#?\w+;)|@$/gu,
    escapeCharacters,
  );
}

/** The part of a text that can be shown: payloads may have texts of a megabyte. */
function beginning(text: string, max: number): string {
  return text.slice(0, 4 * max + 100);
}

function escapeCharacters(text: string): string {
  return [...text].map((sign) => `&#${sign.codePointAt(0)};`).join("");
}

export function bold(text: string): string {
  const inside = escapeInside(text);
  return inside === "" ? "Somebody" : `**${inside}**`;
}

/** Inline code; its fence is longer than any in the text. */
export function code(text: string): string {
  const inside = shortenText(beginning(text, maxName).replaceAll(/\s+/g, " ").trim(), maxName);
  if (inside === "") return "";
  const runs = inside.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  const space = /^`|`$/.test(inside) ? " " : "";
  return fence + space + inside + space + fence;
}

/** A link, if the address is a web address; otherwise only the text. */
export function link(text: string, address: string): string {
  const href = webAddress(address);
  return href === null ? escapeText(text) : `[${escapeInside(text) || href}](${href})`;
}

/** The address without characters that would end a Markdown link; null if it is not a web address. */
export function webAddress(address: string): string | null {
  const url = address.length > 2_000 ? null : URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  return url.href.replaceAll(/[()<>"'`\\]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** A text of a payload as a part of an address; half a character, which no address can have, is replaced. */
export const inPath = (text: string): string => encodeURIComponent(text.slice(0, 300).toWellFormed());

/** A text in a quote block, where mentions notify nobody; empty for an empty text. */
export function quote(text: string, max = maxQuote): string {
  const whole = beginning(text, max)
    .replaceAll(/<!--[\s\S]*?-->/g, "")
    .replaceAll("\r\n", "\n")
    .trim();
  return whole === "" ? "" : `\n${quoteWithin(whole, max, shortenText)}`;
}

/** Markdown of another tool, whose mentions notify nobody. */
export function withoutMentions(markdown: string): string {
  return markdown.replaceAll(/@(?=_?\*)/g, "&#64;");
}

/** A code block of at most `max` characters. */
export function codeBlock(text: string, language: string, max: number): string {
  const whole = beginning(text, max).replaceAll("\r\n", "\n").trimEnd();
  return fenceWithin(whole, { kind: language, max }, shortenText);
}

/** The text cut to `max` characters, ending in an ellipsis if it was longer. */
export function shortenText(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, Math.max(0, max - 1)).replace(/[\uD800-\uDBFF]$/u, "")}…`;
}

/** "pull_request_review" as words, without signs that format or mention. */
export function words(name: string): string {
  const plain = beginning(name, maxName).replaceAll(/[^\p{L}\p{N}.,'()/-]+/gu, " ");
  return shortenText(plain.trim(), maxName);
}
