import { z } from "zod";
import { event } from "@/kernel/events.ts";

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

/** A reaction as it stands on a message. */
export const reaction = z.object({
  emoji_name: z.string(),
  emoji_code: z.string(),
  reaction_type: z.enum(reactionTypes),
  user_id: z.int(),
});
export type Reaction = z.infer<typeof reaction>;

/** The emoji of a reaction, without who gave it. */
export type Emoji = Omit<Reaction, "user_id">;

const reactionChange = z.object({
  ...reaction.shape,
  message_id: z.int(),
  user: z.object({ user_id: z.int(), email: z.string(), full_name: z.string() }),
});
export type ReactionChange = z.infer<typeof reactionChange>;

export const reactionAdded = event<ReactionChange>("reaction", { op: "add", schema: reactionChange });
export const reactionRemoved = event<ReactionChange>("reaction", { op: "remove", schema: reactionChange });
