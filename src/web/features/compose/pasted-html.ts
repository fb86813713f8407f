// Formatted text of the clipboard as Markdown. Loaded with the first text of that kind.
import TurndownService from "turndown";
import { t } from "../../lib/texts.ts";
import type { State } from "../../state/state.ts";
import { parseForReading } from "../../ui/content/trusted-html.ts";
import { mentionName } from "./completing.ts";
import { shortLink } from "./short-link.ts";

// What is larger is pasted as plain text: converting it would hold the page.
const maxHtml = 800_000;
const maxElements = 4_000;
const maxText = 30_000;
const maxNesting = 12;
const maxColumns = 40;

/** The Markdown of formatted text; null if it would say no more than the plain text does, or takes too long to find. */
export function markdownOf(html: string, state: State): string | null {
  if (html.length > maxHtml) return null;
  // Templates are not styled: the page's policy forbids styles even where nothing is shown.
  const { body } = parseForReading(html.replace(/<(\/?)style\b/gi, "<$1template"));
  if (isLarge(body) || isFromEditor(body)) return null;
  tidy(body);
  const { converter, hasFormats } = converterFor(state);
  const markdown = converter.turndown(body).replaceAll("\u00a0", " ").trim();
  return hasFormats() ? markdown : null;
}

function isLarge(body: Element): boolean {
  const all = body.querySelectorAll("*");
  if (all.length > maxElements || (body.textContent ?? "").length > maxText) return true;
  const depths = new Map<Element | null, number>();
  for (const one of all) {
    const depth = (depths.get(one.parentElement) ?? 0) + (one.matches("li, blockquote, table") ? 1 : 0);
    if (depth > maxNesting) return true;
    depths.set(one, depth);
  }
  return false;
}

const monospace = /font-family:[^;]*(?:mono|consolas|menlo|courier)/i;

/** Code editors put their colours around the whole text. */
function isFromEditor(body: Element): boolean {
  const [only, ...others] = body.children;
  if (!only || others.length > 0) return false;
  const style = only.getAttribute("style") ?? "";
  if (!monospace.test(style)) return false;
  if (only.localName === "pre") return only.className === "" && !only.querySelector("code");
  return /white-space:\s*pre\s*(?:;|$)/i.test(style);
}

/** Brings what programs put on the clipboard into the elements that the converter knows. */
function tidy(body: Element): void {
  for (const one of body.querySelectorAll(
    "script, noscript, template, svg, title, caption, .code-tools, .message_embed, .message_inline_image:not(.in-text), .message_inline_video",
  ))
    one.remove();
  for (const article of body.querySelectorAll("article[data-message]")) keepMessage(article);
  for (const one of body.querySelectorAll("button, select, input, textarea")) one.remove();
  for (const header of body.querySelectorAll(".spoiler-header")) keepHeader(header);
  unwrap(body);
  listParagraphs(body);
  for (const list of body.querySelectorAll(":is(ul, ol) > :is(ul, ol)")) nest(list);
  for (const list of body.querySelectorAll("ol")) number(list);
  for (const table of [...body.querySelectorAll("table")].reverse()) if (isLayout(table)) dissolve(table);
  for (const one of body.querySelectorAll("b, strong, i, em, s, strike, del, span, font")) nameMarks(one);
  for (const one of body.querySelectorAll("strong, em, del")) joinNext(one);
  for (const lineBreak of body.querySelectorAll("pre br")) lineBreak.replaceWith("\n");
}

/** A message of our own page: its sender and its content, without buttons and times. */
function keepMessage(article: Element): void {
  const content = article.querySelector(".message-content");
  if (!content) return;
  const name = [...article.querySelectorAll("[data-person]")].find((one) => one.textContent?.trim());
  const head = article.ownerDocument.createElement("p");
  head.append(article.ownerDocument.createElement("strong"));
  head.firstElementChild?.append(name?.textContent ?? "");
  article.replaceChildren(...(name ? [head] : []), content);
}

function keepHeader(header: Element): void {
  const text = header.textContent?.trim() ?? "";
  header.parentElement?.setAttribute("data-header", text === t("Spoiler") ? "" : text);
  header.remove();
}

/** One span around everything says how the page looked, not what the person marked. */
function unwrap(body: Element): void {
  for (let only = loneChild(body); only?.matches("span:not([class]), font"); only = loneChild(body))
    only.replaceWith(...only.childNodes);
}

function loneChild({ children, childNodes }: Element): Element | null {
  const isAlone = [...childNodes].every((node) => node === children[0] || !node.textContent?.trim());
  return (isAlone && children.length === 1 && children[0]) || null;
}

/** Word has paragraphs instead of lists: their style says how deep they are, and a part of their text is the bullet. */
function listParagraphs(body: Element): void {
  let open: Element[] = [];
  for (const paragraph of body.querySelectorAll("p[style*='mso-list' i]")) {
    const style = paragraph.getAttribute("style") ?? "";
    const level = Math.min(9, Number(/mso-list:[^;]*level(\d+)/i.exec(style)?.[1] ?? 1));
    const bullet = paragraph.querySelector("[style*='mso-list:ignore' i], [style*='mso-list: ignore' i]");
    const kind = /\d/.test(bullet?.textContent ?? "") ? "ol" : "ul";
    bullet?.remove();
    if (paragraph.previousElementSibling !== open[0]) open = [];
    open.length = Math.min(open.length, level);
    while (open.length < level) {
      const list = body.ownerDocument.createElement(kind);
      const outer = open.at(-1);
      if (outer) (outer.lastElementChild ?? outer).append(list);
      else paragraph.before(list);
      open.push(list);
    }
    const item = body.ownerDocument.createElement("li");
    item.append(...paragraph.childNodes);
    open.at(-1)?.append(item);
    paragraph.remove();
  }
}

/** Some programs put a nested list next to the item that it belongs to. */
function nest(list: Element): void {
  const before = list.previousElementSibling;
  if (before?.localName === "li") before.append(list);
  else list.replaceWith(...list.childNodes);
}

function number(list: Element): void {
  const first = Number(list.getAttribute("start") ?? 1) || 1;
  const items = [...list.children].filter((one) => one.localName === "li");
  for (const [at, item] of items.entries()) item.setAttribute("data-number", String(first + at));
}

/** A table that only says where things stand: of one column, or with more than words in its cells. */
function isLayout(table: HTMLTableElement): boolean {
  const columns = widthOf(table);
  return (
    columns < 2 || columns > maxColumns || table.querySelector("table, ul, ol, pre, blockquote") !== null
  );
}

function dissolve(table: HTMLTableElement): void {
  const cells = [...table.rows].flatMap((row) => [...row.cells]);
  const lines = cells.map((cell) => {
    const line = table.ownerDocument.createElement("div");
    line.append(...cell.childNodes);
    return line;
  });
  table.replaceWith(...lines);
}

const cellsOf = (row: HTMLTableRowElement) => [...row.cells].reduce((sum, { colSpan }) => sum + colSpan, 0);

function widthOf(table: HTMLTableElement): number {
  return Math.max(0, ...[...table.rows].map(cellsOf));
}

const marks = [
  {
    name: "strong",
    tags: "b, strong",
    set: /font-weight:\s*(?:bold|[6-9]00)/i,
    unset: /font-weight:\s*(?:normal|[1-5]00)/i,
  },
  { name: "em", tags: "i, em", set: /font-style:\s*italic/i, unset: /font-style:\s*normal/i },
  { name: "del", tags: "s, strike, del", set: /text-decoration[^:;]*:[^;]*line-through/i, unset: /^$/ },
];

/** Gives each mark one element, also where it is only a style; and none where the style takes it back. */
function nameMarks(one: Element): void {
  const style = ` ${one.getAttribute("style") ?? ""}`.replace(/mso-[\w-]+:[^;]*/gi, "");
  const isSpan = one.matches("span, font");
  const found = marks.filter(({ tags, set, unset }) =>
    isSpan ? set.test(style) : one.matches(tags) && !unset.test(style),
  );
  let content = [...one.childNodes];
  for (const { name } of found) {
    const mark = one.ownerDocument.createElement(name);
    mark.append(...content);
    content = [mark];
  }
  if (isSpan && one.className !== "") one.replaceChildren(...content);
  else one.replaceWith(...content);
}

function joinNext(one: Element): void {
  for (let next = one.nextSibling; next?.nodeName === one.nodeName; next = one.nextSibling) {
    one.append(...next.childNodes);
    next.remove();
  }
}

type Replacement = (content: string, node: HTMLElement) => string;

function converterFor(state: State) {
  let isFormatted = false;
  const converter = new TurndownService({
    headingStyle: "atx",
    hr: "---",
    br: "",
    // Editors have a line of text in each of these.
    defaultReplacement: (content, node) => {
      const element = node as HTMLElement;
      return element.matches("div")
        ? `\n${content}\n`
        : element.matches(blocks)
          ? `\n\n${content}\n\n`
          : content;
    },
  });
  // Our Markdown has no escapes.
  converter.escape = (text) => text;

  const rule = (selector: string, replacement: Replacement) => {
    converter.addRule(selector, {
      filter: (node) => node.matches(selector),
      replacement: (content, node) => {
        const text = replacement(content, node as HTMLElement);
        if (text.trim() !== content.trim()) isFormatted = true;
        return text;
      },
    });
  };

  rule("strong", around("**", "strong, th, h1, h2, h3, h4, h5, h6"));
  rule("em", around("*", "em"));
  rule("del", around("~~", "del"));
  rule("code, kbd, samp, tt", (_, node) => codeOf(node.textContent ?? ""));
  rule(
    "pre",
    (_, node) => `\n\n${fenced(languageOf(node), (node.textContent ?? "").replace(/\n$/, ""))}\n\n`,
  );
  rule("h1, h2, h3, h4, h5, h6", (content, node) => {
    const words = content.trim().replace(/\s*\n\s*/g, " ");
    return words === "" ? "" : `\n\n${"#".repeat(Number(node.nodeName[1]))} ${words}\n\n`;
  });
  rule("li", itemOf);
  rule("blockquote", (content) => `\n\n${content.trim().replace(/^/gm, "> ").replace(/^> $/gm, ">")}\n\n`);
  rule("thead, tbody, tfoot", (content) => content);
  rule("th, td", (content, node) => {
    const cell = content
      .trim()
      .replace(/\s*\n\s*/g, " ")
      .replaceAll("|", "\\|");
    return ` ${cell} |${"  |".repeat((node as HTMLTableCellElement).colSpan - 1)}`;
  });
  rule("tr", (content, node) => rowOf(content, node as HTMLTableRowElement));
  rule("table", (content) => `\n\n${content.trim()}\n\n`);
  rule("img", (_, node) => pictureOf(node as HTMLImageElement));
  rule("a[href]", (content, node) => linkOf(content, node, state));
  rule(mentions, (content, node) => mentionOf(content, node, state));
  rule("time[data-tip]", (_, node) => `<time:${node.getAttribute("datetime")}>`);
  rule(".katex", (content, node) => formulaOf(node) ?? content);
  rule(".spoiler-block", (content, node) => {
    return `\n\n${fenced(`spoiler ${node.dataset.header ?? ""}`.trim(), content.trim())}\n\n`;
  });
  return { converter, hasFormats: () => isFormatted };
}

const blocks =
  "address, article, aside, blockquote, center, dd, dl, dt, fieldset, figcaption, figure, footer, form, h1, h2, h3, h4, h5, h6, header, hr, li, main, nav, ol, p, pre, section, table, ul";

/** The mark around the words; not where one is already, nor around several paragraphs. */
function around(mark: string, within: string): Replacement {
  return (content, node) => {
    const isSet = node.parentElement?.closest(within) ?? null;
    return isSet || /\n\n/.test(content) || content.trim() === "" ? content : mark + content + mark;
  };
}

function codeOf(text: string): string {
  const line = text.replace(/\s*\n\s*/g, " ");
  if (line.trim() === "") return "";
  const ticks = "`".repeat(longestRun(line, /`+/g) + 1);
  const space = /^`|`$/.test(line) ? " " : "";
  return ticks + space + line + space + ticks;
}

function fenced(label: string, text: string): string {
  const fence = "`".repeat(Math.max(2, longestRun(text, /^`+/gm)) + 1);
  return `${fence}${label}\n${text}\n${fence}`;
}

function longestRun(text: string, run: RegExp): number {
  return Math.max(0, ...[...text.matchAll(run)].map(([found]) => found.length));
}

/** The language of a block of code, as our own page or the usual highlighters say it. */
function languageOf(block: Element): string {
  const own = block.closest("[data-code-language]")?.getAttribute("data-code-language");
  if (own) return own.toLowerCase().replaceAll(" ", "-");
  const around = [
    block.querySelector("code"),
    block,
    block.parentElement,
    block.parentElement?.parentElement,
  ];
  for (const one of around) {
    const [, name] =
      /(?:^|\s)(?:lang(?:uage)?|highlight-source|brush:)-?\s?([\w+#-]+)/.exec(one?.className ?? "") ?? [];
    if (name !== undefined) return name;
  }
  return "";
}

function itemOf(content: string, item: HTMLElement): string {
  const { number: at } = item.dataset;
  const sign = at === undefined ? "- " : `${at}. `;
  const text = content
    .trim()
    .replace(/\n{2,}(?=(?:-|\d+\.) )/g, "\n")
    .replace(/\n(?=[^\n])/g, `\n${" ".repeat(sign.length)}`);
  return `\n${sign}${text}\n`;
}

function rowOf(content: string, row: HTMLTableRowElement): string {
  const table = row.closest("table");
  const line = `|${content.replaceAll("\n", "")}`;
  if (!table || row !== table.rows[0]) return `\n${line}\n`;
  // The first row is the head, which decides how many columns there are.
  const missing = widthOf(table) - cellsOf(row);
  const sides = [...row.cells].flatMap((cell) => [
    sideOf(cell),
    ...Array<string>(cell.colSpan - 1).fill("---"),
  ]);
  const rule = [...sides, ...Array<string>(missing).fill("---")].map((side) => ` ${side} |`).join("");
  return `\n${line}${"  |".repeat(missing)}\n|${rule}\n`;
}

function sideOf(cell: HTMLTableCellElement): string {
  const style = /text-align:\s*(\w+)/i.exec(cell.getAttribute("style") ?? "")?.[1];
  const side = (cell.getAttribute("align") ?? style ?? "").toLowerCase();
  return side === "center" ? ":-:" : side === "right" || side === "end" ? "--:" : "---";
}

const emoji = /^(?::[\p{L}\p{N}_+\-]+:|\p{RGI_Emoji}+)$/v;

/** Pictures cannot be written, but those that stand for a character; a link of nothing else is called as its picture is. */
function pictureOf(picture: HTMLImageElement): string {
  const name = (picture.getAttribute("alt") ?? "").trim();
  return emoji.test(name) || picture.closest("a[href]")?.textContent?.trim() === "" ? name : "";
}

function linkOf(content: string, link: HTMLElement, state: State): string {
  const words = content.trim().replace(/\s*\n\s*/g, " ");
  const href = link.getAttribute("href") ?? "";
  const url = URL.parse(href, location.origin);
  const isOwn = url?.origin === location.origin;
  if (!url || words === "" || !/^(?:https?|mailto):$/.test(url.protocol)) return content;
  // Addresses without a host are those of our own page, or lead nowhere.
  if (!isOwn && !/^(?:https?:|mailto:)/i.test(href)) return content;
  const short = words.startsWith("#") ? shortLink(url.href, state) : null;
  if (short !== null) return short;
  const isUpload = isOwn && url.pathname.startsWith("/user_uploads/");
  if (isOwn && !isUpload && !/^https?:/i.test(href)) return content;
  const address = (isUpload ? url.pathname : href).replace(/[\s<>]/g, (sign) => encodeURIComponent(sign));
  const safe = address.replaceAll("(", "%28").replaceAll(")", "%29");
  if (words === href || `mailto:${words}` === href || bare(words) === bare(href)) return words;
  const mark = link.querySelector("img.inline-image") ? "!" : "";
  return `${mark}[${words.replaceAll("[", "(").replaceAll("]", ")")}](${safe})`;
}

const bare = (address: string) => address.replace(/^https?:\/\//i, "").replace(/\/$/, "");

const mentions = ".user-mention, .user-group-mention, .topic-mention";

/** A mention, if it is one of somebody here: the text may come from another organization. */
function mentionOf(content: string, node: HTMLElement, state: State): string {
  const { userId, userGroupId } = node.dataset;
  const mark = node.classList.contains("silent") ? "@_" : "@";
  const name = content.trim().replace(/^@/, "");
  const person = state.users[Number(userId)];
  if (person?.full_name === name) return `${mark}**${mentionName(state, person)}**`;
  if (state.groups[Number(userGroupId)]?.name === name) return `${mark}*${name}*`;
  return userId === "*" || node.classList.contains("topic-mention") ? `${mark}**${name}**` : content;
}

function formulaOf(formula: Element): string | null {
  const source = formula.querySelector("annotation")?.textContent?.trim();
  if (!source) return null;
  return formula.closest(".katex-display") ? `\n\n${fenced("math", source)}\n\n` : `$$${source}$$`;
}
