import { allow, me } from "@/foundation/permissions/access.ts";
import { hashKey, newKey } from "@/foundation/secrets/secrets.ts";
import { accountToOpen } from "@/foundation/users/access.ts";
import { recordAccountChange } from "@/foundation/users/actions.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import type { RequestFacts } from "@/kernel/http/endpoint.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { findSession, ownSession } from "./access.ts";
import { browserTokenOf, forgetCookies, setBrowserCookie, setCookies, tokenOf } from "./cookies.ts";
import { deviceOf } from "./present.ts";
import * as store from "./store.ts";
import {
  endSession as closeSession,
  endSomeOf,
  type Opening,
  openSession,
  type Remembering,
  rememberBrowser as remember,
} from "./tx.ts";

const open = action(allow.anyone, (tx, opening: Opening): void => openSession(tx, opening));

interface Entering {
  user_id: number;
  request: RequestFacts;
}

/**
 * Opens a session for a user whose identity the caller has checked, and sets the browser's cookies. Always makes a new
 * token: one that the browser sent may be somebody else's choice.
 */
export const enterAs = operation(allow.anyone, async (ctx, { user_id, request }: Entering): Promise<void> => {
  const token = newKey();
  const [device, replaced] = [deviceOf(request.header("user-agent")), tokenOf(ctx.env, request)];
  const browser = newBrowser(ctx, request);
  await open(ctx, { user_id, token, device, address: request.address, replaced, browser });
  setCookies(ctx.env, request, token);
  setBrowserCookie(ctx.env, request, browser.token);
});

function newBrowser(ctx: Ctx, request: RequestFacts): Omit<Remembering, "user_id"> {
  return { token: newKey(), before: browserTokenOf(ctx.env, request) };
}

/** Remembers the browser of somebody whose identity the caller has checked, without signing them in. */
export const rememberBrowser = operation(
  allow.anyone,
  async (ctx, { user_id, request }: Entering): Promise<void> => {
    const browser = newBrowser(ctx, request);
    await storeBrowser(ctx, { ...browser, user_id });
    setBrowserCookie(ctx.env, request, browser.token);
  },
);

const storeBrowser = action(allow.anyone, (tx, browser: Remembering): void => remember(tx, browser));

/** Ends the session of the request. */
export const signOut = operation(allow.user, async (ctx, request: RequestFacts): Promise<void> => {
  const token = tokenOf(ctx.env, request);
  if (token !== null) await endToken(ctx, token);
  forgetCookies(ctx.env, request);
});

const endToken = action(allow.user, (tx, token: string): void => closeSession(tx, hashKey(token)));

/** Ends one of the actor's sessions. */
export const endSession = action(allow.user, (tx, id: number): void => {
  endSomeOf(tx, me(tx).id, { id: ownSession(tx, id).id });
});

/** Ends all of the actor's sessions except the one of the request. Returns how many. */
export const endOtherSessions = action(allow.user, (tx, request: RequestFacts | null): number => {
  const token = request && tokenOf(tx.env, request);
  const browser = request && browserTokenOf(tx.env, request);
  return endSomeOf(tx, me(tx).id, {
    spared: token ? hashKey(token) : undefined,
    sparedBrowser: browser ? hashKey(browser) : undefined,
  });
});

/** Ends one or all sessions of a person, who may be the actor; administrators may end anybody's. Returns how many. */
export const endSessionsFor = action(
  allow.user,
  (tx, { user_id, id }: { user_id: number; id?: number }): number => {
    const user = accountToOpen(tx, user_id);
    const found = store.listByUser(tx, user.id);
    if (id !== undefined && !found.some((row) => row.id === id)) fail("BAD_REQUEST", "No such session");

    const ended = endSomeOf(tx, user.id, id === undefined ? {} : { id });
    if (user.id !== tx.actor.id) recordAccountChange(tx, user, "sessions_ended", { ended });
    return ended;
  },
);

interface Renewal {
  request: RequestFacts;
  change: () => Promise<void>;
}

/** Makes a change that ends the actor's sessions, and opens a new session for the browser that made the request. */
export const stayingSignedIn = operation(
  allow.user,
  async (ctx, { request, change }: Renewal): Promise<void> => {
    const before = findSession(ctx, request);
    await change();
    if (before?.user_id === ctx.actor.id && !findSession(ctx, request)) {
      await enterAs(ctx, { user_id: ctx.actor.id, request });
    }
  },
);

/** Deletes expired sessions. */
export const deleteEnded = action(allow.system, (tx, max: number): number => store.deleteEnded(tx, max));
