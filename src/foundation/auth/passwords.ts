import { hasTwoStep } from "@/foundation/two-step/access.ts";
import type { UserRow } from "@/foundation/users/rows.ts";
import type { Ctx } from "@/kernel/context.ts";
import { AppError, RefusedLogin } from "@/kernel/errors.ts";
import { attempting, guesses, refuseFor } from "./attempts.ts";
import { verifyPassword } from "./secrets.ts";

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
  const limit = guesses(ctx).account;
  const account = accountOf(user);
  await attempting(user.delivery_email, async () => refuseFor(limit.take(account)));
  if (!(await verifyPassword(password, user.password_hash))) {
    throw new RefusedLogin(
      new AppError("BAD_REQUEST", "Wrong password!"),
      user.delivery_email,
      "WRONG_PASSWORD",
    );
  }
  // A right password must not allow more guesses at the codes.
  if (hasTwoStep(ctx, user.id)) limit.giveBack(account);
  else limit.clear(account);
}
