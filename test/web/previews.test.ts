// Links to pictures and pages, as people see them: the server shows what it found, and no browser asks another site.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { faultsOf } from "../support/axe.ts";
import { png } from "../support/pictures.ts";
import { organizationWithPreviews, type Seat, type WebOrganization } from "../support/web-people.ts";

/** Asked for by a browser, by their paths; the server's requests are left out. */
const byBrowsers: string[] = [];
let release = () => {};
const released = new Promise<void>((resolve) => {
  release = resolve;
});

const elsewhere = createServer(async (request, response) => {
  if (request.headers["user-agent"] !== "Confab-Preview/1") byBrowsers.push(request.url ?? "");
  if (request.url?.startsWith("/late")) await released;
  const isPicture = request.url?.endsWith(".png");
  response.writeHead(200, { "content-type": isPicture ? "image/png" : "text/html; charset=utf-8" });
  const hasPicture = request.url !== "/plain";
  const head =
    '<meta property="og:title" content="How lighthouses are lit, from oil lamps and clockwork to a lens on mercury and a bulb">' +
    '<meta name="description" content="Two hundred years of keeping a light on: who carried the oil, how the lens floats, why some blink and others turn, and what is left to do for a keeper when a relay does it all.">' +
    (hasPicture ? '<meta property="og:image" content="/lens.png">' : "");
  response.end(isPicture ? png(640, 320) : `<head>${head}</head>`);
});
let url = "";

let w: WebOrganization;
let mel: Seat;
let phone: Seat;

beforeAll(async () => {
  await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  w = await organizationWithPreviews("olive", "mel");
  const channel = await w.channel("harbour", ["olive", "mel"]);
  await w.post("olive", "harbour", "lights", `Worth reading: ${url}/lighthouses`);
  await w.post("olive", "harbour", "lights", `${url}/pier.png`);
  await w.post("olive", "harbour", "lights", `Without a picture: ${url}/plain`);
  const place = `#narrow/channel/${channel}-harbour/topic/lights`;
  [mel, phone] = await Promise.all([
    w.sit("mel", place, { colours: "dark" }),
    w.sit("mel", place, { width: 360, height: 740 }),
  ]);
});
afterAll(async () => {
  elsewhere.closeAllConnections();
  elsewhere.close();
  await w.close();
});

const cards = "document.querySelectorAll('main .message_embed')";
const pictures = "document.querySelectorAll('main .message_inline_image img')";

describe("a conversation with links", () => {
  test("shows cards of one height and pictures, on desks and phones, and asks no other site", async () => {
    for (const seat of [mel, phone]) {
      await seat.until(
        `${cards}.length === 2 && ${pictures}.length === 1 && ${pictures}[0].naturalWidth > 0`,
      );
      const heights = await seat.tab.evaluate(`[...${cards}].map((card) => card.offsetHeight)`);
      expect(heights).toEqual([90, 90]);
      expect(await seat.page.overflow()).toBe(0);
      expect(await faultsOf(seat.page)).toEqual([]);
      expect(seat.strangers).toEqual([]);
    }
    expect(byBrowsers).toEqual([]);
  });

  test("stays at its end, and keeps in place what is read below, when a preview comes later", async () => {
    await w.post("olive", "harbour", "lights", `And then ${url}/late`);
    await mel.sees("And then");
    const lines = Array.from({ length: 14 }, (_, n) => `line ${n}`).join("\n");
    await phone.sees("And then");
    await w.post("olive", "harbour", "lights", lines);
    await phone.sees("line 13");
    await mel.sees("line 13");
    const bottom = `[...document.querySelectorAll('main article[data-message]')].at(-1).getBoundingClientRect().bottom`;
    await mel.press("Shift+G");
    await mel.until(`${bottom} < innerHeight`);
    const before = await mel.tab.evaluate(bottom);
    release();
    await mel.until(`${cards}.length === 3`);
    await mel.until(`Math.abs(${bottom} - ${Number(before)}) < 2`);
  });

  test("shows a picture in full as the server stored it", async () => {
    await mel.click("main .message_inline_image a");
    await mel.until("document.querySelector('[role=dialog] img')?.naturalWidth > 0");
    const [src, leads] = (await mel.tab.evaluate(
      "[document.querySelector('[role=dialog] img').src, document.querySelector('[role=dialog] a[target]').href]",
    )) as string[];
    expect(src).toContain("/external_content/");
    expect(leads).toBe(`${url}/pier.png`);
    await mel.press("Escape");
    expect(mel.strangers).toEqual([]);
  });
});

describe("the organization's settings", () => {
  test("turn previews off and on", async () => {
    const olive = await w.sit("olive", "#organization/messages");
    await olive.sees("Links in messages");
    const isOn = (name: string) =>
      `[...document.querySelectorAll('label')].find((one) => one.textContent.includes(${JSON.stringify(name)})).control.checked`;
    await olive.until(`${isOn("linked pages")} && ${isOn("Show pictures")}`);
    await olive.click('aria/Show the title, text and picture of linked pages[role="switch"]');
    await olive.until(`!${isOn("linked pages")}`);
    await w.post("olive", "harbour", "off", `No card: ${url}/other`);
    const { rendered } = await w.ask("mel", ["POST", "/messages/render"], { content: `${url}/lighthouses` });
    expect(String(rendered)).not.toContain("message_embed");
    expect(byBrowsers).toEqual([]);
  });
});
