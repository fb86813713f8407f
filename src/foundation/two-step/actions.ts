import { recordAudit } from "@/foundation/audit/actions.ts";
import { notifyTwoStep } from "@/foundation/mail/actions-security.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { authErrors } from "@/foundation/permissions/schema.ts";
import { checkProved } from "@/foundation/proofs/access.ts";
import { takesPasswords } from "@/foundation/realm/access.ts";
import { loginSettings, realmUpdated } from "@/foundation/realm/schema.ts";
import { attempting, countGuess, type Guesser } from "@/foundation/secrets/attempts.ts";
import { confirmPassword, insider } from "@/foundation/secrets/passwords.ts";
import { isSame, plainCode } from "@/foundation/secrets/secrets.ts";
import { myself, userToChange } from "@/foundation/users/access.ts";
import { recordAccountChange } from "@/foundation/users/actions.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import type { Ctx, Tx } from "@/kernel/core/context.ts";
import { everyone } from "@/kernel/core/events.ts";
import { actingAs, action, operation } from "@/kernel/core/operation.ts";
import { AppError, fail, RefusedLogin } from "@/kernel/lib/errors.ts";
import { sentence } from "@/text/language/tables.ts";
import { demandsTwoStep, hasTwoStep, recoveryHashesOf, secondStepOf } from "./access.ts";
import { hashOfCode, loadOtp, newRecoveryCodes, newSetUp, type Otp, stepOf } from "./codes.ts";
import { type SecondStep, type SetUp, twoStepErrors } from "./schema.ts";
import * as store from "./store.ts";

const wrong = () =>
  new AppError(
    authErrors.WRONG_CODE,
    "This code is wrong or was used before. Enter the one that your app shows now.",
  );

interface Stepping {
  user: UserRow;
  /** As typed; may be missing. */
  code?: string | undefined;
}

interface Stepped {
  /** What is still to be done; null if the person may sign in. */
  missing: SecondStep | null;
  /** New recovery codes, if the person has just set up two-step sign-in. */
  recovery_codes?: string[];
}

/** Checks the second step, after the caller has checked the password or the link. Throws for a wrong code, which counts. */
export const tryStep = operation(
  allow.anyone,
  async (ctx, { user, guesser, code = "" }: Stepping & { guesser: Guesser }): Promise<Stepped> => {
    const missing = secondStepOf(ctx, user);
    // Asking for what is missing is no guess, and must not end the count of those.
    if (missing === null || code.trim() === "") return { missing };
    return countAttempt(ctx, { user, guesser }, async () => {
      if (missing === "set-up")
        return { missing: null, recovery_codes: await confirmSetUp(ctx, { user, code }) };
      if (!(await spendCode(ctx, { user, code, otp: await loadOtp() }))) throw wrong();
      return { missing: null };
    });
  },
);

/** Throws the error that asks for the second step; begins to set it up, if it is missing. */
export const refuseFirstStep = operation(
  allow.anyone,
  async (ctx, { user, missing }: { user: UserRow; missing: SecondStep }): Promise<never> => {
    if (missing === "code") {
      fail(
        twoStepErrors.TWO_STEP_REQUIRED,
        "Enter the code that your authenticator app shows, or one of your recovery codes.",
      );
    }
    return fail(
      twoStepErrors.TWO_STEP_SETUP_REQUIRED,
      "This organization demands two-step sign-in. Set it up with an authenticator app, and enter the code that it shows.",
      { ...(await startSetUp(ctx, user)) },
    );
  },
);

/** Uses a code of the app or a recovery code up; false if it is not right or was used before. */
const spendCode = action(
  allow.anyone,
  (tx, given: CodeAttempt): boolean => takeAppCode(tx, given) || takeRecoveryCode(tx, given),
);

async function startSetUp(ctx: Ctx, user: UserRow): Promise<SetUp> {
  const made = await newSetUp(ctx, user.delivery_email);
  await storeSecret(ctx, { userId: user.id, secret: made.secret });
  return made;
}

const storeSecret = action(
  allow.anyone,
  (tx, { userId, secret }: { userId: number; secret: string }): void => {
    if (hasTwoStep(tx, userId)) fail("BAD_REQUEST", isOn);
    store.replaceSecret(tx, userId, secret);
  },
);

const isOn = "Two-step sign-in is on already.";

async function confirmSetUp(
  ctx: Ctx,
  { user, code }: Required<Stepping> & { code: string },
): Promise<string[]> {
  const recoveryCodes = newRecoveryCodes();
  const isRight = await turnOn(ctx, { user, code, recoveryCodes, otp: await loadOtp() });
  if (!isRight) throw wrong();
  return recoveryCodes;
}

interface TurningOn extends CodeAttempt {
  recoveryCodes: readonly string[];
}

/** Turns two-step sign-in on, if the code shows that the app knows the secret. */
const turnOn = action(allow.anyone, (tx, given: TurningOn): boolean => {
  const { user, recoveryCodes } = given;
  const isPending = store.findTwoStep(tx, user.id)?.confirmed_at === null;
  if (!isPending || !takeAppCode(tx, given)) return false;
  store.setConfirmed(tx, user.id);
  store.setRecoveryHashes(tx, user.id, recoveryCodes.map(hashOfCode));
  const person = actingAs(tx, { kind: "user", id: user.id, client: tx.actor.client });
  recordAccountChange(person, user, "two_step_enabled");
  notifyTwoStep(tx, user, { change: "on" });
  return true;
});

/** Runs a check of a person's code; failed ones count. */
async function countAttempt<R>(
  ctx: Ctx,
  { user, guesser }: { user: UserRow; guesser: Guesser },
  check: () => Promise<R>,
): Promise<R> {
  const name = user.delivery_email;
  const markPassed = await attempting(name, async () => countGuess(ctx, "code", guesser));
  const result = await check().catch((error: unknown) => {
    throw error instanceof AppError ? new RefusedLogin(error, name) : error;
  });
  markPassed();
  return result;
}

/** Makes a secret for the actor's app; two-step sign-in is on once `confirmTwoStep` has seen a code. */
export const beginTwoStep = operation(
  allow.user,
  async (ctx, password: string | undefined): Promise<SetUp> => {
    const user = myself(ctx);
    if (user.is_bot) fail("BAD_REQUEST", "Bots do not sign in: they use their API keys.");
    if (hasTwoStep(ctx, user.id)) fail("BAD_REQUEST", isOn);
    if (needsPassword(ctx, user)) await confirmPassword(ctx, user, password ?? "");
    else checkProved(ctx);
    return startSetUp(ctx, user);
  },
);

function needsPassword(ctx: Ctx, { password_hash }: UserRow): boolean {
  return password_hash !== null && takesPasswords(ctx);
}

/** Turns two-step sign-in on for the actor; returns their recovery codes, which are not shown again. */
export const confirmTwoStep = operation(allow.user, async (ctx, code: string): Promise<string[]> => {
  const user = myself(ctx);
  const row = store.findTwoStep(ctx, user.id);
  if (!row) fail("BAD_REQUEST", "Begin to set two-step sign-in up first.");
  if (row.confirmed_at !== null) fail("BAD_REQUEST", isOn);
  return countAttempt(ctx, { user, guesser: insider(user, "session") }, () =>
    confirmSetUp(ctx, { user, code }),
  );
});

/** Turns two-step sign-in off for the actor, who must give a valid code. */
export const endTwoStep = operation(allow.user, async (ctx, code: string): Promise<void> => {
  if (demandsTwoStep(ctx)) {
    fail("BAD_REQUEST", "This organization demands two-step sign-in, so you cannot turn it off.");
  }
  checkProved(ctx);
  await proveCode(ctx, code);
  await turnOff(ctx);
});

/** Replaces the actor's recovery codes; returns the new ones, which are not shown again. */
export const renewRecoveryCodes = operation(allow.user, async (ctx, code: string): Promise<string[]> => {
  checkProved(ctx);
  await proveCode(ctx, code);
  const made = newRecoveryCodes();
  await storeRecoveryCodes(ctx, made);
  return made;
});

async function proveCode(ctx: Ctx, code: string): Promise<void> {
  const user = myself(ctx);
  if (!hasTwoStep(ctx, user.id)) fail("BAD_REQUEST", "Two-step sign-in is off.");
  const otp = await loadOtp();
  await countAttempt(ctx, { user, guesser: insider(user, "session") }, async () => {
    if (!(await spendCode(ctx, { user, code, otp }))) throw wrong();
  });
}

const turnOff = action(allow.user, (tx): void => {
  const user = myself(tx);
  store.deleteTwoStep(tx, user.id);
  recordAccountChange(tx, user, "two_step_disabled");
  notifyTwoStep(tx, user, { change: "off" });
});

const storeRecoveryCodes = action(allow.user, (tx, codes: string[]): void => {
  const user = myself(tx);
  store.setRecoveryHashes(tx, user.id, codes.map(hashOfCode));
  recordAccountChange(tx, user, "recovery_codes_replaced");
  notifyTwoStep(tx, user, { change: "recovery codes replaced" });
});

/** Turns two-step sign-in off for a person who has lost their app and recovery codes. */
export const resetTwoStep = action(allow.admin, (tx, userId: number): void => {
  const user = userToChange(tx, userId);
  checkProved(tx);
  if (!hasTwoStep(tx, user.id))
    fail("BAD_REQUEST", sentence("{name} does not use two-step sign-in.", { name: user.full_name }));
  store.deleteTwoStep(tx, user.id);
  recordAccountChange(tx, user, "two_step_reset");
  notifyTwoStep(tx, user, { change: "reset" });
});

/** Sets whether people who sign in by password or link must use two-step sign-in. Sessions and keys that exist stay. */
export const demandTwoStep = action(allow.owner, (tx, isRequired: boolean): void => {
  const before = demandsTwoStep(tx);
  if (before === isRequired) return;
  loginSettings.write(tx, "two_step_required", isRequired);
  tx.emit(realmUpdated, everyone, { property: "two_step_required", value: isRequired });
  recordAudit(tx, {
    event: "realm_setting_changed",
    about: { kind: "realm" },
    data: { name: "two_step_required", from: before, to: isRequired },
  });
});

interface CodeAttempt {
  user: UserRow;
  code: string;
  otp: Otp;
}

function takeAppCode(tx: Tx, { user, code, otp }: CodeAttempt): boolean {
  const row = store.findTwoStep(tx, user.id);
  const step = row && stepOf(otp, row, plainCode(code), tx.now);
  if (step === null) return false;
  store.setLastStep(tx, user.id, step);
  return true;
}

function takeRecoveryCode(tx: Tx, { user, code }: CodeAttempt): boolean {
  const hashes = recoveryHashesOf(tx, user.id);
  const given = hashOfCode(code);
  const left = hashes.filter((hash) => !isSame(hash, given));
  if (left.length === hashes.length) return false;
  store.setRecoveryHashes(tx, user.id, left);
  notifyTwoStep(tx, user, { change: "recovery code used", left: left.length });
  return true;
}

/** Part of erasing a person: deletes their two-step sign-in, at most `max`. Returns how many it deleted. */
export function forgetSomeTwoStep(tx: Tx, userId: number, max: number): number {
  return store.deleteSomeTwoStep(tx, userId, max);
}
