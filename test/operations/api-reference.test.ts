// The server's reference of its own API: the OpenAPI document and the page.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { apiModel } from "@/api-model.ts";
import { type Browser, startBrowser } from "../support/browser.ts";
import { jsonHere, runHere } from "../support/command-line.ts";
import { cleanUp, newFolder, type Server, serve } from "../support/executable.ts";
import { basic, type Json } from "../support/requests.ts";
import { until } from "../support/waiting.ts";

let server: Server;
let browser: Browser;
let owner: { email: string; api_key: string };
beforeAll(async () => {
  const folder = newFolder();
  const init = [
    "init",
    "--data",
    folder,
    "--org",
    "Pumps",
    "--owner-email",
    "ada@example.com",
    "--owner-name",
    "Ada",
  ];
  owner = (await jsonHere<{ owner: typeof owner }>(init)).owner;
  server = await serve(folder);
  browser = await startBrowser();
  const made = await runHere(["channel", "create", "general", "--subscribe", owner.email, "--data", folder]);
  expect(made.status).toBe(0);
});
beforeEach(async () => {
  server = await server.revived();
});
afterAll(async () => {
  await browser?.close();
  await server?.end("SIGTERM");
  await cleanUp();
});

describe("get-openapi", () => {
  test("describes every endpoint, event and error", async () => {
    const answer = await fetch(`${server.url}/api/openapi.json`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
    const { openapi, paths, components } = (await answer.json()) as Json;
    expect(openapi).toBe("3.1.0");
    const operations = Object.values<Json>(paths).flatMap((path) => Object.values<Json>(path));
    const { domains, events, errors } = apiModel();
    const endpoints = domains.flatMap((domain) => domain.endpoints);
    const received = new Set(operations.map(({ operationId }) => operationId));
    const others = operations.map(({ description }) => description).join("\n");
    expect(
      endpoints.filter(({ id, path }) => !received.has(id) && !others.includes(`With \`${path}\`:`)),
    ).toEqual([]);
    // Other tests of this process may have declared events of their own.
    const real = events.filter(({ type }) => !type.startsWith("test_"));
    expect(components.schemas.Event.oneOf).toHaveLength(real.length);
    expect(components.schemas.Failure.properties.code.enum.toSorted()).toEqual(
      [...new Set(errors.map(({ code }) => code))].toSorted(),
    );
  });
});

describe("get-api-docs", () => {
  const look = { width: 1280, height: 900, colours: "light", scripts: true } as const;

  test("shows the whole reference without scripts", async () => {
    const page = await browser.page({ ...look, width: 360, height: 740, scripts: false });
    await page.open(`${server.url}/api/docs`);
    const articles = await page.html();
    for (const { endpoints } of apiModel().domains) {
      for (const { id } of endpoints) expect(articles).toContain(`id="${id}"`);
    }
    expect(await page.tab.$eval("details.trial", (one) => one.checkVisibility())).toBe(false);
    expect(await page.overflow()).toBe(0);
    expect(page.complaints).toEqual([]);
  });

  test("sends requests, with a key or without credentials", async () => {
    const page = await browser.page(look);
    await page.open(`${server.url}/api/docs#send-message`);
    const requests: string[] = [];
    page.tab.on("request", (request) => requests.push(new URL(request.url()).origin));
    const trial = 'article:has(h3[id="send-message"]) details.trial';
    await page.click(`${trial} summary`);
    await page.tab.waitForSelector(`${trial} input[name="type"]`);
    const values = { type: "channel", to: "general", topic: "docs", content: "From the *page*" };
    for (const [name, value] of Object.entries(values))
      await page.fill(`${trial} input[name="${name}"]`, value);
    const send = async (wanted: string) => {
      await page.click(`${trial} button`);
      const shown = () => page.tab.$eval(`${trial} pre`, (one) => one.textContent);
      await until(async () => (await shown()).includes(wanted), `the page shows ${wanted}`);
    };
    await send("UNAUTHORIZED");
    await page.fill("#who-email", owner.email);
    await page.fill("#who-key", owner.api_key);
    await send('"result": "success"');
    const newest = await fetch(
      `${server.url}/api/v1/messages?anchor=newest&num_before=1&num_after=0&apply_markdown=false`,
      {
        headers: { authorization: basic(owner.email, owner.api_key) },
      },
    );
    const { messages } = (await newest.json()) as Json;
    expect(messages[0]).toMatchObject({ content: "From the *page*", subject: "docs" });
    expect(new Set(requests)).toEqual(new Set([server.url]));
  });

  test("cannot be framed, and runs only its own script", async () => {
    const { headers } = await fetch(`${server.url}/api/docs`);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    const script = await fetch(`${server.url}/api/docs.js`);
    expect([script.status, script.headers.get("x-content-type-options")]).toEqual([200, "nosniff"]);
  });
});

describe("get-api-docs-script", () => {
  test("does not store the key: closing the page forgets it", async () => {
    const text = await (await fetch(`${server.url}/api/docs.js`)).text();
    expect(text).not.toMatch(/localStorage|sessionStorage|indexedDB|document\.cookie\s*=/);
  });
});
