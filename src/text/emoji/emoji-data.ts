// The names of all Unicode emoji as a JSON file for clients. Its path contains a hash of its content, so clients can
// cache it forever.
import { createHash } from "node:crypto";
import { emojiNames } from "@/text/emoji/emoji.ts";

interface EmojiData {
  path: string;
  json: string;
}

let made: EmojiData | undefined;

/** Built on first use. */
export function emojiData(): EmojiData {
  made ??= makeEmojiData();
  return made;
}

function makeEmojiData(): EmojiData {
  const json = JSON.stringify({ code_to_names: Object.fromEntries(emojiNames()) });
  const hash = createHash("sha256").update(json).digest("hex").slice(0, 20);
  return { path: `/static/emoji/${hash}.json`, json };
}
