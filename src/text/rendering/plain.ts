// Most messages are plain sentences, now and then with a bold word, inline code or the address of a page. They skip the parser,
// which would return the same.
import { escapeHtml } from "@/text/html/elements.ts";
import { isImageUrl } from "@/text/links/urls.ts";

const always = 1;
const endsSentence = 2;
const kinds = new Uint8Array(128);
for (const char of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ,;!?'\"()%=/_+-^") {
  kinds[char.charCodeAt(0)] = always;
}
// Plain text unless a word follows at once, as in `example.com` and `:smile:`.
for (const char of ".:") kinds[char.charCodeAt(0)] = endsSentence;
const afterSentence = new Uint8Array(128);
for (const char of " \n.:,;!?)\"'") afterSentence[char.charCodeAt(0)] = 1;

const lineEnd = 10;
const blank = 32;
const star = 42;
const backtick = 96;
const letterH = 104;

export interface Plain {
  html: string;
  /** Where its links lead. */
  links: readonly string[];
}

/** A text with no other markup than bold words, inline code and addresses of pages; null if only the parser can tell. */
export function renderPlain(content: string): Plain | null {
  // The description of a new organization is empty, and is in the first answer that most clients get.
  if (content === "") return { html: "", links: [] };
  let html = "";
  const links: string[] = [];
  let from = 0;
  let previous = lineEnd;
  for (let index = 0; index < content.length; ) {
    const code = content.charCodeAt(index);
    if (code === star || code === backtick) {
      if (previous !== lineEnd && previous !== blank) return null;
      const end = code === star ? endOfBold(content, index) : endOfCode(content, index);
      if (end < 0) return null;
      html += textHtml(content.slice(from, index)) + spanHtml(content, index, end);
      previous = code;
      index = end;
      from = end;
    } else if (code === letterH && content.startsWith("http", index) && isAddress(content, index)) {
      const end = endOfAddress(content, index);
      if (end < 0 || (previous !== lineEnd && previous !== blank)) return null;
      const url = content.slice(index, end);
      html += textHtml(content.slice(from, index)) + linkHtml(url);
      links.push(url);
      previous = content.charCodeAt(end - 1);
      index = end;
      from = end;
    } else {
      if (!isPlain(code, previous, content.charCodeAt(index + 1))) return null;
      previous = code;
      index++;
    }
  }
  if (previous === lineEnd || previous === blank) return null;
  return { html: `<p>${html}${textHtml(content.slice(from))}</p>`, links };
}

const address = /https?:\/\/[a-z0-9][a-z0-9./_=&#%+?~:@-]*/iy;

function isAddress(content: string, start: number): boolean {
  return content.startsWith("://", start + 4) || content.startsWith("s://", start + 4);
}

/** Where the address ends that starts here, without the end of the sentence; -1 if it may be more than a link to a page. */
function endOfAddress(content: string, start: number): number {
  address.lastIndex = start;
  const [found = ""] = address.exec(content) ?? [];
  const next = content.charCodeAt(start + found.length);
  if (found === "" || !(Number.isNaN(next) || next === blank || next === lineEnd)) return -1;
  const url = found.replace(/[.:?~]+$/, "");
  // The parser shows files and pictures, and makes links within the organization relative.
  const isMore = url.includes("/user_uploads/") || /#narrow\//i.test(url) || isImageUrl(url);
  return isMore || found.length > url.length + 1 ? -1 : start + url.length;
}

function linkHtml(url: string): string {
  const safe = escapeHtml(url);
  return `<a href="${safe}">${safe}</a>`;
}

function textHtml(text: string): string {
  return text.replaceAll('"', "&quot;").replaceAll("\n", "<br>\n");
}

function spanHtml(content: string, start: number, end: number): string {
  if (content.charCodeAt(start) === backtick)
    return `<code>${escapeHtml(content.slice(start + 1, end - 1))}</code>`;
  return `<strong>${escapeHtml(content.slice(start + 2, end - 2))}</strong>`;
}

/** Where the bold text ends that starts here: `**`, from a letter or digit to another, `**`. -1 if it is anything else. */
function endOfBold(content: string, start: number): number {
  const from = start + 2;
  const close = content.indexOf("*", from);
  if (content.charCodeAt(start + 1) !== star || content.charCodeAt(close + 1) !== star) return -1;
  if (!isAlphanumeric(content.charCodeAt(from)) || !isAlphanumeric(content.charCodeAt(close - 1))) return -1;
  return endOfSpan(content, from, close, close + 2);
}

function endOfCode(content: string, start: number): number {
  const close = content.indexOf("`", start + 1);
  return close <= start + 1 ? -1 : endOfSpan(content, start + 1, close, close + 1);
}

/** Returns `end` if the text within a span is plain, and what follows it cannot belong to it; otherwise -1. */
function endOfSpan(content: string, from: number, close: number, end: number): number {
  for (let index = from; index < close; index++) {
    const code = content.charCodeAt(index);
    if (code === lineEnd || !isPlain(code, blank, content.charCodeAt(index + 1))) return -1;
  }
  return end === content.length || afterSentence[content.charCodeAt(end)] === 1 ? end : -1;
}

function isPlain(code: number, previous: number, next: number): boolean {
  if (previous === lineEnd && !isLetter(code)) return false;
  if (code === lineEnd) return previous !== blank;
  if (code >= 128) return isLetter(code);
  const kind = kinds[code];
  return kind === always || (kind === endsSentence && (Number.isNaN(next) || afterSentence[next] === 1));
}

function isAlphanumeric(code: number): boolean {
  return code < 128 && (isLetter(code) || (code >= 48 && code <= 57));
}

/** Excludes digits, which may begin lists. Outside ASCII, includes only scripts without emoji or blanks. */
function isLetter(code: number): boolean {
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
  return (
    (code >= 0xc0 && code < 0x1680) || (code >= 0x3041 && code < 0x3200) || (code >= 0x3400 && code < 0xd800)
  );
}
