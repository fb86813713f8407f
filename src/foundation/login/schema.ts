import { z } from "zod";
import { userId } from "@/foundation/users/schema.ts";

/** The maximum of a page. */
export const maxSignIns = 1000;

export const signInShape = z.object({
  user_id: userId,
  /** Whether they have a password. */
  has_password: z.boolean(),
  has_two_step: z.boolean(),
  /** The providers that have signed them in. */
  providers: z.array(z.string()),
  /** Null if they never were active, or not since this is noted. */
  last_active: z.iso.date().nullable(),
});

export type SignIn = z.infer<typeof signInShape>;
