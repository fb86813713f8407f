import { hashKey } from "@/foundation/auth/secrets.ts";
import { noteLogin } from "@/foundation/mail/tx-security.ts";
import { userFor } from "@/foundation/users/access.ts";
import { credentialsEnded } from "@/foundation/users/schema.ts";
import type { Tx } from "@/kernel/context.ts";
import { to } from "@/kernel/events.ts";
import * as store from "./store.ts";

const maxSessions = 50;

export interface Opening {
  user_id: number;
  /** Made by `newKey`; only the browser keeps it. */
  token: string;
  device: string;
  address: string;
  /** The token of the session that the browser had before. */
  replaced: string | null;
}

/** Opens a session, as part of an action that has checked the user's identity. */
export function openSession(tx: Tx, { token, replaced, ...session }: Opening): void {
  if (replaced !== null) endSession(tx, hashKey(replaced));
  store.insertSession(tx, { ...session, hash: hashKey(token) });
  store.deleteOldest(tx, session.user_id, maxSessions);
  noteLogin(tx, userFor(tx, session.user_id), session);
}

/** Ends the session with a token's hash. */
export function endSession(tx: Tx, hash: Uint8Array): void {
  const found = store.findByHash(tx, hash);
  store.deleteByHash(tx, hash);
  if (found) tx.emit(credentialsEnded, to(), { user_id: found.user_id });
}

/** Ends a user's session with this ID, or all but the one with the hash `spared`; returns how many. */
export function endSomeOf(tx: Tx, userId: number, which: { id?: number; spared?: Uint8Array } = {}): number {
  const { id, spared } = which;
  const ended = id === undefined ? store.deleteByUser(tx, userId, spared) : 1;
  if (id !== undefined) store.deleteSession(tx, id);
  if (ended > 0) tx.emit(credentialsEnded, to(), { user_id: userId });
  return ended;
}

/** Ends all sessions of a user; links that would sign them in end, too. */
export function endSessionsOf(tx: Tx, userId: number): void {
  endSomeOf(tx, userId);
  if (store.hasLinks(tx, userId)) store.deleteLinks(tx, userId);
}
