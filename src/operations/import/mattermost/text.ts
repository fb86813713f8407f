// Mattermost's messages are Markdown, with @username and ~channel for mentions and links.
import { outsideCode } from "@/operations/import/intake/markdown-parts.ts";
import { referTo, withoutMarks } from "@/operations/import/intake/references.ts";

export interface MattermostNames {
  hasPerson(username: string): boolean;
  /** The key of a channel, by the name in its URL. */
  channel(name: string): string | null;
}

const mention = /(?<![\w.@/])@([a-z0-9][a-z0-9._-]*)/gi;
const channelLink = /(?<![\w~/])~([a-z0-9][a-z0-9_-]*)(?!~)/g;
const everyone = new Set(["all", "channel", "here"]);

export function fromMattermost(given: string, names: MattermostNames): string {
  return outsideCode(withoutMarks(given), (part) =>
    part
      .replaceAll(mention, (whole, name: string) => mentionOf(name.toLowerCase(), names) ?? whole)
      .replaceAll(channelLink, (whole, name: string) => {
        const key = names.channel(name);
        return key === null ? whole : referTo("channel", key);
      }),
  ).trim();
}

/** Finds the person; a full stop at the end may belong to the sentence. */
function mentionOf(given: string, names: MattermostNames): string | null {
  if (everyone.has(given)) return "@**all**";
  for (let name = given; name !== ""; name = name.slice(0, -1)) {
    if (names.hasPerson(name)) return `${referTo("person", name)}${given.slice(name.length)}`;
    if (!/[._-]$/.test(name)) return null;
  }
  return null;
}
