import { mayKnow } from "@/foundation/acquaintance/access.ts";
import {
  canonicalCode,
  currentName,
  emojiNamed,
  namespaceOf,
  resolveEmoji,
} from "@/foundation/emoji/access.ts";
import { asRead, type Emoji, knowsOldTypes } from "@/foundation/emoji/schema.ts";
import { userFor } from "@/foundation/users/access.ts";
import { strangerFacts } from "@/foundation/users/present.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { expectsOldFields } from "@/kernel/http/client-name.ts";
import { fail } from "@/kernel/lib/errors.ts";
import type { WireReaction } from "@/messaging/messages/schema.ts";
import { sentence } from "@/text/language/tables.ts";
import type { NamedEmoji, Reaction } from "./schema.ts";
import * as store from "./store.ts";

/** The reactions on each of these messages. */
export function reactionsOn(reads: Reads, messageIds: readonly number[]): Map<number, Reaction[]> {
  const withCurrentName = (one: Reaction): Reaction => ({ ...one, emoji_name: currentName(one) });
  const found = store.findReactions(reads, messageIds);
  return new Map([...found].map(([id, reactions]) => [id, reactions.map(withCurrentName)]));
}

/** As `reactionsOn`, in the form for the actor's client. */
export function reactionsShown(ctx: Ctx, messageIds: readonly number[]): Map<number, WireReaction[]> {
  const { client } = ctx.actor;
  const byOlder = knowsOldTypes(client);
  const withUsers = expectsOldFields(client);
  const presentOne = (one: Reaction): WireReaction => {
    const presented = asRead(one, byOlder);
    return withUsers ? { ...presented, user: reactorOf(ctx, one.user_id) } : presented;
  };
  const found = reactionsOn(ctx, messageIds);
  return new Map([...found].map(([id, reactions]) => [id, reactions.map(presentOne)]));
}

/** The user of a reaction, or the placeholder for one that the actor may not know. */
function reactorOf(ctx: Ctx, user_id: number): WireReaction["user"] {
  const user = userFor(ctx, user_id);
  const { email, full_name } = mayKnow(ctx, user) ? user : strangerFacts(ctx, user_id);
  return { user_id, email, full_name };
}

/**
 * The emoji that a client means, on a message with these reactions. An emoji that is there already keeps its name, even if
 * it has been deactivated. A new one must exist, and its name must not belong to another emoji.
 */
export function emojiFor(reads: Reads, given: NamedEmoji, present: readonly Reaction[]): Emoji {
  const { emoji_name } = given;
  const named = emoji_name === undefined ? null : findNamedOn(reads, emoji_name, present);
  const emoji_code = canonicalCode(given.emoji_code) ?? named?.emoji_code ?? unknownName(emoji_name);
  const reaction_type =
    given.reaction_type ?? (named?.emoji_code === emoji_code ? named.reaction_type : namespaceOf(emoji_code));
  const known = present.find((one) => one.emoji_code === emoji_code && one.reaction_type === reaction_type);
  if (known) return { emoji_name: known.emoji_name, emoji_code, reaction_type };
  return resolveEmoji(reads, { emoji_name, emoji_code, reaction_type });
}

/** The emoji of this name: an active one, or one that remains only on the message. */
function findNamedOn(reads: Reads, name: string, present: readonly Reaction[]): Emoji | null {
  return emojiNamed(reads, name) ?? present.find((one) => one.emoji_name === name) ?? null;
}

function unknownName(name: string | undefined): never {
  if (name === undefined) fail("BAD_REQUEST", "Specify the emoji by 'emoji_name' or 'emoji_code'.");
  fail("BAD_REQUEST", sentence("Emoji ''{name}'' does not exist", { name }));
}

/** How many reactions a user has on messages with IDs above `after`, up to `upTo`. */
export function countReactionsOf(
  reads: Reads,
  userId: number,
  range: { after: number; upTo: number },
): number {
  return store.countReactionsOf(reads, userId, range);
}
