import { errorKinds } from "@/kernel/lib/errors.ts";

export const authErrors = errorKinds({
  UNAUTHENTICATED_USER: { status: 401 },
  AUTHENTICATION_FAILED: { status: 401 },
  PASSWORD_AUTH_DISABLED: { status: 401 },
  USER_DEACTIVATED: { status: 401 },
  CSRF_FAILED: { status: 403 },
});

export const noPasswords = "This organization does not use passwords. Sign in by the button of its provider.";

/** HTTP methods that change nothing. */
export const safeMethods = ["GET", "HEAD", "OPTIONS"];
