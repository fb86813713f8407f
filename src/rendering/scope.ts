import type { Env } from "markdown-it";
import type { UrlSpan } from "@/rendering/urls";

/** What a text may refer to, answered as its sender sees the organization. */
export interface RenderLookup {
  /** By full name, by id, or by both; null when unknown or when the two disagree. */
  user(name: string | null, id: number | null): { id: number; full_name: string } | null;
  group(name: string): { id: number; name: string; is_system: boolean; description: string } | null;
  channel(name: string): { id: number; name: string } | null;
  /** The message a topic link points `/with/`; null when the topic has none. */
  newestInTopic(channelId: number, topic: string): number | null;
  emptyTopicName: string;
}

/** One render's state. It travels in markdown-it's `env`, so renders never share any. */
export interface Scope {
  readonly lookup: RenderLookup;
  readonly users: Set<number>;
  readonly groups: Set<number>;
  channelWildcard: boolean;
  topicWildcard: boolean;
  hasLink: boolean;
  hasImage: boolean;
  quoteDepth: number;
  /** Bare URLs of the inline text being parsed, in order. */
  urls: readonly UrlSpan[];
}

export function newScope(lookup: RenderLookup): Scope {
  return {
    lookup,
    users: new Set(),
    groups: new Set(),
    channelWildcard: false,
    topicWildcard: false,
    hasLink: false,
    hasImage: false,
    quoteDepth: 0,
    urls: [],
  };
}

export function scopeOf(env: Env): Scope {
  return env.scope as Scope;
}
