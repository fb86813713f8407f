import type { Ctx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { emojiByName, nameOfEmoji } from "@/rendering/emoji.ts";
import type { Emoji, Reaction, ReactionType } from "./schema.ts";
import * as store from "./store.ts";

/** An emoji as a client names it: by name, or with its code and namespace. */
export interface NamedEmoji {
  emoji_name?: string;
  emoji_code?: string;
  reaction_type?: ReactionType;
}

/** The reactions on each of these messages. */
export function reactionsOn(reads: Pick<Ctx, "db">, messageIds: readonly number[]): Map<number, Reaction[]> {
  return store.findReactions(reads, messageIds);
}

/**
 * The emoji a client means on a message that has these reactions (API-REFERENCE 7.5): one that is there already goes
 * under the name it has; another must exist, and not under a name that is another's. Throws BAD_REQUEST.
 */
export function emojiFor(given: NamedEmoji, present: readonly Reaction[]): Emoji {
  const { emoji_name, emoji_code, reaction_type = "unicode_emoji" } = given;
  const code = emoji_code ?? codeOf(emoji_name);
  const known = present.find((one) => one.emoji_code === code && one.reaction_type === reaction_type);
  if (known) return { emoji_name: known.emoji_name, emoji_code: code, reaction_type };
  if (reaction_type !== "unicode_emoji" || nameOfEmoji(code) === null)
    fail("BAD_REQUEST", "Invalid emoji code.");
  const name = emoji_name ?? (nameOfEmoji(code) as string);
  // Clients bring names of their own for the same code points; only one that means another emoji is wrong.
  if ((emojiByName(name) ?? code) !== code) fail("BAD_REQUEST", "Invalid emoji name.");
  return { emoji_name: name, emoji_code: code, reaction_type };
}

function codeOf(name: string | undefined): string {
  if (name === undefined) fail("BAD_REQUEST", "Name the emoji by emoji_name or by emoji_code.");
  return emojiByName(name) ?? fail("BAD_REQUEST", `Emoji '${name}' does not exist`);
}
