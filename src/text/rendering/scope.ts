import type { Env } from "markdown-it";
import { type Linkifier, type LinkWork, newLinkWork } from "./link-work.ts";
import type { UrlSpan } from "./urls.ts";

/** What a text may refer to, answered as its sender sees the organization. */
export interface RenderLookup {
  /** By full name, by id, or by both; null when unknown or when the two disagree. */
  user(name: string | null, id: number | null): { id: number; full_name: string } | null;
  group(name: string): { id: number; name: string; is_system: boolean; description: string } | null;
  channel(name: string): { id: number; name: string } | null;
  /** The message a topic link points `/with/`; null when the topic has none. */
  newestInTopic(channelId: number, topic: string): number | null;
  emptyTopicName: string;
  /** The address of this organization, without a slash at its end. */
  site?: string;
  /** The organization's active emoji, and the server's extra ones: their pictures' addresses. */
  customEmoji?(name: string): { url: string } | null;
  /** In the order in which they apply. */
  linkifiers?: readonly Linkifier[];
  /** The uploaded picture that an address leads to; null when there is none to show. */
  upload?(href: string): UploadedPicture | null;
}

export interface UploadedPicture {
  /** Its address, after `/user_uploads/`. */
  path_id: string;
  width: number;
  height: number;
  content_type: string;
  is_animated: boolean;
}

export interface RenderOptions {
  /** Show pictures, videos and sounds below the paragraphs that link to them. Off by default. */
  previews?: boolean;
  /** Turn `:)` and its like into emoji. Off by default. */
  translateEmoticons?: boolean;
  /** The language of code blocks that name none. */
  defaultCodeLanguage?: string;
}

/** One render's state. It travels in markdown-it's `env`, so renders never share any. */
export interface Scope {
  readonly lookup: RenderLookup;
  readonly options: RenderOptions;
  readonly users: Set<number>;
  readonly groups: Set<number>;
  channelWildcard: boolean;
  topicWildcard: boolean;
  hasLink: boolean;
  hasImage: boolean;
  /** Links that may lead to uploaded files. */
  readonly uploads: Set<string>;
  quoteDepth: number;
  /** Lines that the rules of blocks have looked at in vain. */
  wastedLines: number;
  /** Bare URLs of the inline text being parsed, in order. */
  urls: readonly UrlSpan[];
  /** Characters of code that may still be highlighted. */
  codeBudget: number;
  /** Work that may still go into formulas. */
  mathBudget: number;
  /** Emoji that may still be drawn: each is a hundred characters of HTML for one of text. */
  emojiBudget: number;
  readonly linkWork: LinkWork;
}

const maxHighlighted = 10_000;
const maxMath = 2000;
const maxEmoji = 1000;

export function newScope(lookup: RenderLookup, options: RenderOptions): Scope {
  return {
    lookup,
    options,
    users: new Set(),
    groups: new Set(),
    channelWildcard: false,
    topicWildcard: false,
    hasLink: false,
    hasImage: false,
    uploads: new Set(),
    quoteDepth: 0,
    wastedLines: 0,
    urls: [],
    codeBudget: maxHighlighted,
    mathBudget: maxMath,
    emojiBudget: maxEmoji,
    linkWork: newLinkWork(),
  };
}

export function scopeOf(env: Env | undefined): Scope {
  return env?.scope as Scope;
}
