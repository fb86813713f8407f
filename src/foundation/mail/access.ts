// Unsubscribe links contain the user, the kind of mail, and an HMAC of both.
import { createHmac } from "node:crypto";
import { isSame } from "@/foundation/secrets/secrets.ts";
import type { Reads } from "@/kernel/core/context.ts";
import { type MailKind, mailKinds } from "./schema.ts";
import { findLoginFrom, findSecret } from "./store.ts";

export const unsubscribeSecret = "unsubscribe";

export interface MailSubscription {
  userId: number;
  kind: MailKind;
}

/** The token of a link; `secret` is the one of `unsubscribeSecret`. */
export function tokenFor({ userId, kind }: MailSubscription, secret: Uint8Array): string {
  return `${userId}.${kind}.${codeOf(`${userId}.${kind}`, secret)}`;
}

const codeOf = (text: string, secret: Uint8Array) =>
  createHmac("sha256", secret).update(text).digest("base64url");

/** The user and the kind of mail of a token; null if the token is invalid. */
export function subscriptionOf(reads: Reads, token: string): MailSubscription | null {
  const [, id, name, code = ""] = /^(\d{1,15})\.([a-z]{1,20})\.([\w-]{43})$/.exec(token) ?? [];
  const secret = findSecret(reads, unsubscribeSecret);
  const kind = mailKinds.find((one) => one === name);
  if (!secret || kind === undefined) return null;
  return isSame(code, codeOf(`${id}.${kind}`, secret)) ? { userId: Number(id), kind } : null;
}

/** Whether an account has signed in from a network before, as far back as its logins are kept. */
export function knowsNetwork(reads: Reads, userId: number, network: string): boolean {
  return findLoginFrom(reads, { userId, network });
}
