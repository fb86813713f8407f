// The client's service worker in real Chromium, with pushes that the browser's debugging protocol delivers.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createECDH, randomBytes } from "node:crypto";
import type { WebWorker } from "puppeteer-core";
import type { PushedText } from "@/outside/web-push/schema.ts";
import { type Seat, signIn, type WebOrganization, webOrganization } from "../support/web-people.ts";

let w: WebOrganization;
let mel: Seat;
let worker: WebWorker;
let deliver: (text: PushedText) => Promise<void>;

const pushed: PushedText = {
  title: "Max",
  body: "see you at noon",
  url: "/#narrow/dm/2-Max/near/7",
  tag: "message-7",
  icon: "/avatar/2",
  sent_at: 1_795_000_000,
};

interface Shown {
  title: string;
  body: string;
  tag: string;
  data: unknown;
}

/** The notifications that the worker showed; the packaged Chromium has no screen for them. */
const shown = () => worker.evaluate("noted") as Promise<Shown[]>;

beforeAll(async () => {
  w = await webOrganization("olive", "mel", "max");
  mel = await w.sit("mel");
  const { tab } = mel;
  const origin = w.server.url;
  await tab.browserContext().overridePermissions(origin, ["notifications"]);
  await mel.until("navigator.serviceWorker.controller !== null");
  const session = await tab.createCDPSession();
  const registrationId = await new Promise<string>((resolve) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin));
      if (own) resolve(own.registrationId);
    });
    void session.send("ServiceWorker.enable");
  });
  deliver = async (text) => {
    const data = JSON.stringify(text);
    await session.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
  };
  const target = await tab
    .browser()
    .waitForTarget((one) => one.type() === "service_worker" && one.url().startsWith(origin));
  const found = await target.worker();
  if (!found) throw new Error("The service worker does not run");
  worker = found;
  await worker.evaluate(`noted = []; registration.showNotification = async (title, { body, tag, data }) => {
    noted.push({ title, body, tag, data });
  }`);
});
afterAll(() => w.close());

const subscriptionsOf = async (who: string) =>
  (await w.ask(who, ["GET", "/users/me/web_push"])).subscriptions as { endpoint: string }[];
const endpointsOf = async (who: string) => (await subscriptionsOf(who)).map(({ endpoint }) => endpoint);
const [p256dh, auth] = [
  createECDH("prime256v1").generateKeys("base64url"),
  randomBytes(16).toString("base64url"),
];

/** Replaces the browser's push service, which the packaged Chromium lacks. Its subscription outlives the page. */
const withPushService = `
  Object.defineProperty(Notification, "permission", { get: () => "granted" });
  Notification.requestPermission = async () => "granted";
  const read = () => JSON.parse(localStorage.getItem("browsers_own") ?? "null");
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
  const subscription = () => read() && {
    endpoint: read().endpoint,
    options: { applicationServerKey: bytes(read().key).buffer },
    toJSON: () => ({ endpoint: read().endpoint, keys: { p256dh: "${p256dh}", auth: "${auth}" } }),
    unsubscribe: async () => { localStorage.removeItem("browsers_own"); return true; },
  };
  PushManager.prototype.getSubscription = async () => subscription();
  PushManager.prototype.subscribe = async ({ applicationServerKey: key }) => {
    const endpoint = "https://push.example/" + Math.random();
    localStorage.setItem("browsers_own", JSON.stringify({ endpoint, key }));
    return subscription();
  };
`;
const browsersOwn = (seat: Seat) =>
  seat.tab.evaluate("JSON.parse(localStorage.getItem('browsers_own') ?? 'null')?.endpoint ?? null");

async function signInAgain(seat: Seat, email: string): Promise<void> {
  await signIn(seat.page, email);
  await seat.tab.waitForSelector("[data-view-title]");
}

describe("a browser that is notified", () => {
  test("is deleted at sign-out, kept through a new session, and never used for the next person", async () => {
    const max = await w.sit("max");
    await max.tab.evaluateOnNewDocument(withPushService);
    await max.tab.reload();
    await max.go("#settings/notifications");
    const name = "Notify me in this browser while it is closed";
    const turnOn = async () => {
      await max.go("#settings/notifications");
      await max.page.find(`aria/${name}[role="switch"]`);
      await max.until(`!document.querySelector('[role=switch]')?.disabled`);
      await max.click(`aria/${name}[role="switch"]`);
      while ((await endpointsOf("max")).length === 0) await Bun.sleep(20);
    };
    await turnOn();
    expect(await endpointsOf("max")).toEqual([String(await browsersOwn(max))]);

    // Another browser ends this session. The server then deletes the subscription, and this browser does not know it.
    await w.ask("max", ["DELETE", "/users/me/sessions"]);
    await signInAgain(max, "max@example.com");
    const before = await browsersOwn(max);
    while (!(await endpointsOf("max")).includes(String(before))) await Bun.sleep(20);

    await max.click("nav [aria-label$='you are connected']");
    await max.click('aria/Sign out[role="menuitem"]');
    await max.tab.waitForSelector("#username");
    expect([await endpointsOf("max"), await browsersOwn(max)]).toEqual([[], null]);

    await signInAgain(max, "max@example.com");
    await turnOn();
    await w.ask("max", ["DELETE", "/users/me/sessions"]);
    await signInAgain(max, "olive@example.com");
    await max.until("localStorage.getItem('browsers_own') === null");
    expect(await endpointsOf("olive")).toEqual([]);
  }, 240_000);

  test("whose address changes tells the server by itself", async () => {
    const old = "https://push.example/old";
    await w.ask("mel", ["POST", "/users/me/web_push"], { endpoint: old, p256dh, auth });
    await worker.evaluate(`dispatchEvent(Object.assign(new ExtendableEvent("pushsubscriptionchange"), {
      oldSubscription: { endpoint: "${old}" },
      newSubscription: { toJSON: () => ({ endpoint: "https://push.example/new", keys: { p256dh: "${p256dh}", auth: "${auth}" } }) },
    }))`);
    while ((await endpointsOf("mel")).join() !== "https://push.example/new") await Bun.sleep(20);
  });
});

describe("the service worker", () => {
  test("was registered by the client, at the root", async () => {
    const scope = await mel.tab.evaluate("navigator.serviceWorker.ready.then(({ scope }) => scope)");
    expect(scope).toBe(`${w.server.url}/`);
    expect(mel.page.complaints).toEqual([]);
  });

  test("opens the conversation of a clicked notification in an open page", async () => {
    await worker.evaluate(`dispatchEvent(Object.assign(new ExtendableEvent("notificationclick"), {
      notification: { data: ${JSON.stringify(pushed.url)}, close() {} },
    }))`);
    await mel.until(`location.hash === ${JSON.stringify(pushed.url.slice(1))}`);
  });

  test("follows no address of another site", async () => {
    for (const url of [
      "https://evil.example/#narrow/dm/3",
      "javascript:alert(1)",
      "//evil.example",
      "data:text/html,x",
    ])
      await worker.evaluate(`dispatchEvent(Object.assign(new ExtendableEvent("notificationclick"), {
        notification: { data: ${JSON.stringify(url)}, close() {} },
      }))`);
    await worker.evaluate("clients.matchAll()");
    expect(await mel.tab.evaluate("location.hash")).toBe(pushed.url.slice(1));
  });

  test("shows a notification only if no page is visible", async () => {
    await worker.evaluate('heard = 0; addEventListener("push", () => heard++)');
    await deliver({ ...pushed, tag: "message-6" });
    while ((await worker.evaluate("heard")) === 0) await Bun.sleep(10);
    expect(await shown()).toEqual([]);
    // In the packaged Chromium, pages always count as visible.
    await worker.evaluate('clients.matchAll = async () => [{ visibilityState: "hidden", focused: false }]');
    await deliver(pushed);
    while ((await shown()).length === 0) await Bun.sleep(10);
    expect(await shown()).toEqual([
      { title: "Max", body: "see you at noon", tag: "message-7", data: pushed.url },
    ]);
    const hostile = "<img src=x onerror=alert(1)>";
    await deliver({ ...pushed, title: hostile, body: hostile, tag: "message-8" });
    while ((await shown()).length === 1) await Bun.sleep(10);
    expect((await shown())[1]).toMatchObject({ title: hostile, body: hostile });
    expect([mel.page.complaints, mel.strangers]).toEqual([[], []]);
  });
});
