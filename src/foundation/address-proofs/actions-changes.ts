// Confirms or ends changes of people's own addresses. What asks for one is `updateOwnAccount`.
import { checkLogin } from "@/foundation/auth/actions.ts";
import { showingKey } from "@/foundation/auth/attempts.ts";
import { hashKey } from "@/foundation/auth/secrets.ts";
import { allow, me } from "@/foundation/permissions/access.ts";
import { checkRealmActive } from "@/foundation/realm/access.ts";
import { findSession } from "@/foundation/sessions/access.ts";
import { refuseFirstStep } from "@/foundation/two-step/actions.ts";
import { userFor } from "@/foundation/users/access.ts";
import type { Ctx, ReadsNow } from "@/kernel/core/context.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import type { RequestFacts } from "@/kernel/http/endpoint.ts";
import { AppError, fail, RefusedLogin } from "@/kernel/lib/errors.ts";
import type { WaitingLink } from "./schema.ts";
import * as store from "./store-changes.ts";
import { confirmChange, endChange } from "./tx-changes.ts";

const gone =
  "This link no longer works: it was used, it is too old, another change was asked for, or it is not complete.";

/** The change that a link confirms; throws if the link no longer works. */
function changeOf(ctx: ReadsNow, key: string): store.ChangeRow {
  const change = store.findByLink(ctx, hashKey(key));
  checkRealmActive(ctx);
  if (change && userFor(ctx, change.user_id).is_active) return change;
  throw new RefusedLogin(new AppError("MISSING", gone), null, "NO_SUCH_LINK");
}

interface Following {
  key: string;
  request: RequestFacts;
}

/** Looks a link up, without using it. Wrong keys count as guesses. */
export const lookUpChange = operation(
  allow.anyone,
  (ctx, { key, request }: Following): Promise<WaitingLink> =>
    showingKey(ctx, { address: request.address, account: null }, () => {
      const change = changeOf(ctx, key);
      const { full_name, delivery_email } = userFor(ctx, change.user_id);
      const needs_password = !isShown(ctx, change, request);
      return { full_name, email: delivery_email, new_email: change.address, needs_password };
    }),
);

/** Whether whoever follows the link need not sign in: not everybody who has a key of an account may take it over. */
function isShown(ctx: Ctx, { needs_sign_in, user_id }: store.ChangeRow, request: RequestFacts): boolean {
  return !needs_sign_in || findSession(ctx, request)?.user_id === user_id;
}

interface Confirming extends Following {
  password?: string | undefined;
  /** The code of two-step sign-in. */
  code?: string | undefined;
}

/** Changes the address by a link, which then no longer works; returns the new one. */
export const followChange = operation(
  allow.anyone,
  async (ctx, { key, request, password = "", code }: Confirming): Promise<string> => {
    const { address } = request;
    const change = await showingKey(ctx, { address, account: null }, () => changeOf(ctx, key));
    if (!isShown(ctx, change, request)) {
      const { delivery_email: username, full_name } = userFor(ctx, change.user_id);
      if (password === "")
        fail("BAD_REQUEST", `To change the address, give the password of ${full_name}'s account.`);
      const { user, missing } = await checkLogin(ctx, { username, password, code, address, request });
      if (missing === "code") await refuseFirstStep(ctx, { user, missing });
    }
    return confirm(ctx, key);
  },
);

const confirm = action(allow.anyone, (tx, key: string): string => {
  const change = changeOf(tx, key);
  confirmChange(tx, change);
  return change.address;
});

/** Ends the actor's own change that waits. */
export const cancelChange = action(allow.user, (tx): void => {
  const { id } = me(tx);
  if (!store.findChange(tx, id)) fail("BAD_REQUEST", "No new address waits to be confirmed.");
  endChange(tx, id);
});
