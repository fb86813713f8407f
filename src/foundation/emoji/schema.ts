import { z } from "zod";
import { event, type Traits } from "@/kernel/events.ts";

/** The name of a custom emoji. */
export const customEmojiName = z
  .string()
  .max(100, "An emoji's name has at most 100 characters.")
  .regex(
    /^[0-9a-z_-]*[0-9a-z]$/,
    "An emoji's name is made of lower-case letters, digits, dashes and underscores, and ends in a letter or digit.",
  );

/** A custom emoji as clients read it. */
export const realmEmoji = z.object({
  /** The ID as a string, which is the emoji's code in reactions. */
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

export const emojiUpdated = event<{ realm_emoji: EmojiById }>("realm_emoji", {
  about: "The organization's own emoji have changed; carries all of them.",
  op: "update",
  schema: z.object({ realm_emoji: z.record(z.string(), realmEmoji) }),
});

/** `most` counts those taken out of use as well, which stay where they stand. */
export const emojiLimits = { fileMib: 5, side: 64, most: 10_000 } as const;

/** The namespaces of emoji codes, as reactions name them. */
export const reactionTypes = ["unicode_emoji", "realm_emoji", "service_extra_emoji"] as const;
export type ReactionType = (typeof reactionTypes)[number];

// Wire: existing clients of the API name the third namespace by its old name.
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

/** The namespaces under every name that clients are told. */
export const toldReactionType = z.enum([...reactionTypes, oldExtra]);
type ToldReactionType = z.infer<typeof toldReactionType>;

/** An emoji as clients read it. */
export type ToldEmoji = Omit<Emoji, "reaction_type"> & { reaction_type: ToldReactionType };

// The phone apps, by the product in their User-Agent: a reaction of a type they do not know makes them refuse its
// message.
const olderClients: ReadonlySet<string> = new Set(["ZulipFlutter", "ZulipMobile"]);

/** Whether a client knows extra emoji by their old type alone. */
export function knowsOldTypes(client: string): boolean {
  return olderClients.has(client);
}

interface OfType {
  reaction_type?: ToldReactionType;
}

/** What is told with an emoji, for clients that know the old types, or for all others. */
export function asRead<E extends OfType>(told: E, byOlder: boolean): E {
  return byOlder && told.reaction_type === "service_extra_emoji"
    ? { ...told, reaction_type: oldExtra }
    : told;
}

const isOlder = ({ options }: Traits): boolean => options.knows_old_emoji_types === true;

/** For events that tell of an emoji: queues of clients that know the old types read a form of their own. */
export const emojiForms = {
  variant: (queue: Traits) => (isOlder(queue) ? "old types" : ""),
  shape: <E extends OfType>(told: E, queue: Traits) => asRead(told, isOlder(queue)),
};
