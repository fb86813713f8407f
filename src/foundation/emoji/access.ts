// What a name or code of an emoji means here: the organization's own go before Unicode's and the server's.
import type { Ctx, Reads } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { emojiByName, nameOfEmoji, plainCode } from "@/text/rendering/emoji.ts";
import { extraCode, extraEmojiByName, extraPictureUrl } from "./extra.ts";
import { pictureUrl } from "./present.ts";
import { asRead, type Emoji, knowsOldTypes, type ReactionType, type ToldEmoji } from "./schema.ts";
import * as store from "./store.ts";

/** The address of the picture of an active custom emoji, or of an extra one, for texts. */
export function pictureOfEmoji(reads: Reads, name: string): { url: string } | null {
  const row = store.findActive(reads, name);
  if (row) return { url: pictureUrl(row) };
  return extraEmojiByName(name) === null ? null : { url: extraPictureUrl(name) };
}

/** The emoji with this name; null if there is none. */
export function emojiNamed(reads: Reads, name: string): Emoji | null {
  const custom = store.findActive(reads, name);
  if (custom) return { emoji_name: name, emoji_code: String(custom.id), reaction_type: "realm_emoji" };
  const emoji_code = builtInCode(name);
  if (emoji_code === null) return null;
  const reaction_type = namespaceOf(emoji_code);
  return {
    emoji_name: currentName({ emoji_name: name, emoji_code, reaction_type }),
    emoji_code,
    reaction_type,
  };
}

/** The code of the emoji that every server has under this name. */
export function builtInCode(name: string): string | null {
  return emojiByName(name) ?? extraEmojiByName(name);
}

/** The namespace of a code that comes without one. */
export function namespaceOf(code: string): ReactionType {
  return code === extraCode ? "service_extra_emoji" : "unicode_emoji";
}

/** A code as it is stored, whatever form of it a client sends. */
export function canonicalCode(code: string | undefined): string | undefined {
  return code && (extraEmojiByName(code) ?? plainCode(code));
}

/** The name under which an emoji is told: the one it was given under, as long as that means it. */
export function currentName({ emoji_name, emoji_code, reaction_type }: Emoji): string {
  if (reaction_type === "realm_emoji") return emoji_name;
  if (reaction_type === "service_extra_emoji") return emoji_code;
  return emojiByName(emoji_name) === emoji_code ? emoji_name : (nameOfEmoji(emoji_code) ?? emoji_name);
}

/** A stored emoji as the actor's client reads it. */
export function emojiShown({ actor }: Pick<Ctx, "actor">, emoji: Emoji): ToldEmoji {
  return asRead({ ...emoji, emoji_name: currentName(emoji) }, knowsOldTypes(actor.client));
}

/** An emoji that a client names in full, if name, code and type agree; without a name, with the one it has. */
export function agreedEmoji(reads: Reads, given: Omit<Emoji, "emoji_name"> & { emoji_name?: string }): Emoji {
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
  // Clients bring names of their own for the same code points; only one that means another emoji is wrong.
  if ((builtInCode(emoji_name) ?? emoji_code) !== emoji_code) fail("BAD_REQUEST", "Invalid emoji name.");
  return { emoji_name: currentName({ emoji_name, emoji_code, reaction_type }), emoji_code, reaction_type };
}

function customName(reads: Reads, code: string): string {
  const row = store.listEmoji(reads).find(({ id }) => String(id) === code);
  if (!row) fail("BAD_REQUEST", "Invalid custom emoji.");
  if (row.deactivated) fail("BAD_REQUEST", "This custom emoji has been deactivated.");
  return row.name;
}
