// Shows pushed notifications while no page is visible, and opens the conversation of one that is clicked.
import type { PushedText } from "@/outside/web-push/schema.ts";
import { encodeForm } from "./api/registering.ts";

/** The parts of a service worker that are used here; the compiler's DOM types are those of pages. */
interface Waiting {
  waitUntil(work: Promise<unknown>): void;
}

/** The browser's push service has given it another address. */
interface Changed extends Waiting {
  readonly oldSubscription?: PushSubscription | null;
  readonly newSubscription?: PushSubscription | null;
}

interface Window {
  readonly visibilityState: string;
  readonly focused: boolean;
  readonly url: string;
  focus(): Promise<unknown>;
  postMessage(message: unknown): void;
}

interface Worker {
  readonly registration: ServiceWorkerRegistration;
  readonly location: Location;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { type: "window"; includeUncontrolled: true }): Promise<readonly Window[]>;
    openWindow(url: string): Promise<unknown>;
  };
  /** Not in every browser. */
  readonly cookieStore?: { getAll(): Promise<readonly { name: string; value: string }[]> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: Waiting) => void): void;
  addEventListener(
    type: "push",
    listener: (event: Waiting & { data: { json(): unknown } | null }) => void,
  ): void;
  addEventListener(type: "pushsubscriptionchange", listener: (event: Changed) => void): void;
  addEventListener(
    type: "notificationclick",
    listener: (event: Waiting & { notification: Notification }) => void,
  ): void;
}

const worker = globalThis as unknown as Worker;

worker.addEventListener("install", (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener("push", (event) => {
  const pushed = event.data?.json() as PushedText | undefined;
  if (pushed) event.waitUntil(show(pushed));
});

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(String(event.notification.data)));
});

worker.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));

/** Sends the server the new address. If that fails here, the next page to open does it. */
async function renew({ oldSubscription, newSubscription }: Changed): Promise<void> {
  const cookies = (await worker.cookieStore?.getAll()) ?? [];
  const token = cookies.find(({ name }) => name.endsWith("csrftoken"))?.value;
  if (token === undefined) return;
  const fresh = newSubscription ?? (await subscribeAgain(oldSubscription));
  const { endpoint, keys } = fresh.toJSON();
  const send = (method: string, params: Record<string, unknown>) =>
    fetch("/json/users/me/web_push", {
      method,
      credentials: "same-origin",
      headers: { "x-csrftoken": token },
      body: encodeForm(params),
    });
  await send("POST", { endpoint, p256dh: keys?.p256dh, auth: keys?.auth });
  if (oldSubscription) await send("DELETE", { endpoint: oldSubscription.endpoint });
}

async function subscribeAgain(before: PushSubscription | null | undefined): Promise<PushSubscription> {
  const { pushManager } = worker.registration;
  const key = before?.options.applicationServerKey;
  if (key) return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const answer = await fetch("/json/users/me/web_push", { credentials: "same-origin" });
  const { public_key } = (await answer.json()) as { public_key: string };
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: public_key });
}

/** A visible page shows new messages itself. */
async function show({ title, body, url, tag, icon, sent_at }: PushedText): Promise<void> {
  if ((await pages()).some((page) => page.visibilityState === "visible" && page.focused)) return;
  const options = { body, tag, icon, data: url, timestamp: sent_at * 1000 };
  await worker.registration.showNotification(title, options);
}

/** Shows the conversation in an open page, or opens a page. */
async function open(path: string): Promise<void> {
  const { href, origin } = new URL(path, worker.location.origin);
  if (origin !== worker.location.origin) return;
  const all = await pages();
  const page = all.find((one) => one.visibilityState === "visible") ?? all[0];
  if (!page) {
    await worker.clients.openWindow(href);
    return;
  }
  page.postMessage({ open: href });
  await page.focus();
}

function pages(): Promise<readonly Window[]> {
  return worker.clients.matchAll({ type: "window", includeUncontrolled: true });
}
