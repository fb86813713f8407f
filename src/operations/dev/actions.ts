// What only servers in development mode offer (`serve --dev`).

import { authErrors } from "@/foundation/auth/schema.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { userWithAddress } from "@/foundation/users/access.ts";
import { giveLoginKey } from "@/foundation/users/actions.ts";
import { fail } from "@/kernel/errors.ts";
import { operation } from "@/kernel/operation.ts";

/** Returns an API key for an address without a password; refuses outside of development mode. */
export const fetchKeyWithoutPassword = operation(
  allow.anyone,
  async (ctx, username: string): Promise<{ api_key: string; email: string; user_id: number }> => {
    if (!ctx.env.isDevelopment) {
      fail("BAD_REQUEST", "Only servers started with --dev give out keys without a password.");
    }
    const user = userWithAddress(ctx, username.trim());
    if (!user) fail(authErrors.AUTHENTICATION_FAILED, "There is no user with this address.");
    if (!user.is_active) fail(authErrors.USER_DEACTIVATED, "Account is deactivated");
    return { api_key: await giveLoginKey(ctx, user.id), email: user.delivery_email, user_id: user.id };
  },
);
