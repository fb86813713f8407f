import type { MarkdownIt, StateInline } from "markdown-it";
import { pushText } from "@/text/html/elements.ts";
import { isImageUrl, safeHref, urlIndex } from "@/text/links/urls.ts";
import { embedOf } from "./media.ts";
import { type RenderScope, scopeOf } from "./scope.ts";

interface Target {
  href: string;
  title: string;
  end: number;
}

export function links(md: MarkdownIt): void {
  md.inline.ruler.at("link", link);
  md.inline.ruler.enable("link");
  md.inline.ruler.after("text", "bare_url", bareUrl);
}

function link(state: StateInline, dryRun: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 91 /* [ */) return false;
  const labelEnd = state.md.helpers.parseLinkLabel(state, state.pos, true);
  if (labelEnd < 0 || state.src.charCodeAt(labelEnd + 1) !== 40 /* ( */) return false;
  const target = parseTarget(state, labelEnd + 2);
  if (!target) return false;

  if (!dryRun && !pushPicture(state, target, { start: state.pos + 1, end: labelEnd }))
    pushLink(state, target, { start: state.pos + 1, end: labelEnd });
  state.pos = target.end;
  return true;
}

function parseTarget(state: StateInline, from: number): Target | null {
  const { parseLinkDestination, parseLinkTitle } = state.md.helpers;
  const destination = parseLinkDestination(state.src, skipBlanks(state, from), state.posMax);
  const href = destination.ok ? safeHref(destination.str) : null;
  if (href === null) return null;

  let end = skipBlanks(state, destination.pos);
  let title = "";
  if (end > destination.pos && end < state.posMax) {
    const parsed = parseLinkTitle(state.src, end, state.posMax);
    if (parsed.ok) {
      title = parsed.str;
      end = skipBlanks(state, parsed.pos);
    }
  }
  if (end >= state.posMax || state.src.charCodeAt(end) !== 41 /* ) */) return null;
  return { href, title, end: end + 1 };
}

function skipBlanks(state: StateInline, from: number): number {
  let pos = from;
  while (pos < state.posMax && " \t\n".includes(state.src.charAt(pos))) pos++;
  return pos;
}

interface Label {
  start: number;
  end: number;
}

/**
 * `![text](address)` of an uploaded picture or audio file. Wire: for everything else, the exclamation mark is text, since readers must not
 * fetch from other sites.
 */
function pushPicture(state: StateInline, { href }: Target, label: Label): boolean {
  if (!state.pending.endsWith("!") || state.linkLevel > 0) return false;
  const scope = scopeOf(state.env);
  const html = embedOf({ href, label: state.src.slice(label.start, label.end) }, scope);
  if (html === null) return false;

  state.pending = state.pending.slice(0, -1);
  noteAddress(scope, href);
  state.push("preview", "", 0).content = html;
  return true;
}

function pushLink(state: StateInline, { href, title }: Target, label: Label): void {
  const max = state.posMax;
  pushOpen(state, href, title);
  state.pos = label.start;
  state.posMax = label.end;
  state.linkLevel++;
  if (state.src.slice(label.start, label.end).trim() === "") pushText(state, href);
  else state.md.inline.tokenize(state);
  state.linkLevel--;
  state.posMax = max;
  state.push("link_close", "a", -1);
}

function bareUrl(state: StateInline, dryRun: boolean): boolean {
  if (state.linkLevel > 0) return false;
  const { urls } = scopeOf(state.env);
  const url = urls.length > 0 ? urls[urlIndex(urls, state.pos)] : undefined;
  if (url?.start !== state.pos || url.end > state.posMax) return false;
  if (!dryRun) {
    pushOpen(state, url.href, "");
    pushText(state, state.src.slice(url.start, url.end));
    state.push("link_close", "a", -1);
  }
  state.pos = url.end;
  return true;
}

function pushOpen(state: StateInline, target: string, title: string): void {
  const scope = scopeOf(state.env);
  const href = withinSite(target, scope.lookup.sites);
  scope.hasLink = true;
  noteAddress(scope, href);
  const token = state.push("link_open", "a", 1);
  token.attrs =
    title === ""
      ? [["href", href]]
      : [
          ["href", href],
          ["title", title],
        ];
}

function noteAddress(scope: RenderScope, href: string): void {
  if (isImageUrl(href)) scope.hasImage = true;
  if (href.includes("/user_uploads/")) scope.uploads.add(href);
}

/**
 * Makes links within this organization relative, so that they open in the client, whatever address it uses for the
 * server.
 */
function withinSite(href: string, sites: readonly string[] = []): string {
  const inside = /^https?:\/\/[^/?#]+\/?(#narrow\/.*)$/is.exec(href)?.[1];
  return inside !== undefined && sites.includes(URL.parse(href)?.origin ?? "") ? inside : href;
}
