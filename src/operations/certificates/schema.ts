// Certificates that the server gets by itself: what is configured, and what is stored. All of it is in the database
// (docs/decisions/own-certificates.md).
import { z } from "zod";
import { setting, settings } from "@/kernel/store/settings.ts";

/** Let's Encrypt. */
export const usualDirectory = "https://acme-v02.api.letsencrypt.org/directory";

export interface CertificatePlan {
  domain: string;
  /** The URL of the authority's ACME directory. */
  directory: string;
  /** Authorities (PEM) to trust for the certificate of the directory, unless a public one signed it. */
  ca: string | undefined;
}

/** In PEM; times in UNIX seconds. */
const obtainedCertificate = z.object({
  domain: z.string(),
  directory: z.string(),
  cert: z.string(),
  key: z.string(),
  valid_from: z.int(),
  expires_at: z.int(),
});
export type ObtainedCertificate = z.infer<typeof obtainedCertificate>;

/** How many tries in a row failed, and why at last. */
const failedTries = z.object({
  count: z.int(),
  at: z.int(),
  retry_at: z.int(),
  /** Whether the authority itself said that it takes no request before then. */
  is_limit: z.boolean(),
  reason: z.string(),
  remedy: z.string(),
});
export type FailedTries = z.infer<typeof failedTries>;

/** What the authority fetches from port 80 to see who has the domain. */
const challengeAnswer = z.object({ token: z.string(), answer: z.string() });
export type ChallengeAnswer = z.infer<typeof challengeAnswer>;

export const certificateSettings = settings("certificates", {
  account: setting(z.string().nullable(), null, "The private key of the account with the authority (PEM)"),
  obtained: setting(obtainedCertificate.nullable(), null, "The certificate and its key"),
  challenge: setting(challengeAnswer.nullable(), null, "What the authority asks for on port 80"),
  failed: setting(failedTries.nullable(), null, "What went wrong since"),
});

export const challengePath = "/.well-known/acme-challenge/";

/** Why something failed, and what helps; both are sentences. */
export interface Trouble {
  reason: string;
  remedy: string;
}

/** What ends a try; `waitSeconds` is how long the authority wants no further one. */
export class CertificateFault extends Error {
  constructor(
    readonly trouble: Trouble,
    readonly waitSeconds: number | null = null,
  ) {
    super(trouble.reason);
  }
}
