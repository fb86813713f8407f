import { noteLogin } from "@/foundation/mail/actions-security.ts";
import { allow, me } from "@/foundation/permissions/access.ts";
import { hashKey, newKey } from "@/foundation/secrets/secrets.ts";
import { accountToOpen, userFor } from "@/foundation/users/access.ts";
import { recordAccountChange } from "@/foundation/users/actions.ts";
import { type PasswordChange, userHooks } from "@/foundation/users/hooks.ts";
import { credentialsEnded } from "@/foundation/users/schema.ts";
import type { Ctx, Tx } from "@/kernel/core/context.ts";
import { to } from "@/kernel/core/events.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import type { RequestFacts } from "@/kernel/http/endpoint.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { findSession, ownSession } from "./access.ts";
import { browserTokenOf, forgetCookies, setBrowserCookie, setCookies, tokenOf } from "./cookies.ts";
import { deviceOf } from "./queries.ts";
import type { SessionEnding } from "./schema.ts";
import * as store from "./store.ts";

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
  await openSession(ctx, { user_id, token, device, address: request.address, replaced, browser });
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
  const spared = token ? store.findByHash(tx, hashKey(token)) : null;
  // Cookies of this session at other nodes may be in another browser, if somebody took them there.
  if (spared && token) store.setOnlyToken(tx, spared.id, hashKey(token));
  return endSomeOf(tx, me(tx).id, {
    spared: spared?.id,
    sparedBrowser: browser ? hashKey(browser) : undefined,
  });
});

/** Ends one or all sessions of a person, who may be the actor; administrators may end anybody's. Returns how many. */
export const endSessionsFor = action(allow.user, (tx, { user_id, id }: SessionEnding): number => {
  const user = accountToOpen(tx, user_id);
  const found = store.listByUser(tx, user.id);
  if (id !== undefined && !found.some((row) => row.id === id)) fail("BAD_REQUEST", "No such session");

  const ended = endSomeOf(tx, user.id, id === undefined ? {} : { id });
  if (user.id !== tx.actor.id) recordAccountChange(tx, user, "sessions_ended", { ended });
  return ended;
});

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

const maxSessions = 50;

const maxBrowsers = 20;

interface Opening {
  user_id: number;
  /** Made by `newKey`; only the browser keeps it. */
  token: string;
  device: string;
  address: string;
  /** The token of the session that the browser had before. */
  replaced: string | null;
  browser: Omit<Remembering, "user_id">;
}

interface Remembering {
  user_id: number;
  /** Made by `newKey`. */
  token: string;
  /** The token that the browser sent, which may be somebody else's choice. */
  before: string | null;
}

/** Remembers a browser for a user whose identity the caller has checked. */
const storeBrowser = action(allow.anyone, (tx, { user_id, token, before }: Remembering): void => {
  const hash = hashKey(token);
  if (before !== null) store.replaceBrowser(tx, { before: hashKey(before), hash });
  store.putBrowser(tx, { hash, user_id });
  store.deleteOldBrowsers(tx, user_id, maxBrowsers);
});

/** Opens a session for a user whose identity the caller has checked. */
const openSession = action(allow.anyone, (tx, { token, replaced, browser, ...session }: Opening): void => {
  if (replaced !== null) closeSession(tx, hashKey(replaced));
  store.insertSession(tx, { ...session, hash: hashKey(token) });
  store.deleteOldest(tx, session.user_id, maxSessions);
  storeBrowser.in(tx, { ...browser, user_id: session.user_id });
  noteLogin(tx, userFor(tx, session.user_id), session);
  userHooks.signedIn(tx, session.user_id);
});

/** Notes that the user of a session has just shown who they are. */
export function setProved(tx: Tx, id: number): void {
  store.setProved(tx, id);
}

/** Ends the session with a token's hash, at all nodes. */
function closeSession(tx: Tx, hash: Uint8Array): void {
  const found = store.findByHash(tx, hash);
  if (!found) return;
  store.deleteSession(tx, found.id);
  tx.emit(credentialsEnded, to(), { user_id: found.user_id });
}

/** What to end: the session with this ID, or all but the one with the ID `spared`, and the other known browsers with them. */
interface Ending {
  id?: number;
  spared?: number | undefined;
  sparedBrowser?: Uint8Array | undefined;
}

/** Ends sessions of a user; returns how many. */
function endSomeOf(tx: Tx, userId: number, which: Ending = {}): number {
  const { id, spared, sparedBrowser } = which;
  if (id === undefined) store.deleteBrowsers(tx, userId, sparedBrowser);
  const ended = id === undefined ? store.deleteByUser(tx, userId, spared) : 1;
  if (id !== undefined) store.deleteSession(tx, id);
  if (ended > 0) tx.emit(credentialsEnded, to(), { user_id: userId });
  return ended;
}

/** Ends all sessions of a user; links that would sign them in end, too. */
export function endSessionsOf(tx: Tx, userId: number): void {
  endSomeOf(tx, userId);
  endLinksOf(tx, userId);
}

/** Ends what an old password opened. */
export function endOldSessions(tx: Tx, { userId, keepsDevices }: PasswordChange): void {
  if (keepsDevices) endLinksOf(tx, userId);
  else endSessionsOf(tx, userId);
}

function endLinksOf(tx: Tx, userId: number): void {
  if (store.hasLinks(tx, userId)) store.deleteLinks(tx, userId);
}
