// Sends queued notifications to push services, encrypted for the browser.
import { noteAnswer } from "@/foundation/last-answers/actions.ts";
import { allow, memberOf } from "@/foundation/permissions/access.ts";
import { isRealmOpen } from "@/foundation/realm/access.ts";
import { isAlive } from "@/foundation/sessions/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { departures } from "@/kernel/events/departures.ts";
import { findMessageById, mayReadMessage } from "@/messaging/messages/access.ts";
import { flagsOf } from "@/messaging/receipts/access.ts";
import { post } from "@/outside/webhooks/host.ts";
import { hasValidKeys } from "./keys.ts";
import { isWanted } from "./reasons.ts";
import { type PushedText, pushing } from "./schema.ts";
import type { PushRow, PushSubscriptionRow } from "./store.ts";
import * as store from "./store.ts";
import { textFor } from "./texts.ts";

export const sendPushes = departures<PushRow>({
  limits: pushing.limits,
  keyOf: ({ subscription_id, message_id }) => `${subscription_id}-${message_id}`,
  listHosts: store.listHosts,
  listOwners: (ctx, host, above, max) => store.listOwners(ctx, above, { host, now: ctx.db.clock.now(), max }),
  listDue: (ctx, host, owner, max) => store.listDue(ctx, owner, { host, now: ctx.db.clock.now(), max }),
  send,
  giveUp: (ctx, row) => drop(ctx, row),
});

async function send(ctx: Ctx, row: PushRow): Promise<void> {
  const subscription = store.findSubscription(ctx, row.subscription_id);
  // Show nothing in a browser where the person has signed out.
  const isOver =
    !subscription || (subscription.session_id !== null && !isAlive(ctx, subscription.session_id));
  // Keys may be wrong that were stored before they were checked.
  if (isOver || !hasValidKeys(subscription)) return withdraw(ctx, row.subscription_id);
  const text = stillWanted(ctx, row, subscription);
  if (!text) return drop(ctx, row);
  const status = await statusOf(ctx, subscription, text);
  if (status >= 200 && status < 300) return finish(ctx, row);
  if (status === 404 || status === 410) return forget(ctx, subscription.id);
  if (status === 0) return waitForHost(ctx, subscription.id);
  const pause = pushing.pauses[row.tries];
  const mayRecover = status === 429 || status >= 500;
  if (!mayRecover) return finish(ctx, row);
  return putOff(ctx, { row, pause });
}

/** The notification; null if it is no longer wanted. */
function stillWanted(ctx: Ctx, { message_id }: PushRow, { user_id }: PushSubscriptionRow): PushedText | null {
  const row = findMessageById(ctx, message_id);
  const member = memberOf(ctx, user_id);
  if (!row || !member.is_active || !isRealmOpen(ctx) || !mayReadMessage(ctx, member, row)) return null;
  const flags = flagsOf(ctx, user_id, [row]).get(row.id) ?? [];
  return isWanted(ctx, user_id, { row, flags }) ? textFor(ctx, user_id, row) : null;
}

/** The status of the push service's answer; 0 if there is none. */
async function statusOf(ctx: Ctx, to: PushSubscriptionRow, text: PushedText): Promise<number> {
  const keys = store.findKeys(ctx);
  if (!keys) return 0;
  const { default: webPush } = await import("web-push");
  const { site } = ctx.env;
  const request = webPush.generateRequestDetails(
    { endpoint: to.endpoint, keys: { p256dh: to.p256dh, auth: to.auth } },
    JSON.stringify(text),
    {
      TTL: pushing.keptSeconds,
      urgency: "high",
      contentEncoding: "aes128gcm",
      vapidDetails: {
        // A contact for operators of push services, which accept HTTPS addresses only.
        subject: site.startsWith("https:") ? site : "mailto:operator@localhost",
        publicKey: keys.public_key,
        privateKey: keys.private_key,
      },
    },
  );
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
  try {
    const { status } = await post(ctx, { url: to.endpoint, headers, body: request.body ?? "" });
    return status;
  } catch {
    return 0;
  }
}

const drop = action(allow.system, (tx, row: PushRow): void => store.deletePush(tx, row));

/** Deletes a notification that its push service took, or will never take. */
const finish = action(allow.system, (tx, row: PushRow): void => {
  store.deletePush(tx, row);
  noteAnswer(tx, "push", true);
});

const withdraw = action(allow.system, (tx, id: number): void => store.deleteSubscription(tx, id));

/** Deletes a subscription that its push service does not know any more. */
const forget = action(allow.system, (tx, id: number): void => {
  store.deleteSubscription(tx, id);
  noteAnswer(tx, "push", true);
});

/** Without a pause, it was the last try. */
const putOff = action(
  allow.system,
  (tx, { row, pause }: { row: PushRow; pause: number | undefined }): void => {
    noteAnswer(tx, "push", false);
    if (pause === undefined) store.deletePush(tx, row);
    else store.putOff(tx, row, tx.now + pause);
  },
);

/** Without an answer, nothing else that is due would have arrived either. */
const waitForHost = action(allow.system, (tx, subscriptionId: number): void => {
  noteAnswer(tx, "push", false);
  store.putOffAll(tx, subscriptionId);
});
