// A page that was opened at the address of a cluster's node goes to another node if that one dies. The session goes on there by
// another cookie, because browsers send a cookie only to the host that set it. First the page trades its secret for a token of its own
// choice, as often as it takes until a node answers; then it leaves, and any node that is up sets the cookie without a write.

import { allow } from "@/foundation/permissions/access.ts";
import { isRealmOpen } from "@/foundation/realm/access.ts";
import { showingKey } from "@/foundation/secrets/attempts.ts";
import { hashKey, newKey } from "@/foundation/secrets/secrets.ts";
import { findUserById } from "@/foundation/users/access.ts";
import type { ReadsNow } from "@/kernel/core/context.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import type { RequestFacts } from "@/kernel/http/endpoint.ts";
import { fail, failInEnglish, isError, RefusedLogin } from "@/kernel/lib/errors.ts";
import { ownSession } from "./access.ts";
import { setCookies } from "./cookies.ts";
import { isNode, otherNodes } from "./host.ts";
import type { SessionRow } from "./store.ts";
import * as store from "./store.ts";

/** Each page in a browser's tabs holds one. */
const maxSecrets = 20;
/** Each tab that goes elsewhere gets a cookie, which replaces that of the tabs before it at the same node. */
const maxTokens = 20;

/** Makes a secret by which the page that asks goes to another node, once. It holds as long as the session. */
export const makeHandover = operation(allow.user, async (ctx, request: RequestFacts): Promise<string> => {
  const { by } = ctx.actor;
  if (by?.kind !== "session")
    return failInEnglish("BAD_REQUEST", "Only browsers that are signed in go to another node.");
  if (otherNodes(ctx, request).length === 0)
    failInEnglish("BAD_REQUEST", "From this address, no page goes to another node.");
  const secret = newKey() + newKey();
  await storeHandover(ctx, { session_id: by.id, hash: hashKey(secret) });
  return secret;
});

const storeHandover = action(allow.user, (tx, handover: { session_id: number; hash: Uint8Array }): void => {
  const { id } = ownSession(tx, handover.session_id);
  store.insertHandover(tx, { ...handover, session_id: id }, maxSecrets);
});

interface Trade {
  secret: string;
  /** Chosen by the page: the value of the session's cookie at the other node. */
  token: string;
  request: RequestFacts;
}

/** Makes the token one of the session, for the secret. The same page may ask again, at any node, if it gets no answer. */
export const tradeSecret = operation(
  allow.anyone,
  (ctx, { secret, token, request }: Trade): Promise<void> =>
    countingRefusals(ctx, request, async () => {
      await spendSecret(ctx, { hash: hashKey(secret), token_hash: hashKey(token) });
    }),
);

const spendSecret = action(allow.anyone, (tx, given: { hash: Uint8Array; token_hash: Uint8Array }): void => {
  const before = store.findArrival(tx, given.token_hash);
  const found = before ?? store.findHandover(tx, given.hash);
  if (!found || !maySignIn(tx, found) || (before && !store.isTraded(tx, given))) refuseArrival();
  else if (!before) store.spendHandover(tx, { ...given, session_id: found.id }, maxTokens);
});

/** Signs a browser in by such a token. */
export const arrive = operation(
  allow.anyone,
  (ctx, { token, request }: Omit<Trade, "secret">): Promise<void> =>
    countingRefusals(ctx, request, async () => {
      const found = store.findArrival(ctx, hashKey(token));
      if (!found || !maySignIn(ctx, found)) return refuseArrival();
      setCookies(ctx.env, request, token);
    }),
);

function maySignIn(reads: ReadsNow, { user_id }: SessionRow): boolean {
  return isRealmOpen(reads) && Boolean(findUserById(reads, user_id)?.is_active);
}

/** Only for pages of the cluster: no other site signs anybody in. What is wrong is counted like wrong links. */
function countingRefusals(
  reads: ReadsNow,
  request: RequestFacts,
  attempt: () => Promise<void>,
): Promise<void> {
  return showingKey(reads, { address: request.address, account: null }, async () => {
    try {
      if (!isNode(reads, request.header("origin"))) refuseArrival();
      await attempt();
    } catch (error) {
      throw isError(error, "GONE") ? new RefusedLogin(error, null, "NO_SUCH_LINK") : error;
    }
  });
}

/** Says the same whatever is wrong. */
function refuseArrival(): never {
  return fail(
    "GONE",
    "The server's other address does not answer, and you could not stay signed in at this one. Please sign in.",
  );
}
