import { z } from "zod";

/** Seconds. A session ends when it has not been used for `idle`, and in any case after `longest`. */
export const sessionLife = { idle: 14 * 86_400, longest: 90 * 86_400 } as const;

/** Seconds after the last sign-in in which a browser counts as known. Browsers keep no cookie for longer than 400 days. */
export const browserLife = 365 * 86_400;

/** Seconds in which a link that signs somebody in can be used. */
export const linkLife = 3600;

/** Where a page of another node of the cluster asks, and where it then sends its form. */
export const handoverPath = "/login/handover";
export const arrivalPath = "/login/arrival";

/** What such a page chooses as the session's token at the other node. */
export const chosenToken = z.string().regex(/^[A-Za-z0-9]{40,64}$/);

/**
 * What a page that goes to another node takes along: items of its `sessionStorage` that hold drafts, messages that were not sent, and where
 * the caret was. All of it comes with one request of somebody who is not signed in yet.
 */
export const takenAlong = z.record(z.string().regex(/^((draft|not sent) [0-9]|writing$)/), z.string());

/** Where such a page was: the fragment of its address. */
export const fragment = z
  .string()
  .regex(/^(#[!-~]*)?$/)
  .max(4_000);

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
