import { tellTwoStep } from "@/foundation/mail/tx-security.ts";
import { isSame, plainCode } from "@/foundation/secrets/secrets.ts";
import { recordAccountChange } from "@/foundation/users/actions.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { actingAs } from "@/kernel/core/operation.ts";
import { recoveryHashesOf } from "./access.ts";
import { hashOfCode, type Otp, stepOf } from "./codes.ts";
import * as store from "./store.ts";

interface Given {
  user: UserRow;
  code: string;
  otp: Otp;
}

/** Uses a code of the app or a recovery code up; false if it is not right or was used before. */
export function takeCode(tx: Tx, given: Given): boolean {
  return takeAppCode(tx, given) || takeRecoveryCode(tx, given);
}

function takeAppCode(tx: Tx, { user, code, otp }: Given): boolean {
  const row = store.findTwoStep(tx, user.id);
  const step = row && stepOf(otp, row, plainCode(code), tx.now);
  if (step === null) return false;
  store.setLastStep(tx, user.id, step);
  return true;
}

function takeRecoveryCode(tx: Tx, { user, code }: Given): boolean {
  const hashes = recoveryHashesOf(tx, user.id);
  const given = hashOfCode(code);
  const left = hashes.filter((hash) => !isSame(hash, given));
  if (left.length === hashes.length) return false;
  store.setRecoveryHashes(tx, user.id, left);
  tellTwoStep(tx, user, { change: "recovery code used", left: left.length });
  return true;
}

interface TurningOn extends Given {
  recoveryCodes: readonly string[];
}

/** Turns two-step sign-in on, if the code shows that the app knows the secret. */
export function turnOn(tx: Tx, given: TurningOn): boolean {
  const { user, recoveryCodes } = given;
  const isPending = store.findTwoStep(tx, user.id)?.confirmed_at === null;
  if (!isPending || !takeAppCode(tx, given)) return false;
  store.setConfirmed(tx, user.id);
  store.setRecoveryHashes(tx, user.id, recoveryCodes.map(hashOfCode));
  const person = actingAs(tx, { kind: "user", id: user.id, client: tx.actor.client });
  recordAccountChange(person, user, "two_step_enabled");
  tellTwoStep(tx, user, { change: "on" });
  return true;
}
