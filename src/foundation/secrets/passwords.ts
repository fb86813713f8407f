import type { UserRow } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { AppError, RefusedLogin } from "@/kernel/lib/errors.ts";
import { attempting, countGuess, type Guesser, placeOfNetwork } from "./attempts.ts";
import { hashKey, verifyPassword } from "./secrets.ts";

/** What counts attempts for an account, whichever of its addresses is used. */
export function accountOf({ id }: Pick<UserRow, "id">): string {
  return String(id);
}

/** What counts attempts for a name that no account has; equals no `accountOf`, and is short, however long the name. */
export function nameTried(name: string): string {
  return Buffer.from(hashKey(name.toLowerCase())).toString("base64url");
}

/**
 * Somebody who has more than the account's name, and is not counted with strangers: a session or key of it, a link to it, or its
 * identity at a provider. Those with a session are one place, wherever they are.
 */
export function insider(
  user: Pick<UserRow, "id">,
  by: "session" | "link" | "provider",
  address?: string,
): Guesser {
  const place = address === undefined ? "anywhere" : placeOfNetwork(address);
  return { account: `${accountOf(user)} by ${by}`, place, countsTogether: true };
}

/**
 * Throws unless this is the account's password. Only who has a session or a key of the account gets here, so strangers' failed
 * logins do not count.
 */
export async function confirmPassword(
  ctx: Ctx,
  user: Pick<UserRow, "id" | "password_hash" | "delivery_email">,
  password: string,
): Promise<void> {
  const guesser = insider(user, "session");
  const isRight = await attempting(user.delivery_email, async () => countGuess(ctx, "password", guesser));
  if (!(await verifyPassword(password, user.password_hash))) {
    throw new RefusedLogin(
      new AppError("BAD_REQUEST", "Wrong password!"),
      user.delivery_email,
      "WRONG_PASSWORD",
    );
  }
  isRight();
}
