import type { UserRow } from "@/foundation/users/access.ts";
import type { Ctx } from "@/kernel/context.ts";
import { AppError, RefusedLogin } from "@/kernel/errors.ts";
import { attempting, attemptLimit, limitsBy, refuseFor } from "./attempts.ts";
import { verifyPassword } from "./secrets.ts";

const windowSeconds = 1800;

const attemptsPerAccount = 5;

const attemptsPerAddress = 30;

export const limitsFor = limitsBy((clock) => ({
  account: attemptLimit(clock, attemptsPerAccount, windowSeconds),
  address: attemptLimit(clock, attemptsPerAddress, windowSeconds),
}));

/** The key that counts attempts for an account, whichever of its addresses is used; no typed name can equal it. */
export function accountOf({ id }: Pick<UserRow, "id">): string {
  return ` ${id}`;
}

/** Throws unless this is the account's password; failed attempts count like failed logins. */
export async function confirmPassword(
  ctx: Ctx,
  user: Pick<UserRow, "id" | "password_hash" | "delivery_email">,
  password: string,
): Promise<void> {
  const limits = limitsFor(ctx);
  const account = accountOf(user);
  await attempting(user.delivery_email, async () => refuseFor(limits.account.take(account)));
  if (!(await verifyPassword(password, user.password_hash))) {
    throw new RefusedLogin(
      new AppError("BAD_REQUEST", "Wrong password!"),
      user.delivery_email,
      "WRONG_PASSWORD",
    );
  }
  limits.account.clear(account);
}
