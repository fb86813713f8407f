// The first words of a message, for lists.
import { emojiCharacter } from "./names.ts";

/** The text of rendered HTML in one line, shown as text and never as HTML. */
export function plainText(html: string): string {
  const known = texts.get(html);
  if (known !== undefined) return known;
  const text = withoutPreviews(withSources(html))
    .replace(/<span[^>]*?class="emoji emoji-([0-9a-f-]+)"[^>]*>[^<]*<\/span>/g, (_, code: string) =>
      emojiCharacter(code),
    )
    .replace(/<img class="inline-image" alt="([^"]*)"[^>]*>/g, "$1")
    .replace(/<(img|span)[^>]*?\b(?:alt|title)="([^"]*)"[^>]*>(?=<|[^<]{0,3}<)/g, "$2")
    // Inline elements do not end a word; block elements do.
    .replace(/<\/?(?:a|b|code|del|em|i|mark|span|strong|sub|sup|time|u)\b(?:[^>"]|"[^"]*")*>/g, "")
    .replace(/<(?:[^>"]|"[^"]*")*>/g, " ")
    .replace(/&(#\d+|#x[0-9a-f]+|\w+);/gi, (whole, name: string) => entity(name) ?? whole)
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 200);
  if (texts.size > 2_000) texts.clear();
  texts.set(html, text);
  return text;
}

/** Leaves out what other sites say; a picture of another site may stand for its address. */
function withoutPreviews(html: string): string {
  if (!html.includes("/external_content/")) return html;
  return html
    .replace(/<div class="message_embed">.*?<\/div><\/div><\/div>/gs, "")
    .replace(
      /<a href="([^"]*)"><img data-original-dimensions="[^"]*" src="\/external_content\/[^"]*"><\/a>/g,
      (_, href: string) => (html.includes(`>${href}</a>`) ? "" : href),
    );
}

/** Replaces each formula by its source, because its elements contain everything twice. */
function withSources(html: string): string {
  if (!html.includes('class="katex')) return html;
  return html
    .split(/(?=<span class="katex">)/)
    .map((part) => {
      const source = /^<span class="katex">.*?<annotation[^>]*>([^<]*)</s.exec(part)?.[1];
      return source === undefined ? part : `${source}${part.slice(endOfSpan(part))}`;
    })
    .join("");
}

/** The index of the end of the element that begins the text. */
function endOfSpan(html: string): number {
  let depth = 0;
  for (const { 0: tag, index } of html.matchAll(/<(\/?)span\b[^>]*>/g)) {
    depth += tag.startsWith("</") ? -1 : 1;
    if (depth === 0) return index + tag.length;
  }
  return html.length;
}

const texts = new Map<string, string>();
const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

function entity(name: string): string | undefined {
  if (!name.startsWith("#")) return named[name.toLowerCase()];
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
}
