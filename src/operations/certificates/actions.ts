import { allow } from "@/foundation/permissions/access.ts";
import { action } from "@/kernel/core/operation.ts";
import {
  type ChallengeAnswer,
  certificateSettings,
  type ObtainedCertificate,
  type Trouble,
} from "./schema.ts";

/** Stores the key of the account with the authority, unless there is one; returns the stored one. */
export const keepAccount = action(allow.system, (tx, key: string): string => {
  const { account } = certificateSettings.read(tx);
  if (account === null) certificateSettings.write(tx, "account", key);
  return account ?? key;
});

/** Lets port 80 answer the authority; null once it has looked. */
export const setChallenge = action(allow.system, (tx, challenge: ChallengeAnswer | null): void => {
  certificateSettings.write(tx, "challenge", challenge);
});

export const recordObtained = action(allow.system, (tx, obtained: ObtainedCertificate): void => {
  certificateSettings.write(tx, "obtained", obtained);
  if (certificateSettings.read(tx).failed) certificateSettings.write(tx, "failed", null);
});

const minute = 60;
const longestPause = 6 * 3600;

interface Failure {
  trouble: Trouble;
  /** How long the authority wants no further request; null if it does not say. */
  waitSeconds: number | null;
}

/** Records that a try failed, and sets when the next one is: after 1, 4, 16 … minutes, and not before the authority allows it. */
export const recordFailedTry = action(allow.system, (tx, { trouble, waitSeconds }: Failure): void => {
  const count = (certificateSettings.read(tx).failed?.count ?? 0) + 1;
  const pause = Math.min(minute * 4 ** Math.min(count - 1, 10), longestPause);
  const retry_at = tx.now + Math.max(pause, waitSeconds ?? 0);
  const is_limit = waitSeconds !== null;
  certificateSettings.write(tx, "failed", { count, at: tx.now, retry_at, is_limit, ...trouble });
});

/** For a server that no longer gets a certificate by itself. The account stays, for the next time. */
export const forgetCertificate = action(allow.system, (tx): void => {
  const { obtained, failed } = certificateSettings.read(tx);
  if (obtained) certificateSettings.write(tx, "obtained", null);
  if (failed) certificateSettings.write(tx, "failed", null);
});
