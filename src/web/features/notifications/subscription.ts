// Notifications while no page is open: whether this browser can have them, and turning them on and off.

import type { Api } from "../../api/request.ts";
import { t } from "../../lib/texts.ts";
import { trustWorkerUrl } from "../../ui/content/trusted-html.ts";

export type PushState =
  | { readonly is_possible: false; readonly why: string }
  | { readonly is_possible: true; readonly is_on: boolean };

/** Why this browser cannot be notified; null if it can. */
function obstacle(): string | null {
  if (!globalThis.isSecureContext) {
    return t("Notifications while the chat is closed need a connection with TLS (https://).");
  }
  if (!("serviceWorker" in navigator) || !("PushManager" in globalThis)) {
    const onIos = /iPhone|iPad/.test(navigator.userAgent);
    return onIos
      ? t("Add this chat to your home screen first: then it can notify you.")
      : t("This browser cannot notify you while the chat is closed.");
  }
  return Notification.permission === "denied"
    ? t("Notifications are blocked in this browser's settings for this site.")
    : null;
}

/** Registers the service worker, and opens the conversation of a clicked notification. */
export async function startWorker(lead: (hash: string) => void): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    const target = URL.parse(String((data as { open?: unknown })?.open ?? ""), location.origin);
    if (target?.origin === location.origin && target.hash !== "") lead(target.hash);
  });
  await navigator.serviceWorker.register(trustWorkerUrl());
}

export async function pushState(): Promise<PushState> {
  const why = obstacle();
  if (why !== null) return { is_possible: false, why };
  const registration = await navigator.serviceWorker.ready;
  return { is_possible: true, is_on: (await registration.pushManager.getSubscription()) !== null };
}

interface Known {
  public_key: string | null;
  subscriptions: readonly { endpoint: string }[];
}

/** The user who turned notifications on in this browser; nobody else who signs in here gets them. */
const owner = "push_of";

async function subscribe(api: Api, { key, userId }: { key: string; userId: number }): Promise<void> {
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = subscription.toJSON();
  await api.post("/users/me/web_push", { endpoint, p256dh: keys?.p256dh, auth: keys?.auth });
  localStorage.setItem(owner, String(userId));
}

/**
 * Renews the subscription of this browser, if somebody turned notifications on here: the server deletes it with the session, and
 * its address may have changed. Call it once the client is open.
 */
export async function tendPush(api: Api, userId: number): Promise<void> {
  if (obstacle() !== null) return;
  const { pushManager } = await navigator.serviceWorker.ready;
  const found = await pushManager.getSubscription();
  if (!found) return;
  if (localStorage.getItem(owner) !== String(userId)) {
    await found.unsubscribe();
    return;
  }
  const { public_key: key, subscriptions } = await api.get<Known>("/users/me/web_push");
  if (key === null) return;
  const isOfServer = base64url(found.options.applicationServerKey) === key;
  if (isOfServer && subscriptions.some(({ endpoint }) => endpoint === found.endpoint)) return;
  if (!isOfServer) await found.unsubscribe();
  await subscribe(api, { key, userId });
}

function base64url(bytes: ArrayBuffer | null): string {
  const text = String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0)));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Asks the person for permission where needed; returns the state afterwards. Call it in answer to a click. */
export async function turnOn(api: Api, userId: number): Promise<PushState> {
  if ((await Notification.requestPermission()) !== "granted") return pushState();
  const { public_key: key } = await api.get<Known>("/users/me/web_push");
  if (key === null)
    return { is_possible: false, why: t("The server is still starting. Try again in a moment.") };
  await subscribe(api, { key, userId });
  return pushState();
}

export async function turnOff(api: Api): Promise<PushState> {
  await withdraw(api);
  return pushState();
}

async function withdraw(api: Api): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  if (subscription) {
    await api.delete("/users/me/web_push", { endpoint: subscription.endpoint });
    await subscription.unsubscribe();
  }
  localStorage.removeItem(owner);
}

/** Ends the session of this browser, and with it its notifications. */
export async function endSession(api: Api): Promise<void> {
  // Signing out must succeed even if the push service fails.
  if (obstacle() === null) await withdraw(api).catch(() => {});
  await api.signOut();
}

/** Turns notifications of this browser on or off; returns what to tell the person. */
export async function togglePush(api: Api, userId: number): Promise<string> {
  const before = await pushState();
  if (!before.is_possible) return before.why;
  const after = await (before.is_on ? turnOff(api) : turnOn(api, userId));
  if (!after.is_possible) return after.why;
  return after.is_on
    ? t("This browser notifies you while the chat is closed.")
    : t("This browser does not notify you while the chat is closed.");
}
