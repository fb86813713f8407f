import type { MarkdownIt, StateInline } from "markdown-it";
import { type Attributes, beginsWord, pushElement } from "@/text/html/elements.ts";
import { type RenderScope, scopeOf } from "./scope.ts";

interface Mention {
  css: string;
  ids: Attributes;
  name: string;
  /** Records the users that this mention notifies; not called for silent mentions. */
  note(): void;
}

const userSyntax = /@(_?)\*\*([^*\n]+)\*\*/y;
const groupSyntax = /@(_?)\*([^*\n]+)\*/y;
const channelWildcards = new Set(["all", "everyone", "channel", "stream"]);

export function mentions(md: MarkdownIt): void {
  md.inline.ruler.push("mention", mention);
}

function mention(state: StateInline, dryRun: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 64 /* @ */ || state.linkLevel > 0 || !beginsWord(state))
    return false;
  const user = matchAt(userSyntax, state);
  const match = user ?? matchAt(groupSyntax, state);
  if (!match) return false;
  if (!dryRun) pushMention(state, match, user !== null);
  state.pos += match[0].length;
  return true;
}

function matchAt(syntax: RegExp, state: StateInline): RegExpExecArray | null {
  syntax.lastIndex = state.pos;
  const match = syntax.exec(state.src);
  return match && syntax.lastIndex <= state.posMax ? match : null;
}

function pushMention(
  state: StateInline,
  [typed, underscore, body = ""]: RegExpExecArray,
  isUser: boolean,
): void {
  const scope = scopeOf(state.env);
  const silent = underscore === "_" || scope.quoteDepth > 0;
  const found = isUser
    ? (wildcard(scope, body) ?? userMention(scope, body))
    : groupMention(scope, body, silent);
  if (!found) {
    state.pending += typed;
    return;
  }
  if (!silent) found.note();
  const attrs = { class: silent ? `${found.css} silent` : found.css, ...found.ids };
  pushElement(state, { tag: "span", attrs, text: silent ? found.name : `@${found.name}` });
}

function wildcard(scope: RenderScope, name: string): Mention | null {
  if (name === "topic") {
    const note = () => {
      scope.topicWildcard = true;
    };
    return { css: "topic-mention", ids: {}, name, note };
  }
  if (!channelWildcards.has(name)) return null;
  const note = () => {
    scope.channelWildcard = true;
  };
  return { css: "user-mention channel-wildcard-mention", ids: { "data-user-id": "*" }, name, note };
}

function userMention({ lookup, users }: RenderScope, body: string): Mention | null {
  const withId = /^(.+)?\|(\d{1,15})$/.exec(body);
  const user = withId ? lookup.user(withId[1] ?? null, Number(withId[2])) : lookup.user(body, null);
  if (!user) return null;
  const note = () => users.add(user.id);
  return { css: "user-mention", ids: { "data-user-id": user.id }, name: user.full_name, note };
}

function groupMention({ lookup, groups }: RenderScope, name: string, silent: boolean): Mention | null {
  const group = lookup.group(name);
  if (!group || (group.is_system && !silent)) return null;
  return {
    css: "user-group-mention",
    ids: { "data-user-group-id": group.id },
    name: group.is_system ? group.description : group.name,
    note: () => groups.add(group.id),
  };
}
