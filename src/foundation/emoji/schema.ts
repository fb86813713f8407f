import { z } from "zod";
import { event } from "@/kernel/events.ts";

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
