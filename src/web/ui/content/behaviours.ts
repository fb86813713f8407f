// Handles clicks and key presses on parts of messages, in one handler for the whole list.
import type { KeyboardEvent, MouseEvent } from "react";
import { t } from "../../lib/texts.ts";
import { showToast } from "../toasts.tsx";

export interface ContentActions {
  /** Shows a person's card next to `anchor`. */
  showPerson(userId: number, anchor: HTMLElement): void;
  showGroup(groupId: number, anchor: HTMLElement): void;
  /** Shows a picture or video in full; `all` are those of the same list, in order. */
  showMedia(media: MediaItem, all: readonly MediaItem[]): void;
}

export interface MediaItem {
  /** Where its link leads. */
  href: string;
  /** Where this server serves it. */
  src: string;
  title: string;
  kind: "picture" | "video";
}

/** Returns whether it handled the click. */
export function pressContent(event: MouseEvent | KeyboardEvent, actions: ContentActions): boolean {
  const { target } = event;
  if (!(target instanceof Element) || !isPlainPress(event)) return false;
  if (showSender(target, actions)) return true;
  if (!target.closest(".message-content")) return false;
  const handled =
    copyCode(target) ||
    toggleSpoiler(target) ||
    showMention(target, actions) ||
    showMedia(target, actions) ||
    followLink(target);
  if (handled) event.preventDefault();
  return handled;
}

/** A left click without modifiers, or Enter or Space on an element with the role of a button. */
function isPlainPress(event: MouseEvent | KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return false;
  if ("button" in event) return event.button === 0;
  if (event.key !== "Enter" && event.key !== " ") return false;
  return event.target instanceof HTMLElement && event.target.role === "button";
}

/** The picture and the name above a message. */
function showSender(target: Element, actions: ContentActions): boolean {
  const sender = target.closest<HTMLElement>("[data-person]");
  if (sender) actions.showPerson(Number(sender.dataset.person), sender);
  return sender !== null;
}

function copyCode(target: Element): boolean {
  const button = target.closest<HTMLElement>('[data-action="copy-code"]');
  const code = button?.closest(".codehilite")?.querySelector("code")?.textContent;
  if (!button || code === undefined || code === null) return false;
  void copyText(code).then((copied) => {
    button.textContent = copied ? t("Copied") : t("Press Ctrl+C");
    setTimeout(() => {
      button.textContent = t("Copy");
    }, 2000);
  });
  return true;
}

/** Copies text; over plain HTTP, where browsers have no clipboard API, by a selection. Rejects if the text does. */
async function copyText(text: string | Promise<string>): Promise<boolean> {
  if (navigator.clipboard) {
    // Browsers allow it right after a click alone: they get the text when it is there.
    const blob = Promise.resolve(text).then((known) => new Blob([known], { type: "text/plain" }));
    const copied = await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]).then(
      () => true,
      () => false,
    );
    if (copied) return true;
  }
  const known = await text;
  const area = document.createElement("textarea");
  const focused = document.activeElement;
  area.value = known;
  area.className = "visually-hidden";
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}

/** Copies text, which may still have to be fetched, and shows a notice. */
export async function copyWithNotice(text: string | Promise<string>, done: string): Promise<void> {
  const copied = await copyText(text);
  showToast(copied ? { text: done } : { text: t("The browser refused to copy."), look: "danger" });
}

function toggleSpoiler(target: Element): boolean {
  const header = target.closest<HTMLElement>(".spoiler-header");
  if (!header || target.closest("a")) return false;
  const opens = header.ariaExpanded !== "true";
  header.ariaExpanded = String(opens);
  header.parentElement
    ?.querySelector(":scope > .spoiler-content")
    ?.setAttribute("aria-hidden", String(!opens));
  return true;
}

function showMention(target: Element, actions: ContentActions): boolean {
  const mention = target.closest<HTMLElement>('[role="button"]:is(.user-mention, .user-group-mention)');
  if (!mention) return false;
  if (mention.dataset.userId) actions.showPerson(Number(mention.dataset.userId), mention);
  else actions.showGroup(Number(mention.dataset.userGroupId), mention);
  return true;
}

function showMedia(target: Element, actions: ContentActions): boolean {
  const link = target.closest<HTMLAnchorElement>(".message_inline_image a");
  if (!link) return false;
  const list = link.closest("[role=log], main, body") ?? document.body;
  const links = [...list.querySelectorAll<HTMLAnchorElement>(".message_inline_image a")];
  const all = links.map(mediaOf);
  const media = all[links.indexOf(link)];
  if (media) actions.showMedia(media, all);
  return media !== undefined;
}

function mediaOf(link: HTMLAnchorElement): MediaItem {
  const kind = link.closest(".message_inline_video") ? "video" : "picture";
  const title =
    link.title || link.querySelector("img")?.alt || decodeURI(link.pathname.split("/").at(-1) ?? "");
  const picture = link.querySelector("img");
  // A picture of another site is shown as this server stored it: that site learns of nobody.
  const isLinked = picture !== null && new URL(picture.src).pathname.startsWith("/external_content/");
  return { href: link.href, src: isLinked ? picture.src : link.href, title, kind };
}

/** Opens links to conversations of this organization in the client. */
function followLink(target: Element): boolean {
  const link = target.closest<HTMLAnchorElement>("a[href]");
  if (!link || link.host !== location.host || !link.hash.startsWith("#narrow/")) return false;
  location.hash = link.hash;
  return true;
}
