import { z } from "zod";

/** How it can be proved that a person has the address of their account. */
export const proofKind = z.enum(["mail", "invitation", "provider", "operator", "import"]);
export type ProofKind = z.infer<typeof proofKind>;

/** Each kind as the end of a sentence: "proved ...". */
export const proofText: Readonly<Record<ProofKind, string>> = {
  mail: "by a link in a mail",
  invitation: "by an invitation that was mailed to it",
  provider: "by a provider of single sign-on",
  operator: "by the operator of the server",
  import: "by an import",
};

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
