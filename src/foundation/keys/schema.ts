import { z } from "zod";

export const keyId = z.int().positive();

export const keyEnding = z.object({
  user_id: z.int(),
  /** If absent, all keys of the account end. */
  id: keyId.optional(),
});

export type KeyEnding = z.infer<typeof keyEnding>;

export const keyShape = z.object({
  id: keyId,
  /** `program`: made by hand, for programs. `login`: handed out when an app signed in. */
  kind: z.enum(["program", "login"]),
  /** The app or device that signed in; empty for keys for programs, and where it is not known. */
  device: z.string(),
  created_at: z.int(),
  /** To within an hour; null if it was never used, or not since this is noted. */
  last_used_at: z.int().nullable(),
  /** Whether the request was made with it. */
  is_current: z.boolean(),
});

export type Key = z.infer<typeof keyShape>;
