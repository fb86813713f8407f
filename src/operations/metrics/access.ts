import { matching } from "@/foundation/secrets/secrets.ts";
import type { Reads } from "@/kernel/core/context.ts";
import type { Admitted } from "@/kernel/http/admission.ts";
import { AppError, englishOnly, RefusedLogin } from "@/kernel/lib/errors.ts";
import * as store from "./store.ts";

const bearer = /^bearer +(\S+)$/i;

/** Admits a monitoring program by `Authorization: Bearer TOKEN`; null for other kinds of headers. Wrong tokens are failed logins. */
export function watcherIn(reads: Reads, authorization: string): Admitted | null {
  const token = bearer.exec(authorization)?.[1];
  if (token === undefined) return null;
  const found = matching(token, store.listTokens(reads));
  if (found) return { userId: 0, by: { kind: "token", id: found.id } };
  const refused = new AppError(
    "UNAUTHORIZED",
    englishOnly("This token opens no metrics: it is wrong, or was revoked."),
  );
  throw new RefusedLogin(refused, null, "WRONG_TOKEN");
}
