// What the rendered HTML of a message needs in a browser: emoji as characters, times in the reader's zone, places for
// pictures, buttons to copy code, names for assistive technology. behaviours.ts handles the clicks.
import { locale, t } from "../../lib/texts.ts";
import { hoursFor } from "../../lib/times.ts";
import { emojiCharacter } from "../emoji/names.ts";

export interface ContentReader {
  /** The reader; null for visitors. */
  userId: number | null;
  /** The groups that the reader is in. */
  groupIds: ReadonlySet<number>;
  twentyFourHours: boolean;
  /** False shows emoji by their names, as the person chose. */
  drawsEmoji: boolean;
  /** When animated pictures play. */
  movingPictures: "always" | "on_hover" | "never";
  /** How much larger than usual pictures and videos are: 1 to 2. */
  mediaScale: number;
  /** Words that the reader wants to be alerted to. */
  alertWords: readonly string[];
  /** The address of the files about emoji: `emoji_data` of the page. */
  emojiData: string;
}

/** Changes the elements below `root` in place. Doing it twice changes nothing more. */
export function enhance(root: HTMLElement, reader: ContentReader): void {
  turnBlocks(root);
  drawEmoji(root, reader);
  markMentions(root, reader);
  nameGeneralChat(root);
  localizeTimes(root, reader);
  linkPictures(root);
  keepPlaces(root, reader);
  quietCards(root);
  calmPictures(root, reader);
  addCodeTools(root);
  openSpoilers(root);
  markLinks(root);
  markAlertWords(root, reader.alertWords);
}

/** A character of a script that is written from right to left. */
export const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdfd\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Sets the direction of each block by its own text. Quotes and lists follow their first words, and their marks are on that side. */
function turnBlocks(root: HTMLElement): void {
  if (!rightToLeft.test(root.textContent ?? "")) return;
  for (const block of root.querySelectorAll<HTMLElement>(
    "p, ul, ol, blockquote, h1, h2, h3, h4, h5, h6, th, td, .spoiler-header",
  ))
    if (!block.parentElement?.closest("ul, ol, blockquote")) block.dir = "auto";
}

function drawEmoji(root: HTMLElement, { drawsEmoji }: ContentReader): void {
  const emoji = root.querySelectorAll<HTMLElement>("span.emoji");
  for (const span of emoji) {
    const code = /\bemoji-([0-9a-f-]+)/.exec(span.className)?.[1];
    if (code === undefined) continue;
    span.classList.toggle("emoji-name", !drawsEmoji);
    span.dataset.tip = `:${span.title.replaceAll(" ", "_")}:`;
    if (drawsEmoji) span.textContent = emojiCharacter(code);
  }
  root.classList.toggle("only-emoji", drawsEmoji && hasOnlyEmoji(root));
}

/** Whether the message is one paragraph of emoji. */
function hasOnlyEmoji({ children: [paragraph, ...more] }: HTMLElement): boolean {
  if (paragraph?.tagName !== "P" || more.length > 0 || !paragraph.querySelector(".emoji")) return false;
  return [...paragraph.childNodes].every((node) =>
    node instanceof Element ? node.matches(".emoji, br") : node.textContent?.trim() === "",
  );
}

function markMentions(root: HTMLElement, { userId, groupIds }: ContentReader): void {
  for (const span of root.querySelectorAll<HTMLElement>(
    ".user-mention, .user-group-mention, .topic-mention",
  )) {
    const { userId: user, userGroupId: group } = span.dataset;
    const everyone = user === "*" || span.classList.contains("topic-mention");
    const mine = everyone || (user !== undefined && Number(user) === userId) || groupIds.has(Number(group));
    span.classList.toggle("is-me", mine && userId !== null && !span.classList.contains("silent"));
    if (everyone || (user === undefined && group === undefined)) continue;
    span.role = "button";
    span.tabIndex = 0;
  }
}

/** The topic without a name is called by the reader's language in links to it. */
function nameGeneralChat(root: HTMLElement): void {
  for (const name of root.querySelectorAll(":is(.stream-topic, .message-link) > em"))
    name.textContent = t("general chat");
}

function localizeTimes(root: HTMLElement, { twentyFourHours }: ContentReader): void {
  for (const time of root.querySelectorAll("time")) {
    const date = new Date(time.dateTime);
    if (Number.isNaN(date.getTime())) continue;
    const hours = hoursFor(twentyFourHours);
    const thisYear = date.getFullYear() === new Date().getFullYear();
    const day = { weekday: "short", month: "short", day: "numeric" } as const;
    const clock = { hour: "numeric", minute: "2-digit", ...hours } as const;
    time.textContent = date.toLocaleString(locale, {
      ...day,
      ...(thisYear ? {} : { year: "numeric" }),
      ...clock,
    });
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const full = date.toLocaleString(locale, { dateStyle: "full", timeStyle: "short", ...hours });
    time.dataset.tip = t("{time} in your time zone, {zone}", { time: full, zone });
  }
}

/** Pictures within the text open as those below it do. */
function linkPictures(root: HTMLElement): void {
  for (const picture of root.querySelectorAll<HTMLImageElement>("img.inline-image:not(a img)")) {
    const link = document.createElement("a");
    link.href = picture.dataset.originalSrc ?? "";
    link.title = picture.alt;
    const frame = document.createElement("span");
    frame.className = "message_inline_image in-text";
    picture.replaceWith(frame);
    frame.append(link);
    link.append(picture);
  }
}

const usual = { height: 240, width: 560 };

/** Gives pictures their size before they are loaded, so that nothing below them moves. */
function keepPlaces(root: HTMLElement, { mediaScale }: ContentReader): void {
  const maxHeight = usual.height * mediaScale;
  root.style.setProperty("--media-height", `${maxHeight}px`);
  for (const picture of root.querySelectorAll<HTMLImageElement>(".message_inline_image img")) {
    const [width = 0, height = 0] = (picture.dataset.originalDimensions ?? "").split("x").map(Number);
    if (width > 0 && height > 0) {
      const scale = Math.min(1, maxHeight / height, (usual.width * mediaScale) / width);
      picture.width = Math.round(width * scale);
      picture.height = Math.round(height * scale);
      picture.style.aspectRatio = `${width} / ${height}`;
    }
    picture.decoding = "async";
    const link = picture.closest("a");
    if (picture.alt === "") picture.alt = link?.title || fileName(link?.href ?? "");
    link?.setAttribute("aria-label", t("Picture: {name}", { name: picture.alt }));
  }
}

/** The picture of a card leads where its title does: once is enough by keyboard and for screen readers. */
function quietCards(root: HTMLElement): void {
  for (const picture of root.querySelectorAll<HTMLAnchorElement>(".message_embed_image")) {
    picture.tabIndex = -1;
    picture.ariaHidden = "true";
  }
}

const moving = /-anim(?=\.webp$)/;

/** Shows only the first frame of animated pictures, unless the person wants them to play. */
function calmPictures(root: HTMLElement, { movingPictures }: ContentReader): void {
  for (const picture of root.querySelectorAll<HTMLImageElement>("img[data-animated=true]")) {
    picture.dataset.moving ??= picture.src;
    const lively = picture.dataset.moving;
    const still = lively.replace(moving, "");
    const show = (src: string) => {
      if (picture.src !== src) picture.src = src;
    };
    show(movingPictures === "always" ? lively : still);
    const frame = picture.closest<HTMLElement>("a") ?? picture;
    frame.classList.toggle("is-still", movingPictures !== "always");
    const isLive = movingPictures === "on_hover";
    frame.onpointerenter = frame.onfocus = isLive ? () => show(lively) : null;
    frame.onpointerleave = frame.onblur = isLive ? () => show(still) : null;
  }
}

function addCodeTools(root: HTMLElement): void {
  for (const block of root.querySelectorAll<HTMLElement>(".codehilite")) {
    if (block.querySelector(".code-tools")) continue;
    const tools = document.createElement("div");
    tools.className = "code-tools";
    const language = document.createElement("span");
    language.textContent = block.dataset.codeLanguage ?? "";
    tools.append(language);
    const copy = document.createElement("button");
    copy.type = "button";
    copy.dataset.action = "copy-code";
    copy.textContent = t("Copy");
    copy.ariaLabel = t("Copy code");
    tools.append(copy);
    block.prepend(tools);
    // A block that scrolls sideways must do so by keyboard, too.
    const pre = block.querySelector("pre");
    if (pre) {
      pre.tabIndex = 0;
      pre.role = "region";
      const { codeLanguage } = block.dataset;
      pre.ariaLabel = codeLanguage
        ? t("Code, {language}", { language: codeLanguage })
        : t("Code|of a program");
    }
  }
  for (const wide of root.querySelectorAll<HTMLElement>("table, .katex-display")) wide.tabIndex = 0;
}

function openSpoilers(root: HTMLElement): void {
  for (const header of root.querySelectorAll<HTMLElement>(".spoiler-header")) {
    if (header.role === "button") continue;
    header.role = "button";
    header.tabIndex = 0;
    header.ariaExpanded = "false";
    if (header.textContent?.trim() === "") header.append(t("Spoiler"));
  }
}

function markLinks(root: HTMLElement): void {
  for (const link of root.querySelectorAll<HTMLAnchorElement>("a[href]")) {
    const isUpload = link.pathname.startsWith("/user_uploads/");
    if (link.host === location.host && !isUpload) continue;
    link.target = "_blank";
    link.rel = "noopener noreferrer";
    if (isUpload && !link.querySelector("img, video")) link.classList.add("file-link");
  }
}

function markAlertWords(root: HTMLElement, words: readonly string[]): void {
  if (words.length === 0 || root.querySelector(".alert-word")) return;
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}_])(?:${words.map(escapePattern).join("|")})(?![\\p{L}\\p{N}_])`,
    "giu",
  );
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof Text && !node.parentElement?.closest("a, code, pre, .katex, .code-tools"))
      texts.push(node);
  }
  for (const text of texts) markIn(text, pattern);
}

function markIn(text: Text, pattern: RegExp): void {
  for (const found of [...text.data.matchAll(pattern)].reverse()) {
    const word = text.splitText(found.index);
    word.splitText(found[0].length);
    const mark = document.createElement("span");
    mark.className = "alert-word";
    word.replaceWith(mark);
    mark.append(word);
  }
}

function escapePattern(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}

function fileName(href: string): string {
  const name = href.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
