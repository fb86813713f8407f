import type { Reads } from "@/kernel/core/context.ts";
import { certificateSettings, type FailedTries } from "./schema.ts";
import { readValidity, servedOf } from "./served.ts";

export interface CertificateState {
  /** How long the certificate in use is valid, in UNIX seconds; null without one that an authority issued. */
  validity: { valid_from: number; expires_at: number } | null;
  /** Whether the server gets it by itself. */
  is_own: boolean;
  /** What went wrong since the last one was obtained. */
  failed: FailedTries | null;
}

export function certificateState(reads: Reads): CertificateState {
  const is_own = servedOf(reads).read !== null;
  const failed = is_own ? certificateSettings.read(reads).failed : null;
  return { validity: readValidity(reads), is_own, failed };
}
