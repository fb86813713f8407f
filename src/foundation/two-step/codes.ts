// Secrets of authenticator apps, their codes, and recovery codes.

import { realmSettings } from "@/foundation/realm/schema.ts";
import { hashKey, newCode, plainCode } from "@/foundation/secrets/secrets.ts";
import type { Reads } from "@/kernel/core/context.ts";
import { recoveryCodeCount, type SetUp } from "./schema.ts";

/** Computes and checks the codes of apps. */
export type Otp = Pick<typeof import("otplib"), "verifySync">;

export const loadOtp = (): Promise<typeof import("otplib")> => import("otplib");

/** A new secret, in the forms in which apps take it. */
export async function newSetUp(reads: Reads, address: string): Promise<SetUp> {
  const [{ generateSecret, generateURI }, { encodeQR }] = await Promise.all([loadOtp(), import("qr")]);
  const secret = generateSecret();
  const issuer = realmSettings.read(reads).name.replaceAll(":", " ");
  const uri = generateURI({ issuer, label: address, secret });
  return { secret, uri, qr: `data:image/svg+xml,${encodeURIComponent(encodeQR(uri, "svg"))}` };
}

/** Seconds in which an app shows the same code. */
const period = 30;

interface Check {
  secret: string;
  /** The step of the last code that was used. */
  last_step: number;
}

/**
 * The step of a valid code: the current one or a neighbour, because clocks differ. Null for a wrong code and for one that was
 * used. If the last used code is of a later time, the clock was set back, and nobody must wait until it is there again.
 */
export function stepOf(
  { verifySync }: Otp,
  { secret, last_step }: Check,
  code: string,
  now: number,
): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const latest = Math.floor(now / period) + 1;
  const result = verifySync({
    secret,
    token: code,
    epoch: now,
    epochTolerance: period,
    afterTimeStep: last_step > latest ? 0 : last_step,
  });
  return result.valid && "timeStep" in result ? result.timeStep : null;
}

/** New recovery codes, such as "f3kd-9mvt-x2ha"; about 60 bits each. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () => newCode(3));
}

export const hashOfCode = (code: string): string => Buffer.from(hashKey(plainCode(code))).toString("hex");
