// Decides which links are safe and finds bare URLs in a text. Does not parse Markdown.
import tlds from "tlds";
import { lowerBound } from "@/kernel/lib/binary-search.ts";

export interface UrlSpan {
  start: number;
  end: number;
  href: string;
}

// The HTML standard's list, https://html.spec.whatwg.org/multipage/system-state.html#safelisted-scheme, plus http(s),
// ftp(s).
const safeSchemes = new Set(
  (
    "http https bitcoin ftp ftps geo im irc ircs magnet mailto matrix mms news nntp openpgp4fpr " +
    "sftp sip sms smsto ssh tel urn webcal wtai xmpp"
  ).split(" "),
);
const hostWithPort = /^(?:localhost|[\w-]+(?:\.[\w-]+)+):\d+(?:[/?#]|$)/i;

/** The href for a link target as typed; null if it is not safe and must stay text. */
export function safeHref(target: string): string | null {
  const href = target.trim().replaceAll(" ", "%20");
  // Browsers skip control characters when they parse the scheme.
  if (href === "" || /\p{Cc}/u.test(href)) return null;
  if (/^(?:#.|\/(?![/\\]))/.test(href)) return href;
  if (href.startsWith("//")) return `http:${href}`;

  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(href)?.[1];
  if (scheme === undefined) return /^[^/?#]+@[^/?#]+$/.test(href) ? `mailto:${href}` : `http://${href}`;
  if (safeSchemes.has(scheme.toLowerCase())) return href;
  return hostWithPort.test(href) ? `http://${href}` : null;
}

const imagePath = /\.(?:png|jpe?g|gif|webp|bmp|avif|heic|tiff?)$/i;

export function isImageUrl(href: string): boolean {
  return imagePath.test(href.replace(/[?#].*$/s, ""));
}

// Top-level domains that are more often file extensions.
const falseTlds = ["java", "md", "mov", "py", "zip"];
let knownTlds: Set<string> | undefined;

function isKnownTld(tld: string): boolean {
  if (!knownTlds) {
    knownTlds = new Set(tlds);
    for (const name of falseTlds) knownTlds.delete(name);
  }
  return knownTlds.has(tld.toLowerCase());
}

const hint = /\.\w|:\/\//;
// Accepts brackets in a URL only in pairs, so that `[http://a](http://b)` stays a link. What isolates a URL in a text that runs
// from right to left (U+2066 to U+2069) is no part of it.
const tail = String.raw`(?:[^\s<>"\u0060[\]\u2066-\u2069]|\[[^\s<>"\u0060[\]\u2066-\u2069]*\])`;
const address = String.raw`[\w.+-]+@(?:[\w-]+\.)+[a-z]{2,}`;
const candidate = new RegExp(
  String.raw`(?<![^\s'"(,:<[{*~\u2066-\u2068])(?:` +
    String.raw`(?<web>https?:\/\/${tail}+)|` +
    String.raw`(?<mail>mailto:${address}\?${tail}+|(?:mailto:)?${address}(?![\w@-]|\.[\w-]|\/[^\s]|[?#:&=%\\]+\w))|` +
    String.raw`(?:[\w-]+\.)+(?<tld>[a-z]{2,})(?![\w@-])(?::\d+)?(?:[/?#]${tail}*)?)`,
  "gi",
);

/**
 * Finds bare URLs, email addresses and domains of a known top-level domain, without the punctuation that ends a
 * sentence.
 */
export function findUrls(text: string): readonly UrlSpan[] {
  if (!hint.test(text)) return [];
  const spans: UrlSpan[] = [];
  for (const match of text.matchAll(candidate)) {
    const { web, mail, tld } = match.groups ?? {};
    if (tld !== undefined && !isKnownTld(tld)) continue;
    const url = withoutTrailingPunctuation(match[0]);
    if (web !== undefined && !/^https?:\/\/[\w[\u00a1-\uffff]/i.test(url)) continue;
    const href = mail === undefined || url.includes(":") ? url : `mailto:${url}`;
    spans.push({
      start: match.index,
      end: match.index + url.length,
      href: tld === undefined ? href : `http://${url}`,
    });
  }
  return spans;
}

function withoutTrailingPunctuation(url: string): string {
  let unopened = 0;
  for (const char of url) {
    if (char === ")") unopened++;
    else if (char === "(") unopened--;
  }
  let end = url.length;
  for (; end > 0; end--) {
    const last = url.charAt(end - 1);
    if (last === ")" && unopened > 0) unopened--;
    else if (!"!:;?,.'*~".includes(last)) break;
  }
  return url.slice(0, end);
}

/** Index of the first URL that starts at `pos` or later. */
export function urlIndex(urls: readonly UrlSpan[], pos: number): number {
  return lowerBound(urls, ({ start }) => start < pos);
}
