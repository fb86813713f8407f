import { noteLogin } from "@/foundation/mail/tx-security.ts";
import { hashKey } from "@/foundation/secrets/secrets.ts";
import { userFor } from "@/foundation/users/access.ts";
import type { PasswordChange } from "@/foundation/users/hooks.ts";
import { credentialsEnded } from "@/foundation/users/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { to } from "@/kernel/core/events.ts";
import * as store from "./store.ts";
import * as browsers from "./store-browsers.ts";

const maxSessions = 50;
const maxBrowsers = 20;

export interface Opening {
  user_id: number;
  /** Made by `newKey`; only the browser keeps it. */
  token: string;
  device: string;
  address: string;
  /** The token of the session that the browser had before. */
  replaced: string | null;
  browser: Omit<Remembering, "user_id">;
}

export interface Remembering {
  user_id: number;
  /** Made by `newKey`. */
  token: string;
  /** The token that the browser sent, which may be somebody else's choice. */
  before: string | null;
}

/** Remembers a browser for a user whose identity the caller has checked. */
export function rememberBrowser(tx: Tx, { user_id, token, before }: Remembering): void {
  const hash = hashKey(token);
  if (before !== null) browsers.replaceBrowser(tx, { before: hashKey(before), hash });
  browsers.putBrowser(tx, { hash, user_id });
  browsers.deleteOldBrowsers(tx, user_id, maxBrowsers);
}

/** Opens a session, as part of an action that has checked the user's identity. */
export function openSession(tx: Tx, { token, replaced, browser, ...session }: Opening): void {
  if (replaced !== null) endSession(tx, hashKey(replaced));
  store.insertSession(tx, { ...session, hash: hashKey(token) });
  store.deleteOldest(tx, session.user_id, maxSessions);
  rememberBrowser(tx, { ...browser, user_id: session.user_id });
  noteLogin(tx, userFor(tx, session.user_id), session);
}

/** Notes that the user of a session has just shown who they are. */
export function setProved(tx: Tx, id: number): void {
  store.setProved(tx, id);
}

/** Ends the session with a token's hash. */
export function endSession(tx: Tx, hash: Uint8Array): void {
  const found = store.findByHash(tx, hash);
  store.deleteByHash(tx, hash);
  if (found) tx.emit(credentialsEnded, to(), { user_id: found.user_id });
}

/** What to end: the session with this ID, or all but the one with the hash `spared`, and the other known browsers with them. */
interface Ending {
  id?: number;
  spared?: Uint8Array | undefined;
  sparedBrowser?: Uint8Array | undefined;
}

/** Ends sessions of a user; returns how many. */
export function endSomeOf(tx: Tx, userId: number, which: Ending = {}): number {
  const { id, spared, sparedBrowser } = which;
  if (id === undefined) browsers.deleteBrowsers(tx, userId, sparedBrowser);
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
