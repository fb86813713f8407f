// Notifications while no page is open: whether this browser can have them, and turning them on and off.
import type { Api } from "../api/request.ts";
import { trustedWorker } from "../content/trusted-html.ts";

export type PushState =
  | { readonly is_possible: false; readonly why: string }
  | { readonly is_possible: true; readonly is_on: boolean };

/** Why this browser cannot be notified; null if it can. */
function obstacle(): string | null {
  if (!globalThis.isSecureContext) {
    return "Notifications while the chat is closed need a connection with TLS (https://).";
  }
  if (!("serviceWorker" in navigator) || !("PushManager" in globalThis)) {
    const onIos = /iPhone|iPad/.test(navigator.userAgent);
    return onIos
      ? "Add this chat to your home screen first: then it can notify you."
      : "This browser cannot notify you while the chat is closed.";
  }
  return Notification.permission === "denied"
    ? "Notifications are blocked in this browser's settings for this site."
    : null;
}

/** Registers the service worker, and leads the page where a notification that was clicked points. */
export async function startWorker(lead: (hash: string) => void): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    const target = URL.parse(String((data as { open?: unknown })?.open ?? ""), location.origin);
    if (target?.origin === location.origin && target.hash !== "") lead(target.hash);
  });
  await navigator.serviceWorker.register(trustedWorker());
}

export async function pushState(): Promise<PushState> {
  const why = obstacle();
  if (why !== null) return { is_possible: false, why };
  const registration = await navigator.serviceWorker.ready;
  return { is_possible: true, is_on: (await registration.pushManager.getSubscription()) !== null };
}

/** Asks the person for permission where needed; returns the state afterwards. Call it in answer to a click. */
export async function turnOn(api: Api): Promise<PushState> {
  if ((await Notification.requestPermission()) !== "granted") return pushState();
  const { public_key } = await api.get<{ public_key: string | null }>("/users/me/web_push");
  if (public_key === null)
    return { is_possible: false, why: "The server is still starting. Try again in a moment." };
  const registration = await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: public_key,
  });
  const { endpoint, keys } = subscription.toJSON();
  await api.post("/users/me/web_push", { endpoint, p256dh: keys?.p256dh, auth: keys?.auth });
  return pushState();
}

export async function turnOff(api: Api): Promise<PushState> {
  const registration = await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.getSubscription();
  if (subscription) {
    await api.delete("/users/me/web_push", { endpoint: subscription.endpoint });
    await subscription.unsubscribe();
  }
  return pushState();
}

/** Turns notifications of this browser on or off; returns what to tell the person. */
export async function togglePush(api: Api): Promise<string> {
  const before = await pushState();
  if (!before.is_possible) return before.why;
  const after = await (before.is_on ? turnOff(api) : turnOn(api));
  if (!after.is_possible) return after.why;
  return after.is_on
    ? "This browser notifies you while the chat is closed."
    : "This browser does not notify you while the chat is closed.";
}
