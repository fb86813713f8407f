import { allow, me } from "@/foundation/permissions/access.ts";
import { checkRealmActive } from "@/foundation/realm/access.ts";
import type { UserRow } from "@/foundation/users/access.ts";
import { endLoginKey, giveLoginKey, userWithAddress } from "@/foundation/users/credentials.ts";
import type { Ctx } from "@/kernel/context.ts";
import { AppError, fail, RefusedLogin } from "@/kernel/errors.ts";
import { action } from "@/kernel/operation.ts";
import { attempting, attemptLimit, limitsBy, refuseFor } from "./attempts.ts";
import { networkOf } from "./networks.ts";
import { verifyPassword } from "./secrets.ts";

export { askOwnServer } from "./own-server.ts";

const windowSeconds = 1800;
const attemptsPerAccount = 5;
const attemptsPerAddress = 30;
/** As much of a name as is looked at to tell accounts apart: what is longer is nobody's. */
const countedLength = 256;

const limitsFor = limitsBy((clock) => ({
  account: attemptLimit(clock, attemptsPerAccount, windowSeconds),
  address: attemptLimit(clock, attemptsPerAddress, windowSeconds),
}));

interface Login {
  username: string;
  password: string;
  /** The network address it comes from. */
  address: string;
}

interface LoggedIn {
  api_key: string;
  email: string;
  user_id: number;
}

/** A key in exchange for address and password. Failed attempts count against the account and the network address. */
export function fetchApiKey(ctx: Ctx, login: Login): Promise<LoggedIn> {
  return attempting(login.username, () => logIn(ctx, login));
}

async function logIn(ctx: Ctx, { username, password, address }: Login): Promise<LoggedIn> {
  const limits = limitsFor(ctx);
  const network = networkOf(address);
  const user = userWithAddress(ctx, username.trim());
  const account = user ? accountOf(user) : username.trim().toLowerCase().slice(0, countedLength);
  refuseFor(limits.address.take(network) ?? limits.account.take(account));

  const isRight = await verifyPassword(password, user?.password_hash ?? null);
  if (!isRight || !user) fail("AUTHENTICATION_FAILED", "Your username or password is incorrect");
  checkRealmActive(ctx);
  if (!user.is_active) fail("USER_DEACTIVATED", "Account is deactivated");
  limits.account.clear(account);
  // Only this attempt: a login of one's own must not buy more guesses at the accounts of others.
  limits.address.giveBack(network);
  return { api_key: await giveLoginKey(ctx, user.id), email: user.delivery_email, user_id: user.id };
}

/** One account has one count, whichever of its addresses is tried; no name that is typed reads so. */
function accountOf({ id }: Pick<UserRow, "id">): string {
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

/** A key with which a program on the server's own machine asks the server as whoever runs it, until it gives it back. */
export const borrowKey = action(allow.user, (tx): string => giveLoginKey.in(tx, me(tx).id));

export const giveKeyBack = action(allow.user, (tx, key: string): void => endLoginKey.in(tx, key));
