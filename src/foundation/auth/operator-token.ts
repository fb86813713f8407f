// Commands on a node's data folder may not open its database, so they ask its server. To prove that they act for the
// operator, they send a token that the folder holds.
import { operator } from "@/foundation/accounts/queries.ts";
import { isSame } from "@/foundation/secrets/secrets.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { AppError, englishOnly, RefusedLogin } from "@/kernel/lib/errors.ts";
import { perApp } from "@/kernel/store/per-app.ts";

export const operatorScheme = "Operator";
const tokenOf = perApp((): { token: string | null } => ({ token: null }));

/** Accepts this token from now on; without one, no request counts as the operator's. */
export function takeOperatorToken(reads: Reads, token: string): void {
  tokenOf(reads).token = token;
}

/** The ID of the user that the operator acts as; null for other kinds of headers. Wrong tokens are failed logins. */
export function operatorIn(ctx: Ctx, header: string | undefined): number | null {
  const { token } = tokenOf(ctx);
  if (token === null) return null;
  const [given, encoded = ""] = header?.split(" ", 2) ?? [];
  if (given !== operatorScheme) return null;
  const [shown = "", ...as] = Buffer.from(encoded, "base64").toString("utf8").split(":");
  if (!isSame(shown, token)) {
    const refused = new AppError(
      "UNAUTHORIZED",
      englishOnly("The operator's token is not that of this cluster."),
    );
    throw new RefusedLogin(refused, null, "WRONG_TOKEN");
  }
  return operator(ctx, as.join(":") || null).id;
}

/** Whether a request comes from the operator. Checks the header again, because it is ignored where a session is used. */
export function isOperators(ctx: Ctx, header: string | undefined): boolean {
  try {
    return operatorIn(ctx, header) === ctx.actor.id;
  } catch {
    return false;
  }
}
