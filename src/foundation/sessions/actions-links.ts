// Links that sign a person in, once.

import { allow } from "@/foundation/permissions/access.ts";
import { authErrors } from "@/foundation/permissions/schema.ts";
import { showingKey } from "@/foundation/secrets/attempts.ts";
import { insider } from "@/foundation/secrets/passwords.ts";
import { hashKey, newKey } from "@/foundation/secrets/secrets.ts";
import { refuseFirstStep, tryStep } from "@/foundation/two-step/actions.ts";
import { accountToOpen } from "@/foundation/users/access.ts";
import { recordAccountChange } from "@/foundation/users/actions.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import type { RequestFacts } from "@/kernel/http/endpoint.ts";
import { AppError, fail, RefusedLogin } from "@/kernel/lib/errors.ts";
import { personOfLink } from "./access.ts";
import { enterAs } from "./actions.ts";
import { linkLife } from "./schema.ts";
import * as store from "./store.ts";

interface MadeLink {
  /** A path of this server. */
  path: string;
  expires_at: number;
}

/** Makes a link that signs a person in, once and within an hour. Earlier links stop working. */
export const makeLoginLink = action(allow.user, (tx, userId: number): MadeLink => {
  const user = accountToOpen(tx, userId);
  if (user.is_bot) fail("BAD_REQUEST", "Bots have no browser to sign in: they use their API keys.");
  if (!user.is_active) fail(authErrors.USER_DEACTIVATED, "Account is deactivated");

  const [key, expires_at] = [newKey(), tx.now + linkLife];
  store.deleteLinks(tx, user.id);
  store.insertLink(tx, { hash: hashKey(key), user_id: user.id, expires_at });
  if (user.id !== tx.actor.id) recordAccountChange(tx, user, "login_link_made");
  return { path: `/login/link/${key}`, expires_at };
});

const useUp = action(allow.anyone, (tx, key: string): number => {
  const { id } = personOfLink(tx, key);
  store.deleteLink(tx, hashKey(key));
  return id;
});

interface Following {
  key: string;
  /** The code of two-step sign-in. */
  code?: string | undefined;
  request: RequestFacts;
}

interface Followed {
  user_id: number;
  /** New recovery codes, if the person has just set up two-step sign-in. */
  recovery_codes?: string[];
}

/** Looks a link up. Wrong ones are counted. */
export const tryLink = operation(
  allow.anyone,
  async (ctx, { key, request }: Following): Promise<UserRow> =>
    showingKey(ctx, { address: request.address, account: null }, () => {
      try {
        return personOfLink(ctx, key);
      } catch (error) {
        throw error instanceof AppError ? new RefusedLogin(error, null, "NO_SUCH_LINK") : error;
      }
    }),
);

/** Opens a session by a link, which then no longer works. Like a password, a link is only the first step. */
export const followLink = operation(
  allow.anyone,
  async (ctx, { key, code, request }: Following): Promise<Followed> => {
    const user = await tryLink(ctx, { key, request });
    const guesser = insider(user, "link", request.address);
    const { missing, ...step } = await tryStep(ctx, { user, code, guesser });
    if (missing !== null) await refuseFirstStep(ctx, { user, missing });
    const user_id = await useUp(ctx, key);
    await enterAs(ctx, { user_id, request });
    return { user_id, ...step };
  },
);
