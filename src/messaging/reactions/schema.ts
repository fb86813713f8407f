import { z } from "zod";
import { type Emoji, emojiForms, reactionType } from "@/foundation/emoji/schema.ts";
import { event } from "@/kernel/core/events.ts";
import { errorKinds } from "@/kernel/lib/errors.ts";
import { messageId, reaction, reactor } from "@/messaging/messages/schema.ts";

export const reactionErrors = errorKinds({
  REACTION_ALREADY_EXISTS: { status: 400 },
  REACTION_DOES_NOT_EXIST: { status: 400 },
});

/** Limits on the different emoji on a message: from one user and from all users. */
export const maxEmoji = { ofOne: 50, ofAll: 200 } as const;

/** An emoji as a client names it: by name, or with its code and namespace. */
const namedEmoji = z.object({
  emoji_name: z
    .string()
    .regex(/^[^\s:\p{C}]{1,100}$/u, "Emoji names must contain only visible characters, and no colon.")
    .optional(),
  emoji_code: z.string().max(100).optional(),
  reaction_type: reactionType.optional(),
});
export type NamedEmoji = z.infer<typeof namedEmoji>;

export const reactionInput = z.object({ message_id: messageId, ...namedEmoji.shape });
export type ReactionInput = z.infer<typeof reactionInput>;

/** An emoji on a message, and the user who added it. */
export interface Reaction extends Emoji {
  user_id: number;
}

const reactionChange = z.object({ ...reaction.shape, message_id: z.int(), user: reactor });
export type ReactionChange = z.infer<typeof reactionChange>;

export const reactionAdded = event("reaction", {
  about: "A reaction was added to a message.",
  op: "add",
  schema: reactionChange,
  ...emojiForms<ReactionChange>(),
});
export const reactionRemoved = event("reaction", {
  about: "A reaction was removed from a message.",
  op: "remove",
  schema: reactionChange,
  ...emojiForms<ReactionChange>(),
});
