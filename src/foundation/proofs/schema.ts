import { z } from "zod";
import { errorKinds } from "@/kernel/lib/errors.ts";

export const proofErrors = errorKinds({
  PROOF_REQUIRED: { status: 403 },
});

/** Seconds for which a session counts as its user's own: after that, what would hand out the account needs another proof. */
export const proofLife = 600;

/** A code from a mail, as typed: blanks, hyphens and case do not matter. */
export const typedProof = z.string().max(100, "A code has at most 100 characters.");

/** What a person who must show who they are can do. */
export const proofShape = {
  /** Whether the session of the request is asked; false for API keys. */
  is_needed: z.boolean(),
  password: z.boolean(),
  /** Providers of single sign-on at which the person has signed in before. */
  providers: z.array(z.object({ button: z.string(), login_url: z.string() })),
  /** Whether a code can be mailed, because there is no other way. */
  mail: z.boolean(),
};

export type ProofState = z.infer<z.ZodObject<typeof proofShape>>;
