import { z } from "zod";
import { event, type Traits } from "@/kernel/core/events.ts";

/** The name of a custom emoji. */
export const customEmojiName = z
  .string()
  .max(100, "An emoji's name has at most 100 characters.")
  .regex(
    /^[0-9a-z_-]*[0-9a-z]$/,
    "An emoji's name must be made of lower-case letters, digits, dashes and underscores, and end in a letter or digit.",
  );

/** A custom emoji as clients read it. */
export const realmEmoji = z.object({
  /** The ID as a string; the emoji's code in reactions. */
  id: z.string(),
  name: z.string(),
  source_url: z.string(),
  still_url: z.string().nullable(),
  deactivated: z.boolean(),
  author_id: z.int().nullable(),
});
export type RealmEmoji = z.infer<typeof realmEmoji>;

/** All custom emoji, by ID. */
export type EmojiById = Record<string, RealmEmoji>;

export const emojiUpdated = event("realm_emoji", {
  about: "The organization's own emoji have changed; carries all of them.",
  op: "update",
  schema: z.object({ realm_emoji: z.record(z.string(), realmEmoji) }),
});

/** `max` includes deactivated emoji, which old messages still show. */
export const emojiLimits = { fileMib: 5, side: 64, max: 10_000 } as const;

/** The namespaces of emoji codes, as reactions name them. */
export const reactionTypes = ["unicode_emoji", "realm_emoji", "service_extra_emoji"] as const;
export type ReactionType = (typeof reactionTypes)[number];

// Wire: the old name of the third namespace, which existing clients use.
const oldExtra = "zulip_extra_emoji";

export const reactionType = z
  .enum([...reactionTypes, oldExtra], { error: "There is no such type of emoji." })
  .transform((type): ReactionType => (type === oldExtra ? "service_extra_emoji" : type));

/** An emoji as reactions and statuses name it. */
export interface Emoji {
  emoji_name: string;
  emoji_code: string;
  reaction_type: ReactionType;
}

/** The namespaces, under all names that clients read. */
export const wireReactionType = z.enum([...reactionTypes, oldExtra]);
type WireReactionType = z.infer<typeof wireReactionType>;

/** An emoji as clients read it. */
export type WireEmoji = Omit<Emoji, "reaction_type"> & { reaction_type: WireReactionType };

// The phone apps, by the product in their User-Agent: they reject a message with a reaction of a type that they do not
// know.
const olderClients: ReadonlySet<string> = new Set(["ZulipFlutter", "ZulipMobile"]);

/** Whether a client knows extra emoji only by their old type. */
export function knowsOldTypes(client: string): boolean {
  return olderClients.has(client);
}

interface OfType {
  reaction_type?: WireReactionType;
}

/** An object with an emoji, in the form for clients that know only the old types, or for all others. */
export function asRead<E extends OfType>(value: E, byOlder: boolean): E {
  return byOlder && value.reaction_type === "service_extra_emoji"
    ? { ...value, reaction_type: oldExtra }
    : value;
}

const isOlder = ({ options }: Traits): boolean => options.knows_old_emoji_types === true;

/** For events with an emoji: queues of clients that know only the old types get a separate form. */
export const emojiForms = <Fields extends OfType>() => ({
  variant: (queue: Traits) => (isOlder(queue) ? "old types" : ""),
  shape: (fields: Fields, queue: Traits) => asRead(fields, isOlder(queue)),
});
