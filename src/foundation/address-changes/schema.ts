import { z } from "zod";

/** How long a link that confirms a new address works, in seconds. */
export const changeLife = 86_400;

/** The path of a link that confirms a new address. */
export const changePath = (key: string): string => `/address/confirm/${key}`;

/** A person's own address. */
export const ownAddress = z.object({
  email: z.string(),
  is_proved: z.boolean(),
  /** What a change takes. */
  changes_by: z.enum(["mail", "password", "owner"]),
  /** The change that waits to be confirmed. */
  change: z.object({ email: z.string(), asked_at: z.int(), expires_at: z.int() }).nullable(),
});

export type OwnAddress = z.infer<typeof ownAddress>;

/** What the link that confirms a new address is about. */
export const waitingLink = z.object({
  full_name: z.string(),
  email: z.string(),
  new_email: z.string(),
  needs_password: z.boolean(),
});

export type WaitingLink = z.infer<typeof waitingLink>;
