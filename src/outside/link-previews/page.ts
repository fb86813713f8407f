// What an HTML page says about itself: its title, a description and a picture.
import { shorten } from "@/foundation/realm/texts.ts";
import { stripControlCharacters } from "@/kernel/lib/control-characters.ts";
import { addressOf } from "./schema.ts";

export interface PageFacts {
  title: string;
  description: string;
  pictureAddress: string | null;
}

const maxTitle = 200;
const maxDescription = 400;
/** A head has a few dozen. */
const maxMetas = 300;

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
    wanted.map((name) => metas.get(name) ?? "").find((one) => one !== "");
  const title = shorten(first(names.title) ?? heading, maxTitle, "…");
  const description = shorten(first(names.description) ?? "", maxDescription, "…");
  const picture = URL.parse(first(names.picture) ?? "", url.href);
  const hasPicture = first(names.picture) !== undefined && picture !== null;
  const pictureAddress = hasPicture ? addressOf(picture.href, sites) : null;
  return title === "" || (description === "" && pictureAddress === null)
    ? null
    : { title, description, pictureAddress };
}

/** The text of the head, in the encoding that the response, the page or its first bytes name. */
function textOf(bytes: Buffer, charset: string | null): string {
  const start = bytes.subarray(0, 1024).toString("latin1");
  const isUtf8 = start.startsWith("\xef\xbb\xbf");
  const named = charset ?? /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w.:-]+)/i.exec(start)?.[1];
  const text = decoderOf(isUtf8 ? "utf-8" : named).decode(bytes);
  const body = text.search(/<\/head\b|<body\b/i);
  return body < 0 ? text : text.slice(0, body);
}

function decoderOf(name = "utf-8"): TextDecoder {
  try {
    return new TextDecoder(name as "utf-8");
  } catch {
    return new TextDecoder();
  }
}

const enough = new Error("The head has more than one needs to know");

function headOf(html: string): { metas: Map<string, string>; title: string } {
  const metas = new Map<string, string>();
  let [count, title, isTitleOver] = [0, "", false];
  const reader = new HTMLRewriter()
    .on("title", {
      text({ text, lastInTextNode }) {
        if (!isTitleOver) title += text;
        isTitleOver ||= lastInTextNode;
      },
    })
    .on("meta", {
      element(meta) {
        if (++count > maxMetas) throw enough;
        const name = (meta.getAttribute("property") ?? meta.getAttribute("name") ?? "").trim().toLowerCase();
        const content = tidy(meta.getAttribute("content") ?? "");
        if (content !== "" && !metas.has(name)) metas.set(name, content);
      },
    });
  try {
    reader.transform(html);
  } catch (error) {
    if (error !== enough) throw error;
  }
  return { metas, title: tidy(title) };
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
