// What a name or code of an emoji means here: the organization's own go before Unicode's.
import type { Ctx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import type { Emoji } from "@/messaging/reactions/schema.ts";
import { emojiByName, nameOfEmoji } from "@/text/rendering/emoji.ts";
import { pictureUrl } from "./present.ts";
import * as store from "./store.ts";

type Reads = Pick<Ctx, "db">;

/** The address of an active custom emoji's picture, for texts. */
export function customEmoji(reads: Reads, name: string): { url: string } | null {
  const row = store.findActive(reads, name);
  return row && { url: pictureUrl(row) };
}

/** The emoji of a name (API-REFERENCE 7.5); null where there is none. */
export function emojiNamed(reads: Reads, name: string): Emoji | null {
  const custom = store.findActive(reads, name);
  if (custom) return { emoji_name: name, emoji_code: String(custom.id), reaction_type: "realm_emoji" };
  const code = emojiByName(name);
  return code === null ? null : { emoji_name: name, emoji_code: code, reaction_type: "unicode_emoji" };
}

/** An emoji that a client names in full, if name, code and type agree; without a name, with the one it has. */
export function agreedEmoji(reads: Reads, given: Omit<Emoji, "emoji_name"> & { emoji_name?: string }): Emoji {
  const { emoji_code, reaction_type } = given;
  const known = reaction_type === "realm_emoji" ? customName(reads, emoji_code) : null;
  if (known !== null) {
    if ((given.emoji_name ?? known) !== known) fail("BAD_REQUEST", "Invalid custom emoji name.");
    return { emoji_name: known, emoji_code, reaction_type };
  }
  const preferred = reaction_type === "unicode_emoji" ? nameOfEmoji(emoji_code) : null;
  if (preferred === null) fail("BAD_REQUEST", "Invalid emoji code.");
  const emoji_name = given.emoji_name ?? preferred;
  // Clients bring names of their own for the same code points; only one that means another emoji is wrong.
  if ((emojiByName(emoji_name) ?? emoji_code) !== emoji_code) fail("BAD_REQUEST", "Invalid emoji name.");
  return { emoji_name, emoji_code, reaction_type };
}

function customName(reads: Reads, code: string): string | null {
  const row = store.listEmoji(reads, 0).find(({ id }) => String(id) === code);
  if (!row) fail("BAD_REQUEST", "Invalid custom emoji.");
  if (row.deactivated) fail("BAD_REQUEST", "This custom emoji has been deactivated.");
  return row.name;
}
