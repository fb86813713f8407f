import type { Env } from "markdown-it";
import { type Linkifier, type LinkWork, newLinkWork } from "@/text/links/link-work.ts";
import type { UrlSpan } from "@/text/links/urls.ts";

/** What a text may refer to, as its sender sees the organization. */
export interface RenderLookup {
  /** Finds a user by full name, by ID or by both; null if unknown or if the two disagree. */
  user(name: string | null, id: number | null): { id: number; full_name: string } | null;
  group(name: string): { id: number; name: string; is_system: boolean; description: string } | null;
  channel(name: string): { id: number; name: string } | null;
  /** The message ID for the `/with/` part of a topic link; null if the topic is empty. */
  newestInTopic(channelId: number, topic: string): number | null;
  emptyTopicName: string;
  /** The URL of this organization, without a trailing slash. */
  sites?: readonly string[];
  /** The picture URL of an active custom emoji, or of one of the server's extra ones. */
  customEmoji?(name: string): { url: string } | null;
  /** In the order of precedence. */
  linkifiers?: readonly Linkifier[];
  /** The uploaded picture at this address, or null. */
  upload?(href: string): UploadedPicture | null;
  /** What is shown for a link to another site, which may have a text other than its address; null for nothing. */
  linked?(href: string, hasText: boolean): Linked | null;
}

export interface UploadedPicture {
  /** Its path below `/user_uploads/`. */
  path_id: string;
  width: number;
  height: number;
  content_type: string;
  is_animated: boolean;
}

/** What another site shows at an address. `src` is where this server serves a picture. */
export type Linked =
  | { kind: "picture"; src: string; width: number; height: number }
  | { kind: "page"; src: string; title: string; description: string }
  /** Nobody has looked yet. */
  | { kind: "unfetched"; address: string };

export interface RenderOptions {
  /** Show pictures, videos and audio players below the paragraphs that link to them. Off by default. */
  previews?: boolean;
  /** Show pictures and pages of other sites below the paragraphs that link to them. Off by default. */
  linkPreviews?: boolean;
  /** Turn emoticons such as `:)` into emoji. Off by default. */
  translateEmoticons?: boolean;
  /** The language of code blocks that name none. */
  defaultCodeLanguage?: string;
}

/** The state of one render. It is passed in markdown-it's `env`, so renders never share it. */
export interface RenderScope {
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
  /** Addresses on other sites to look at. */
  readonly toFetch: Set<string>;
  /** How many pictures and players are within the text. */
  readonly pictures: { n: number };
  quoteDepth: number;
  /** Lines that block rules have scanned without result. */
  wastedLines: number;
  /** Bare URLs of the inline text being parsed, in order. */
  urls: readonly UrlSpan[];
  /** How many more characters of code may be highlighted. */
  codeBudget: number;
  /** How much more work formulas may cost. */
  mathBudget: number;
  /** How many more emoji may be drawn: one character can become a hundred characters of HTML. */
  emojiBudget: number;
  readonly linkWork: LinkWork;
}

const maxHighlighted = 10_000;
const maxMath = 2000;
const maxEmoji = 1000;

export function newScope(lookup: RenderLookup, options: RenderOptions): RenderScope {
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
    toFetch: new Set(),
    pictures: { n: 0 },
    quoteDepth: 0,
    wastedLines: 0,
    urls: [],
    codeBudget: maxHighlighted,
    mathBudget: maxMath,
    emojiBudget: maxEmoji,
    linkWork: newLinkWork(),
  };
}

export function scopeOf(env: Env | undefined): RenderScope {
  return env?.scope as RenderScope;
}
