// Parses HTML that this server made. Not for other HTML.

/** The tags and the texts between them, in order; a `>` within an attribute's quotes does not end its tag. */
export function* htmlParts(html: string): Generator<string> {
  for (let at = 0; at < html.length; ) {
    const end = html[at] === "<" ? tagEnd(html, at) : textEnd(html, at);
    yield html.slice(at, end);
    at = end;
  }
}

function textEnd(html: string, start: number): number {
  const tag = html.indexOf("<", start);
  return tag < 0 ? html.length : tag;
}

function tagEnd(html: string, start: number): number {
  let quote = "";
  for (let at = start; at < html.length; at++) {
    const character = html[at] as string;
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === ">") return at + 1;
  }
  return html.length;
}

/** The name of a tag, with a slash before it if it closes an element: "a", "/a"; null for text. */
export function tagName(part: string): string | null {
  return /^<(\/?\w+)/.exec(part)?.[1] ?? null;
}

export function isTag(part: string): boolean {
  return part.startsWith("<");
}

export interface Decoded {
  /** The text as readers see it. */
  text: string;
  /** Where in the HTML the character at an index of the text comes from. */
  origin: (at: number) => number;
}

/** Decodes the entities of a text between tags. Entities that the renderer does not write become NUL. */
export function decodeText(html: string): Decoded {
  if (!html.includes("&")) return { text: html, origin: (at) => at };
  const origins: number[] = [];
  let text = "";
  for (const { 0: piece, 1: entity, index } of html.matchAll(/&(#?\w+);|[^&]+|&/g)) {
    const characters = entity === undefined ? piece : characterOf(entity);
    for (let i = 0; i < characters.length; i++) origins.push(entity === undefined ? index + i : index);
    text += characters;
  }
  return { text, origin: (at) => origins[at] ?? html.length };
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };
const unknown = "\u0000";

function characterOf(entity: string): string {
  const code = /^#x/i.test(entity) ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1));
  if (!entity.startsWith("#")) return entities[entity] ?? unknown;
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : unknown;
}

const linkedPicture =
  /<div class="message_inline_image"><a href="([^"]*)"><img data-original-dimensions="[^"]*" src="\/external_content\/[^"]*"><\/a><\/div>/g;

/** Puts back the addresses of paragraphs that pictures of other sites have replaced, for readers who see no pictures. */
export function withAddresses(html: string): string {
  if (!html.includes("/external_content/")) return html;
  return html.replaceAll(linkedPicture, (box, href: string) => {
    const link = `<a href="${href}">${href}</a>`;
    return html.includes(link) ? box : `<p>${link}</p>`;
  });
}
