// The service worker of the client in real Chromium, by pushes that the browser's debugging protocol delivers.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { WebWorker } from "puppeteer-core";
import type { PushedText } from "@/outside/web-push/schema.ts";
import { type Seat, type WebOrganization, webOrganization } from "./support/web-people.ts";

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

/** What the worker had the browser show; the packaged Chromium has no screen to show it on. */
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

describe("the service worker", () => {
  test("was registered by the client, at the root", async () => {
    const scope = await mel.tab.evaluate("navigator.serviceWorker.ready.then(({ scope }) => scope)");
    expect(scope).toBe(`${w.server.url}/`);
    expect(mel.page.complaints).toEqual([]);
  });

  test("leads an open page to the conversation of a notification that is clicked", async () => {
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

  test("leaves it to a page in sight to say what is new, and shows it where there is none", async () => {
    await worker.evaluate('heard = 0; addEventListener("push", () => heard++)');
    await deliver({ ...pushed, tag: "message-6" });
    while ((await worker.evaluate("heard")) === 0) await Bun.sleep(10);
    expect(await shown()).toEqual([]);
    // Pages of the packaged Chromium count as in sight always.
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
