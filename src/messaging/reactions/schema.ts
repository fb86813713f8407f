import { z } from "zod";
import { event, type Traits } from "@/kernel/events.ts";

/** The namespaces of emoji codes (API.md 2, Reaction). */
export const reactionTypes = ["unicode_emoji", "realm_emoji", "service_extra_emoji"] as const;
export type ReactionType = (typeof reactionTypes)[number];

// Wire: existing clients of the API name the third namespace by its old name.
const oldExtra = "zulip_extra_emoji";

export const reactionType = z
  .enum([...reactionTypes, oldExtra], { error: "There is no such type of emoji." })
  .transform((type): ReactionType => (type === oldExtra ? "service_extra_emoji" : type));

/** How many different emoji a message takes: from one person, and from all of them. */
export const mostEmoji = { ofOne: 50, ofAll: 200 } as const;

export const emojiName = z
  .string()
  .regex(/^[^\s:\p{C}]{1,100}$/u, "Emoji names must contain only visible characters, and no colon.");

export interface Emoji {
  emoji_name: string;
  emoji_code: string;
  reaction_type: ReactionType;
}

/** An emoji on a message, and who gave it. */
export interface Reaction extends Emoji {
  user_id: number;
}

/** The namespaces under every name that clients are told. */
export const toldReactionType = z.enum([...reactionTypes, oldExtra]);

/** A reaction as clients read it. */
export const reaction = z.object({
  emoji_name: z.string(),
  emoji_code: z.string(),
  reaction_type: toldReactionType,
  user_id: z.int(),
});
export type ToldReaction = z.infer<typeof reaction>;

// The phone apps, by the product in their User-Agent: a reaction of a type they do not know makes them refuse its
// message.
const olderClients: ReadonlySet<unknown> = new Set(["ZulipFlutter", "ZulipMobile"]);

/** What is told with an emoji, with its namespace under the name that a client knows. */
export function asReadBy<E extends { reaction_type?: z.infer<typeof toldReactionType> }>(
  client: unknown,
  told: E,
): E {
  if (told.reaction_type !== "service_extra_emoji" || !olderClients.has(client)) return told;
  return { ...told, reaction_type: oldExtra };
}

/** For events that tell of an emoji: the queues of those clients read a form of their own. */
export const emojiForms = {
  variant: ({ options }: Traits) => (olderClients.has(options.client) ? "older client" : ""),
  shape: <E extends { reaction_type?: z.infer<typeof toldReactionType> }>(told: E, { options }: Traits) =>
    asReadBy(options.client, told),
};

const reactionChange = z.object({
  ...reaction.shape,
  message_id: z.int(),
  user: z.object({ user_id: z.int(), email: z.string(), full_name: z.string() }),
});
export type ReactionChange = z.infer<typeof reactionChange>;

export const reactionAdded = event<ReactionChange>("reaction", {
  op: "add",
  schema: reactionChange,
  ...emojiForms,
});
export const reactionRemoved = event<ReactionChange>("reaction", {
  op: "remove",
  schema: reactionChange,
  ...emojiForms,
});
