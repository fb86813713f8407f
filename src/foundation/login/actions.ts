import { endLoginKey } from "@/foundation/accounts/actions.ts";
import { noPasswords } from "@/foundation/auth/schema.ts";
import { giveLoginKey } from "@/foundation/keys/actions.ts";
import { knowsNetwork } from "@/foundation/mail/access.ts";
import { noteLogin } from "@/foundation/mail/actions-security.ts";
import { allow, me } from "@/foundation/permissions/access.ts";
import { authErrors } from "@/foundation/permissions/schema.ts";
import { checkRealmActive, takesPasswords } from "@/foundation/realm/access.ts";
import {
  attempting,
  countGuess,
  type Guesser,
  guessing,
  placeOfNetwork,
} from "@/foundation/secrets/attempts.ts";
import { networkOf } from "@/foundation/secrets/networks.ts";
import { accountOf, nameTried } from "@/foundation/secrets/passwords.ts";
import { verifyPassword } from "@/foundation/secrets/secrets.ts";
import { findBrowser } from "@/foundation/sessions/access.ts";
import { enterAs } from "@/foundation/sessions/actions.ts";
import { refuseFirstStep, tryStep } from "@/foundation/two-step/actions.ts";
import { type SecondStep, twoStepErrors } from "@/foundation/two-step/schema.ts";
import { userWithAddress } from "@/foundation/users/access.ts";
import { userHooks } from "@/foundation/users/hooks.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import { type Ctx, siteOf } from "@/kernel/core/context.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import type { RequestFacts } from "@/kernel/http/endpoint.ts";
import { fail, failInEnglish } from "@/kernel/lib/errors.ts";

interface Login {
  username: string;
  password: string;
  /** The code of two-step sign-in. */
  code?: string | undefined;
  /** The network address of the attempt. */
  address: string;
  /** What a browser sends along, by which one that signed in before is known. */
  request?: RequestFacts;
}

interface Checked {
  user: UserRow;
  /** What they must still do to sign in; null if nothing. */
  missing: SecondStep | null;
  /** New recovery codes, if the person has just set up two-step sign-in. */
  recovery_codes?: string[];
}

interface KeyLogin {
  user: UserRow;
  /** The program's description, such as "Firefox on Linux". */
  device: string;
  /** The network address. */
  address: string;
}

interface LoggedIn {
  api_key: string;
  email: string;
  user_id: number;
}

/**
 * Returns a key for an address and password, unless signing in takes a second step. Failed attempts count against the
 * account and the network address.
 */
export const fetchApiKey = operation(allow.anyone, async (ctx, login: Login): Promise<LoggedIn> => {
  const { user, missing } = await checkLogin(ctx, login);
  if (missing !== null)
    failInEnglish(twoStepErrors[wantsCode[missing].error], `${wantsCode[missing].why} ${whereKeysAre(ctx)}`);
  const api_key = await logInByKey(ctx, { user, device: ctx.actor.client, address: login.address });
  return { api_key, email: user.delivery_email, user_id: user.id };
});

/** A new key for a person whose identity the caller has checked. */
export const logInByKey = action(allow.anyone, (tx, { user, ...login }: KeyLogin): string => {
  noteLogin(tx, user, login);
  userHooks.signedIn(tx, user.id);
  return giveLoginKey(tx, { userId: user.id, device: login.device });
});

const wantsCode = {
  code: {
    error: "TWO_STEP_REQUIRED",
    why: "This account uses two-step sign-in, so a password alone gives no key.",
  },
  "set-up": {
    error: "TWO_STEP_SETUP_REQUIRED",
    why: "This organization demands two-step sign-in, so a password alone gives no key.",
  },
} as const;

function whereKeysAre(ctx: Ctx): string {
  return `Sign in in a browser at ${siteOf(ctx)}, and make a key in the settings under "Account".`;
}

/**
 * The user whose address and password these are, and what they must still do. Unknown addresses take as long, and get the
 * same answer.
 */
export const checkLogin = operation(allow.anyone, (ctx, login: Login): Promise<Checked> => {
  const { address, username, request } = login;
  const user = userWithAddress(ctx, username.trim());
  return attempting(username, () => {
    const account = user ? accountOf(user) : nameTried(username.trim());
    // A browser that signed in before has a count of its own: its network's must not stop it.
    const browser = user && request ? findBrowser(ctx, request, user.id) : null;
    if (browser !== null)
      return logIn(ctx, { ...login, user, guesser: { account, place: browser, countsTogether: false } });
    const countsTogether = !user || !knowsNetwork(ctx, user.id, networkOf(address));
    const guesser = { account, place: placeOfNetwork(address), countsTogether };
    return guessing(ctx, { address, account: username }, () => logIn(ctx, { ...login, user, guesser }));
  });
});

async function logIn(
  ctx: Ctx,
  { user, password, code, guesser }: Login & { user: UserRow | null; guesser: Guesser },
): Promise<Checked> {
  if (!takesPasswords(ctx)) {
    fail(authErrors.PASSWORD_AUTH_DISABLED, noPasswords);
  }
  const markPassed = countGuess(ctx, "password", guesser);
  const isRight = await verifyPassword(password, user?.password_hash ?? null);
  if (!isRight || !user) fail(authErrors.AUTHENTICATION_FAILED, "Your username or password is incorrect");
  checkRealmActive(ctx);
  if (!user.is_active) fail(authErrors.USER_DEACTIVATED, "Account is deactivated");
  markPassed();
  const step = await tryStep(ctx, { user, code, guesser });
  return { user, ...step };
}

/** A temporary key with which a program on the server's machine sends requests as its user. */
export const borrowKey = action(allow.user, (tx): string =>
  giveLoginKey(tx, { userId: me(tx).id, device: "Confab on the server's machine" }),
);

export const giveKeyBack = action(allow.user, (tx, key: string): void => endLoginKey.in(tx, key));

interface SigningIn {
  username: string;
  password: string;
  /** The code of two-step sign-in. */
  code?: string | undefined;
  request: RequestFacts;
}

interface SignedIn {
  user_id: number;
  email: string;
  /** New recovery codes, if the person has just set up two-step sign-in. */
  recovery_codes?: string[];
}

/** Opens a session for an address and password, and gives the browser its cookies. */
export const signIn = operation(
  allow.anyone,
  async (ctx, { request, ...login }: SigningIn): Promise<SignedIn> => {
    const { user, missing, recovery_codes } = await checkLogin(ctx, {
      ...login,
      request,
      address: request.address,
    });
    if (missing !== null) await refuseFirstStep(ctx, { user, missing });
    await enterAs(ctx, { user_id: user.id, request });
    return { user_id: user.id, email: user.delivery_email, ...(recovery_codes && { recovery_codes }) };
  },
);
