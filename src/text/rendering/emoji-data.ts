// The names of all Unicode emoji as a file for clients: its address holds a hash of its content, so it never changes.
import { createHash } from "node:crypto";
import { emojiNames } from "./emoji.ts";

interface EmojiData {
  /** The path of the file. */
  path: string;
  json: string;
}

let made: EmojiData | undefined;

/** Made at first use, from tables that are then in memory anyway. */
export function emojiData(): EmojiData {
  made ??= makeEmojiData();
  return made;
}

function makeEmojiData(): EmojiData {
  const json = JSON.stringify({ code_to_names: Object.fromEntries(emojiNames()) });
  const hash = createHash("sha256").update(json).digest("hex").slice(0, 20);
  return { path: `/static/emoji/${hash}.json`, json };
}
