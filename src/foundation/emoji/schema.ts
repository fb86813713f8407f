import { z } from "zod";
import { event, type Traits } from "@/kernel/events.ts";

/** How a custom emoji is called (API-REFERENCE 19.5). */
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
  op: "update",
  schema: z.object({ realm_emoji: z.record(z.string(), realmEmoji) }),
});

/** `most` counts those taken out of use as well, which stay where they stand. */
export const emojiLimits = { fileMib: 5, side: 64, most: 10_000 } as const;

/** The namespaces of emoji codes (API.md 2, Reaction). */
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
const olderClients: ReadonlySet<unknown> = new Set(["ZulipFlutter", "ZulipMobile"]);

/** What is told with an emoji, with its namespace under the name that a client knows. */
export function asReadBy<E extends { reaction_type?: ToldReactionType }>(client: unknown, told: E): E {
  if (told.reaction_type !== "service_extra_emoji" || !olderClients.has(client)) return told;
  return { ...told, reaction_type: oldExtra };
}

/** For events that tell of an emoji: the queues of those clients read a form of their own. */
export const emojiForms = {
  variant: ({ options }: Traits) => (olderClients.has(options.client) ? "older client" : ""),
  shape: <E extends { reaction_type?: ToldReactionType }>(told: E, { options }: Traits) =>
    asReadBy(options.client, told),
};
