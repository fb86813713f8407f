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
