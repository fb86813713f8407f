import { z } from "zod";

/** Seconds. A session ends when it has not been used for `idle`, and in any case after `longest`. */
export const sessionLife = { idle: 14 * 86_400, longest: 90 * 86_400 } as const;

/** Seconds after the last sign-in in which a browser counts as known. Browsers keep no cookie for longer than 400 days. */
export const browserLife = 365 * 86_400;

/** Seconds in which a link that signs somebody in can be used. */
export const linkLife = 3600;

export const sessionId = z.int().positive();

export const sessionEnding = z.object({
  user_id: z.int(),
  /** If absent, all sessions of the account end. */
  id: sessionId.optional(),
});

export type SessionEnding = z.infer<typeof sessionEnding>;

export const sessionShape = z.object({
  id: sessionId,
  /** The browser that signed in, such as "Firefox on Linux". */
  device: z.string(),
  /** The last network address. */
  address: z.string(),
  created_at: z.int(),
  /** To within ten minutes. */
  last_seen_at: z.int(),
  expires_at: z.int(),
  is_current: z.boolean(),
});

export type Session = z.infer<typeof sessionShape>;
