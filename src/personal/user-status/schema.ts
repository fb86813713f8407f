import { z } from "zod";
import { emojiForms, reactionType, wireReactionType } from "@/foundation/emoji/schema.ts";
import { hasAtMost } from "@/foundation/realm/texts.ts";
import { userId } from "@/foundation/users/schema.ts";
import { event } from "@/kernel/core/events.ts";
import { bare } from "@/kernel/http/wire.ts";

const maxText = 60;

const statusText = z
  .string()
  .trim()
  .refine(hasAtMost(maxText), `status_text is too long (limit: ${maxText} characters)`)
  .meta({ maxLength: maxText })
  .refine((text) => !/\p{Cc}/u.test(text), "The status must contain only printable characters.");

const emojiField = z.string().max(100, "An emoji name or code can have at most 100 characters.");

/** Missing fields stay as they are; empty ones are removed. An emoji name alone means the emoji of that name. */
const status = z.object({
  status_text: statusText.optional(),
  emoji_name: emojiField.optional(),
  emoji_code: emojiField.optional(),
  reaction_type: bare(z.union([z.literal(""), reactionType])).optional(),
});
export type StatusChanges = z.infer<typeof status>;

export const ownStatusPatch = status.extend({ away: z.boolean().optional() });
export type OwnStatusPatch = z.infer<typeof ownStatusPatch>;

export const statusPatch = z.object({ user_id: userId, ...status.shape });
export type StatusPatch = z.infer<typeof statusPatch>;

/** A user's status as others read it; empty fields are left out. */
export const userStatus = z.object({
  away: z.boolean().optional(),
  status_text: z.string().optional(),
  emoji_name: z.string().optional(),
  emoji_code: z.string().optional(),
  reaction_type: wireReactionType.optional(),
});
export type UserStatus = z.infer<typeof userStatus>;

/** Carries the changed fields; removed ones are empty. */
export const statusChanged = event("user_status", {
  about: "A user's status has changed; fields that are missing have not.",
  schema: userStatus.extend({ user_id: userId }),
  ...emojiForms<UserStatus & { user_id: number }>(),
});
