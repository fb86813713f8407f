// What an HTML page says about itself: its title, a description and a picture.
import { shorten } from "@/foundation/realm/texts.ts";
import { stripControlCharacters } from "@/kernel/lib/control-characters.ts";
import { addressOf } from "./schema.ts";

export interface PageFacts {
  title: string;
  description: string;
  picture_address: string | null;
}

const maxTitle = 200;
const maxDescription = 400;

const names = {
  title: ["og:title", "twitter:title"],
  description: ["og:description", "twitter:description", "description"],
  picture: ["og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src"],
} as const;

/** Null if the page has no title, or nothing besides. `sites` are this server's, whose pictures are not asked for. */
export function readPage(
  bytes: Buffer,
  { url, charset, sites }: { url: URL; charset: string | null; sites: readonly string[] },
): PageFacts | null {
  const { metas, title: heading } = headOf(textOf(bytes, charset));
  const first = (wanted: readonly string[]) =>
    wanted.map((name) => metas.get(name)).find((one) => one !== undefined);
  const title = shorten(first(names.title) ?? heading, maxTitle, "…");
  const description = shorten(first(names.description) ?? "", maxDescription, "…");
  const source = first(names.picture);
  const picture = source === undefined ? null : URL.parse(source, url.href);
  const picture_address = picture && addressOf(picture.href, sites);
  return title === "" || (description === "" && picture_address === null)
    ? null
    : { title, description, picture_address };
}

/** The text of the page, in the encoding that the response, the page or its first bytes name. */
function textOf(bytes: Buffer, charset: string | null): string {
  const start = bytes.subarray(0, 1024).toString("latin1");
  const isUtf8 = start.startsWith("\xef\xbb\xbf");
  const named = charset ?? /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w.:-]+)/i.exec(start)?.[1];
  return decoderOf(isUtf8 ? "utf-8" : named).decode(bytes);
}

function decoderOf(name = "utf-8"): TextDecoder {
  try {
    return new TextDecoder(name as "utf-8");
  } catch {
    return new TextDecoder();
  }
}

function headOf(html: string): { metas: Map<string, string>; title: string } {
  const metas = new Map<string, string>();
  const { tags, title } = partsOf(html);
  const reader = new HTMLRewriter().on("meta", {
    element(meta) {
      const name = (meta.getAttribute("property") ?? meta.getAttribute("name") ?? "").trim().toLowerCase();
      const content = tidy(meta.getAttribute("content") ?? "");
      if (content !== "" && !metas.has(name)) metas.set(name, content);
    },
  });
  reader.transform(tags.join(""));
  return { metas, title: tidy(title) };
}

/** What a scan looks at, at most: a parser of HTML takes a second for half a megabyte of one tag or of a thousand nested ones. */
const scanned = { tags: 5_000, metas: 300, tagLength: 8_000, length: 65_536 } as const;
/** What ends the elements whose content is no markup. */
const ends: Record<string, RegExp> = {
  "<!--": /-->/g,
  "<script": /<\/script/gi,
  "<style": /<\/style/gi,
  "<noscript": /<\/noscript/gi,
  "<title": /<\/title/gi,
};

/** The tags <meta> of a head, and the text of its title. */
function partsOf(html: string): { tags: string[]; title: string } {
  const tags: string[] = [];
  let title: string | undefined;
  let [at, length] = [html.indexOf("<"), 0];
  for (let n = 0; n < scanned.tags && at >= 0; n++) {
    if (tags.length >= scanned.metas || length > scanned.length) break;
    const name = /^<(?:!--|\/?[a-z]+)/i.exec(html.slice(at, at + 12))?.[0].toLowerCase() ?? "";
    if (name === "</head" || name === "<body") break;
    const end = ends[name];
    if (end !== undefined) {
      const close = endOf(html, end, at + 4);
      title ??= name === "<title" ? html.slice(html.indexOf(">", at) + 1, close) : undefined;
      at = html.indexOf("<", close + 1);
    } else if (name === "<meta") {
      const close = endOfTag(html, at);
      if (html[close] === ">") tags.push(html.slice(at, close + 1));
      length += close - at;
      at = html.indexOf("<", close);
    } else at = html.indexOf("<", at + 1);
  }
  return { tags, title: title ?? "" };
}

/** Where this comes next; the end of the text if nowhere. */
function endOf(html: string, mark: RegExp, from: number): number {
  mark.lastIndex = from;
  return mark.exec(html)?.index ?? html.length;
}

/** Where the `>` is that ends a tag, outside of quotes; the end of its longest part if there is none. */
function endOfTag(html: string, start: number): number {
  const max = Math.min(html.length, start + scanned.tagLength);
  let [quote, before] = ["", ""];
  for (let at = start; at < max; at++) {
    const sign = html[at] as string;
    if (quote !== "") quote = sign === quote ? "" : quote;
    else if (sign === ">") return at;
    else if ((sign === '"' || sign === "'") && before === "=") quote = sign;
    if (sign > " ") before = sign;
  }
  return max;
}

/** Long texts are cut before they are worked on. */
const maxRaw = 4000;

function tidy(raw: string): string {
  return stripControlCharacters(decodeEntities(raw.slice(0, maxRaw)))
    .replaceAll(/\s+/g, " ")
    .trim();
}

function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  const { unescapeAll } = (require("markdown-it") as typeof import("markdown-it").default)().utils;
  // It also takes away backslashes that escape a sign.
  return unescapeAll(text.replaceAll("\\", "\\\\"));
}
