// What only servers in development mode offer (`serve --dev`).

import { giveLoginKey } from "@/foundation/keys/actions.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { authErrors } from "@/foundation/permissions/schema.ts";
import { createRealm } from "@/foundation/realm-administration/actions.ts";
import { enterAs } from "@/foundation/sessions/actions.ts";
import { userWithAddress } from "@/foundation/users/access.ts";
import { userHooks } from "@/foundation/users/hooks.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import type { RequestFacts } from "@/kernel/http/endpoint.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { sampleSettings } from "./schema.ts";

/** Returns an API key for an address without a password; refuses outside of development mode. */
export const fetchKeyWithoutPassword = operation(
  allow.anyone,
  async (ctx, username: string): Promise<{ api_key: string; email: string; user_id: number }> => {
    const user = accountOf(ctx, username);
    return { api_key: await giveKey(ctx, user.id), email: user.delivery_email, user_id: user.id };
  },
);

const giveKey = action(allow.anyone, (tx, userId: number): string => {
  userHooks.signedIn(tx, userId);
  return giveLoginKey(tx, { userId, device: tx.actor.client });
});

/** Signs a browser in without a password; refuses outside of development mode. */
export const signInWithoutPassword = operation(
  allow.anyone,
  async (ctx, { username, request }: { username: string; request: RequestFacts }) => {
    const user = accountOf(ctx, username);
    if (user.is_bot) fail("BAD_REQUEST", "Bots have no browser to sign in: they use their API keys.");
    await enterAs(ctx, { user_id: user.id, request });
    return { user_id: user.id, email: user.delivery_email };
  },
);

/** Creates the sample organization, marked as such. */
export const createSample = action(
  allow.system,
  (tx, input: Parameters<typeof createRealm>[1]): Awaited<ReturnType<typeof createRealm>> => {
    sampleSettings.write(tx, "is_sample", true);
    return createRealm.in(tx, input);
  },
);

function accountOf(ctx: Ctx, username: string): UserRow {
  if (!ctx.env.isDevelopment)
    fail("BAD_REQUEST", "Only servers started with --dev let people in without a password.");
  const user = userWithAddress(ctx, username.trim());
  if (!user) fail(authErrors.AUTHENTICATION_FAILED, "There is no user with this address.");
  if (!user.is_active) fail(authErrors.USER_DEACTIVATED, "Account is deactivated");
  return user;
}
