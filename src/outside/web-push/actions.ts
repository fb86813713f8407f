import { allow, me } from "@/foundation/permissions/access.ts";
import { deviceOf } from "@/foundation/sessions/queries.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import type { RequestFacts } from "@/kernel/http/endpoint.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { lastMessageId } from "@/messaging/messages/access.ts";
import { isOpened } from "@/outside/webhooks/host.ts";
import { type NewSubscription, pushing } from "./schema.ts";
import * as store from "./store.ts";

interface Subscribing {
  given: NewSubscription;
  request: RequestFacts;
}

/** Subscribes a browser to notifications, for the last person who did so; returns the subscription's ID. */
export const subscribeBrowser = action(allow.user, (tx, { given, request }: Subscribing): number => {
  const user_id = me(tx).id;
  const { by } = tx.actor;
  const { protocol, hostname, host } = new URL(given.endpoint);
  if (protocol !== "https:" && !isOpened(tx, hostname)) {
    fail("BAD_REQUEST", "The URL of a push service must start with https://.");
  }

  const known = store.findByEndpoint(tx, given.endpoint);
  if (known) store.deleteSubscription(tx, known.id);
  const own = store.subscriptionsOf(tx, user_id);
  for (const old of own.slice(0, Math.max(0, own.length + 1 - pushing.maxPerUser))) {
    store.deleteSubscription(tx, old.id);
  }
  return store.insertSubscription(tx, {
    ...given,
    user_id,
    host,
    session_id: by?.kind === "session" ? by.id : null,
    key_id: by?.kind === "key" ? by.id : null,
    device: deviceOf(request.header("user-agent")),
    since_id: lastMessageId(tx),
  });
});

/** Unsubscribes a browser. Does nothing if it is not subscribed, or not by the actor. */
export const unsubscribeBrowser = action(allow.user, (tx, endpoint: string): void => {
  const found = store.findByEndpoint(tx, endpoint);
  if (found?.user_id === me(tx).id) store.deleteSubscription(tx, found.id);
});

const keepKeys = action(allow.system, (tx, keys: store.Keys): void => store.insertKeys(tx, keys));

/** Creates the server's keys, unless it has them. They never change, because subscriptions depend on them. */
export const ensureKeys = operation(allow.system, async (ctx): Promise<void> => {
  if (store.findKeys(ctx)) return;
  const { default: webPush } = await import("web-push");
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  await keepKeys(ctx, { public_key: publicKey, private_key: privateKey });
});

/** Deletes the subscriptions of a deactivated user. */
export function forgetBrowsersOf(tx: Tx, userId: number): void {
  for (const { id } of store.subscriptionsOf(tx, userId)) store.deleteSubscription(tx, id);
}

/**
 * Deletes the subscriptions of a user that were made with these API keys: others who knew one must get nothing any more. Those
 * for which no key was noted may have been made with any.
 */
export function forgetBrowsersByKey(
  tx: Tx,
  { userId, keyIds }: { userId: number; keyIds: readonly number[] },
): void {
  for (const { id, session_id, key_id } of store.subscriptionsOf(tx, userId)) {
    if (session_id === null && (key_id === null || keyIds.includes(key_id))) store.deleteSubscription(tx, id);
  }
}
