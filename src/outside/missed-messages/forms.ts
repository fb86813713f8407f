// Converts a message's HTML for mail programs: no pictures, no styles, nothing to load, absolute links.
import type { Html } from "@/kernel/http/html.ts";
import { escapeHtml } from "@/text/html/elements.ts";
import { decodeText, htmlParts, isTag, tagName, withAddresses } from "@/text/html/html-parts.ts";
import type { Translator } from "@/text/language/translator.ts";

const kept = new Set(
  "p br hr strong em del code pre blockquote ul ol li h1 h2 h3 h4 h5 h6 table thead tbody tr th td a".split(
    " ",
  ),
);
const blocks = new Set("p hr pre blockquote ul ol h1 h2 h3 h4 h5 h6 table tr div".split(" "));
/** Blocks that are followed by an empty line. */
const spaced = new Set("p pre table blockquote ul ol h1 h2 h3 h4 h5 h6".split(" "));
const empty = new Set(["br", "hr", "img", "input"]);

/** Elements that are left out, by a word of their class or by their name. */
const leftOut = /\b(message_inline_image|message_embed|katex-html|codehilite-button)\b/;

interface Forms {
  html: Html;
  text: string;
}

class Writer {
  private html = "";
  private lines = [""];
  /** The prefix of each line, for quotes and lists. */
  private prefix = "";
  /** For each open element, what its end tag does. */
  private readonly ends: (() => void)[] = [];
  /** The number of open elements inside one that is left out. */
  private skipping = 0;
  private isCode = false;
  /** How many lists are open. */
  private lists = 0;

  constructor(
    private readonly site: string,
    private readonly hidden: string,
  ) {}

  result(): Forms {
    const text = this.lines
      .map((line) => line.trimEnd())
      .join("\n")
      .replaceAll(/\n{3,}/g, "\n\n")
      .trim();
    return { html: { text: this.html }, text };
  }

  write(part: string): void {
    const name = tagName(part);
    if (!isTag(part) || name === null) this.say(part);
    else if (name.startsWith("/")) this.close(name.slice(1));
    else this.open(name, part);
  }

  private say(part: string): void {
    if (this.skipping > 0) return;
    this.html += part;
    const { text } = decodeText(part);
    this.put(this.isCode ? text : text.replaceAll("\n", ""));
  }

  private put(text: string): void {
    const [first = "", ...others] = text.split("\n");
    this.lines[this.lines.length - 1] += first;
    for (const line of others) this.lines.push(this.prefix + line);
  }

  /** Begins a new line, unless this one is empty. */
  private breakLine(): void {
    if (this.lines.at(-1) !== this.prefix) this.lines.push(this.prefix);
    else this.lines[this.lines.length - 1] = this.prefix;
  }

  private close(name: string): void {
    if (this.skipping > 0) {
      this.skipping--;
      if (this.skipping > 0) return;
    }
    if (!empty.has(name)) this.ends.pop()?.();
  }

  private open(name: string, tag: string): void {
    if (this.skipping > 0) {
      if (!empty.has(name)) this.skipping++;
      return;
    }
    const css = attribute(tag, "class") ?? "";
    if (name === "img") {
      this.replace(attribute(tag, "alt") ?? "");
      return;
    }
    if (name === "audio" || name === "video") {
      this.player(tag);
      return;
    }
    if (leftOut.test(css)) {
      this.skip();
      return;
    }
    if (css.includes("spoiler-content")) {
      this.skip(this.hidden);
      return;
    }
    if (name === "annotation") {
      this.wrap("<code>", "</code>");
      return;
    }
    const emoji = /\bemoji-([0-9a-f-]+)\b/.exec(css)?.[1];
    if (name === "span" && emoji !== undefined) {
      this.skip(characterOf(emoji));
      return;
    }
    if (/^(math|semantics|span|div|time)$/.test(name)) {
      this.wrap("", "", name);
      return;
    }
    if (/^(m\w+|button|iframe|svg|script|style)$/.test(name)) {
      this.skip();
      return;
    }
    this.element(name, tag);
  }

  private element(name: string, tag: string): void {
    if (!kept.has(name)) {
      this.wrap("", "", name);
      return;
    }
    if (name === "br") {
      this.html += "<br>\n";
      this.lines.push(this.prefix);
      return;
    }
    if (name === "hr") {
      this.html += "<hr>\n";
      this.breakLine();
      this.put("---");
      this.breakLine();
      return;
    }
    if (name === "a") {
      this.link(tag);
      return;
    }
    const start = name === "ol" ? /^[1-9]\d{0,8}$/.exec(attribute(tag, "start") ?? "")?.[0] : undefined;
    this.wrap(start === undefined ? `<${name}>` : `<ol start="${start}">`, `</${name}>`, name);
  }

  /** An element that becomes `before` and `after` in HTML; its name says what the text form does. */
  private wrap(before: string, after: string, name = ""): void {
    const { prefix, isCode } = this;
    this.html += before;
    if (blocks.has(name)) this.breakLine();
    if (name === "li") {
      this.breakLine();
      this.put("* ");
    }
    if (name === "blockquote") {
      this.prefix += "> ";
      this.breakLine();
    }
    if (name === "ul" || name === "ol") this.lists++;
    if (name === "pre") this.isCode = true;
    this.ends.push(() => {
      this.html += after;
      if (name === "blockquote") while (this.lines.at(-1) === this.prefix) this.lines.pop();
      if (name === "ul" || name === "ol") this.lists--;
      this.prefix = prefix;
      this.isCode = isCode;
      if (name === "td" || name === "th") this.put(" | ");
      if (blocks.has(name)) this.breakLine();
      if (spaced.has(name) && this.lists === 0) this.lines.push(prefix);
    });
  }

  private link(tag: string): void {
    const href = this.absolute(attribute(tag, "href") ?? "");
    if (href === null) {
      this.wrap("", "");
      return;
    }
    this.html += `<a href="${escapeHtml(href)}">`;
    const before = this.lines.at(-1)?.length ?? 0;
    this.ends.push(() => {
      this.html += "</a>";
      const label = this.lines.at(-1)?.slice(before) ?? "";
      if (label !== href && `mailto:${label}` !== href) this.put(` (${href})`);
    });
  }

  /** Replaces an audio or video file by a link to it. */
  private player(tag: string): void {
    const href = this.absolute(attribute(tag, "src") ?? "");
    if (href === null) {
      this.skip();
      return;
    }
    const label = attribute(tag, "title") ?? href;
    this.html += `<a href="${escapeHtml(href)}">${escapeHtml(label)}</a>`;
    this.put(label === href ? href : `${label} (${href})`);
    this.skip();
  }

  private skip(instead = ""): void {
    this.replace(instead);
    this.skipping = 1;
    this.ends.push(() => {});
  }

  private replace(text: string): void {
    this.html += escapeHtml(text);
    this.put(text);
  }

  private absolute(href: string): string | null {
    if (href.startsWith("/") && !href.startsWith("//")) return this.site + href;
    if (href.startsWith("#")) return `${this.site}/${href}`;
    return /^(https?|mailto):/i.test(href) ? href : null;
  }
}

/** A message's HTML in the forms for mails: HTML and text. */
export function mailForms(rendered: string, site: string, { t }: Translator): Forms {
  const writer = new Writer(site, t("(hidden; open the conversation to see it)"));
  for (const part of htmlParts(withAddresses(rendered))) writer.write(part);
  return writer.result();
}

function attribute(tag: string, name: string): string | null {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return found === undefined ? null : decodeText(found).text;
}

/** The character of a code such as 1f604 or 1f1e9-1f1ea. */
function characterOf(code: string): string {
  return String.fromCodePoint(...code.split("-").map((part) => Number.parseInt(part, 16)));
}
