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

/** One account has one count, whichever of its addresses is tried; no name that is typed reads so. */
export function accountOf({ id }: Pick<UserRow, "id">): string {
  return ` ${id}`;
}

/** Throws unless this is the password of the account; failed attempts count like those to log in. */
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
