// Resolves names and codes of emoji: the organization's own come before Unicode's and the server's.

import { realmId } from "@/foundation/realm/schema.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { emojiByName, nameOfEmoji, plainCode } from "@/text/emoji/emoji.ts";
import { extraCode, extraEmojiByName, extraPictureUrl } from "./extra.ts";
import {
  asRead,
  type Emoji,
  type EmojiById,
  knowsOldTypes,
  type ReactionType,
  type WireEmoji,
} from "./schema.ts";
import type { EmojiRow } from "./store.ts";
import * as store from "./store.ts";

/** The URL of the picture of an active custom or extra emoji, for texts. */
export function pictureOfEmoji(reads: Reads, name: string): { url: string } | null {
  const row = store.findActive(reads, name);
  if (row) return { url: pictureUrl(row) };
  return extraEmojiByName(name) === null ? null : { url: extraPictureUrl(name) };
}

/** The emoji with this name, or null. */
export function emojiNamed(reads: Reads, name: string): Emoji | null {
  const custom = store.findActive(reads, name);
  if (custom) return { emoji_name: name, emoji_code: String(custom.id), reaction_type: "realm_emoji" };
  const emoji_code = findBuiltInCode(name);
  if (emoji_code === null) return null;
  const reaction_type = namespaceOf(emoji_code);
  return {
    emoji_name: currentName({ emoji_name: name, emoji_code, reaction_type }),
    emoji_code,
    reaction_type,
  };
}

/** The code of the Unicode emoji with this name. */
export function findBuiltInCode(name: string): string | null {
  return emojiByName(name) ?? extraEmojiByName(name);
}

/** The namespace of a code that was sent without one. */
export function namespaceOf(code: string): ReactionType {
  return code === extraCode ? "service_extra_emoji" : "unicode_emoji";
}

/** The stored form of a code from a client. */
export function canonicalCode(code: string | undefined): string | undefined {
  return code && (extraEmojiByName(code) ?? plainCode(code));
}

/** The name under which clients see an emoji: the stored one, as long as it still means this emoji. */
export function currentName({ emoji_name, emoji_code, reaction_type }: Emoji): string {
  if (reaction_type === "realm_emoji") return emoji_name;
  if (reaction_type === "service_extra_emoji") return emoji_code;
  return emojiByName(emoji_name) === emoji_code ? emoji_name : (nameOfEmoji(emoji_code) ?? emoji_name);
}

/** A stored emoji as the actor's client reads it. */
export function presentStoredEmoji({ actor }: Pick<Ctx, "actor">, emoji: Emoji): WireEmoji {
  return asRead({ ...emoji, emoji_name: currentName(emoji) }, knowsOldTypes(actor.client));
}

/** The emoji that a client names by code and type; throws if a given name does not match. */
export function resolveEmoji(
  reads: Reads,
  given: Omit<Emoji, "emoji_name"> & { emoji_name?: string },
): Emoji {
  const { emoji_code, reaction_type } = given;
  if (reaction_type === "realm_emoji") {
    const known = customName(reads, emoji_code);
    if ((given.emoji_name ?? known) !== known) fail("BAD_REQUEST", "Invalid custom emoji name.");
    return { emoji_name: known, emoji_code, reaction_type };
  }
  const preferred =
    reaction_type === "unicode_emoji" ? nameOfEmoji(emoji_code) : extraEmojiByName(emoji_code);
  if (preferred === null) fail("BAD_REQUEST", "Invalid emoji code.");
  const { emoji_name = preferred } = given;
  // Clients may have other names for the same code point; only a name of another emoji is wrong.
  if ((findBuiltInCode(emoji_name) ?? emoji_code) !== emoji_code) fail("BAD_REQUEST", "Invalid emoji name.");
  return { emoji_name: currentName({ emoji_name, emoji_code, reaction_type }), emoji_code, reaction_type };
}

function customName(reads: Reads, code: string): string {
  const row = store.listEmoji(reads).find(({ id }) => String(id) === code);
  if (!row) fail("BAD_REQUEST", "Invalid custom emoji.");
  if (row.deactivated) fail("BAD_REQUEST", "This custom emoji has been deactivated.");
  return row.name;
}

/** The URL of an emoji's picture. */
function pictureUrl({ file }: Pick<EmojiRow, "file">): string {
  return `/user_avatars/${realmId}/emoji/images/${file}.webp`;
}

/** Emoji as clients read them. */
export function presentEmoji(rows: readonly EmojiRow[]): EmojiById {
  const shown = rows.map((row) => {
    const { id, name, author_id } = row;
    return {
      id: String(id),
      name,
      source_url: pictureUrl(row),
      still_url: row.is_animated ? pictureUrl({ file: `${row.file}-still` }) : null,
      deactivated: row.deactivated === 1,
      author_id,
    };
  });
  return Object.fromEntries(shown.map((one) => [one.id, one]));
}
