// Commands beside the data folder of a node may not open its database, so they ask its server. That they may act for the
// operator they prove by a token that the folder holds.
import { timingSafeEqual } from "node:crypto";
import { operator } from "@/foundation/users/queries.ts";
import type { Ctx, Reads } from "@/kernel/context.ts";
import { AppError, RefusedLogin } from "@/kernel/errors.ts";
import { perApp } from "@/kernel/per-app.ts";

export const operatorScheme = "Operator";
const tokenOf = perApp((): { token: string | null } => ({ token: null }));

/** Takes this token from now on; without one, nobody is taken for the operator. */
export function takeOperatorToken(reads: Reads, token: string): void {
  tokenOf(reads).token = token;
}

/** The ID of the user as whom the operator acts; null if the header is of another kind. Wrong tokens are refused logins. */
export function operatorIn(ctx: Ctx, header: string | undefined): number | null {
  const [given, encoded = ""] = header?.split(" ", 2) ?? [];
  const { token } = tokenOf(ctx);
  if (token === null || given !== operatorScheme) return null;
  const [shown = "", ...as] = Buffer.from(encoded, "base64").toString("utf8").split(":");
  if (!isSame(shown, token)) {
    const refused = new AppError("UNAUTHORIZED", "The operator's token is not that of this cluster.");
    throw new RefusedLogin(refused, null);
  }
  return operator(ctx, as.join(":") || null).id;
}

/** Whether a request comes from the operator. Its header may not have been looked at yet: sessions do without. */
export function isOperators(ctx: Ctx, header: string | undefined): boolean {
  try {
    return operatorIn(ctx, header) === ctx.actor.id;
  } catch {
    return false;
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => new Bun.CryptoHasher("sha256").update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
