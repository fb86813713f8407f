// A page that was opened at the address of a cluster's node goes to another node when its own dies, with the session and with what is
// being written. Two nodes at two addresses, so that cookies of one do not hold at the other; a node's death is that of its server.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type Page, startBrowser } from "../support/browser.ts";
import { type MemoryCluster, type MemoryNode, memoryCluster } from "../support/memory-cluster.ts";
import { until } from "../support/waiting.ts";

let cluster: MemoryCluster;
let browser: Browser;
const [first, second] = ["127.0.0.1", "127.0.0.2"];
const composer = "textarea[data-composer]";
const pictures = process.env.CONFAB_TEST_PICTURES;

beforeAll(async () => {
  [cluster, browser] = await Promise.all([memoryCluster(2, { hosts: [first, second] }), startBrowser()]);
  for (const node of cluster.nodes) await node.call(cluster.olive, "GET", "/metrics/nodes");
});
afterAll(async () => {
  await browser.close();
  await cluster.close();
});

async function picture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await Bun.write(join(pictures, `${name}.png`), await page.screenshot());
}

const messagesAt = async (node: MemoryNode): Promise<string[]> => {
  const newest = { anchor: "newest", num_before: 20, num_after: 0, apply_markdown: false };
  const { messages } = await node.call(cluster.olive, "GET", "messages", newest);
  return (messages as { content: string }[]).map(({ content }) => content);
};

const looks = [
  { what: "at a desk", width: 1280, height: 860, colours: "light" },
  { what: "on a phone, in dark", width: 360, height: 740, colours: "dark" },
] as const;

test.each(looks)(
  "$what, a page goes to another node with what was being written, and what was sent meanwhile is sent once",
  async ({ what, ...look }) => {
    const [a, b] = cluster.nodes as [MemoryNode, MemoryNode];
    const before = (await messagesAt(a)).length;
    const sent = async () => (await messagesAt(a)).slice(before);
    await cluster.send(a, "hello");
    const secrets = () => a.app.env.db.all("SELECT 1 FROM session_handovers").length;
    const known = secrets();
    const page = await browser.page({ ...look, scripts: true });
    const { tab } = page;
    await page.open(b.url + (await a.loginLink(cluster.olive.email)));
    await page.follow("button");
    const { stream_id } = await b.call(cluster.olive, "GET", "get_stream_id", { stream: "general" });
    const hash = `#narrow/channel/${stream_id}-general/topic/t`;
    await tab.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    await tab.waitForSelector(composer);
    await tab.waitForFunction("document.body.innerText.includes('hello')", { polling: 40 });
    await until(() => secrets() === known + 1, "the page may go to the other node");

    // The other node does not answer yet, so that the page stays for as long as the writing takes.
    await Promise.all([a.hangUp(), b.hangUp()]);
    await tab.focus(composer);
    await tab.keyboard.type("sent while nothing answers");
    await page.click('aria/Send[role="button"]');
    await tab.keyboard.type("half a senten");
    await tab.waitForFunction("document.body.innerText.includes('No connection.')", { polling: 40 });
    await picture(page, `lost ${what}`);
    // The banner says it; no second notice covers the head of the conversation.
    expect(await tab.evaluate("document.body.innerText")).not.toContain("The server cannot be reached.");

    await a.pickUp();
    await until(() => page.address().startsWith(a.url), "the page is at the other node");
    await tab.waitForSelector(composer);
    await tab.waitForFunction("document.querySelector('textarea[data-composer]').value !== ''", {
      polling: 40,
    });
    expect(new URL(page.address()).hash).toBe(hash);
    expect(await tab.$eval(composer, (one) => (one as HTMLTextAreaElement).value)).toBe("half a senten");
    await until(async () => (await sent()).length === 2, "what was sent meanwhile has arrived");
    await tab.waitForFunction("!document.body.innerText.includes('Waiting to be sent')", { polling: 40 });
    expect(await sent()).toEqual(["hello", "sent while nothing answers"]);
    expect(await tab.evaluate("document.cookie")).toContain("csrftoken=");
    await picture(page, `elsewhere ${what}`);

    // The caret is where it was.
    await tab.waitForFunction(`document.activeElement === document.querySelector("${composer}")`, {
      polling: 40,
    });
    await tab.keyboard.type("ce");
    await page.click('aria/Send[role="button"]');
    await until(async () => (await sent()).length === 3, "the rest is sent");
    expect((await sent()).at(-1)).toBe("half a sentence");
    await tab.close();
    await b.pickUp();
  },
);
