import { hashKey } from "@/foundation/auth/secrets.ts";
import { noteLogin } from "@/foundation/mail/tx-security.ts";
import { userFor } from "@/foundation/users/access.ts";
import type { Tx } from "@/kernel/context.ts";
import * as store from "./store.ts";

const maxSessions = 50;

export interface Opening {
  user_id: number;
  /** Made by `newKey`; the browser alone keeps it. */
  token: string;
  device: string;
  address: string;
  /** The token of the session that the browser had before. */
  replaced: string | null;
}

/** Opens a session; part of another action, which has checked that it is its user who asks. */
export function openSession(tx: Tx, { token, replaced, ...session }: Opening): void {
  if (replaced !== null) store.deleteByHash(tx, hashKey(replaced));
  store.insertSession(tx, { ...session, hash: hashKey(token) });
  store.deleteOldest(tx, session.user_id, maxSessions);
  noteLogin(tx, userFor(tx, session.user_id), session);
}

/** Ends all sessions of a user; links that would sign them in end, too. */
export function endSessionsOf(tx: Tx, userId: number): void {
  store.deleteByUser(tx, userId);
  if (store.hasLinks(tx, userId)) store.deleteLinks(tx, userId);
}
