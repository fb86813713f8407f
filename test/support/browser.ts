// A real browser, driven over its debugging protocol as a person would: by mouse and keys, so that scripts may be off.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "./requests.ts";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/** The browser of this machine: the one named by CONFAB_TEST_BROWSER, or one that is installed; null where none is. */
export const browserPath: string | null =
  process.env.CONFAB_TEST_BROWSER ?? names.map((name) => Bun.which(name)).find(Boolean) ?? null;

const flags = [
  "--headless=new",
  "--remote-debugging-port=0",
  "--disable-gpu",
  "--disable-quic",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  // Browsers refuse their sandbox to root, as which containers test.
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
];

export interface Look {
  width: number;
  height: number;
  colours: "light" | "dark";
  scripts: boolean;
}

export interface Page {
  open(url: string): Promise<void>;
  /** Types into a field, in place of what it holds. */
  fill(selector: string, text: string): Promise<void>;
  /** Clicks what leads to another page, and waits for that. */
  follow(selector: string): Promise<void>;
  html(): Promise<string>;
  /** What assistive technology reads: role and name, in order. */
  spoken(): Promise<string[]>;
  /** By how many pixels the page is wider than the window. */
  overflow(): Promise<number>;
  screenshot(): Promise<Uint8Array>;
  /** What the browser complained of. */
  readonly complaints: string[];
}

export interface Browser {
  page(look: Look): Promise<Page>;
  close(): Promise<void>;
}

export async function startBrowser(path: string): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), "confab-test-"));
  const child = Bun.spawn([path, ...flags, `--user-data-dir=${profile}`, "about:blank"], {
    stdout: "ignore",
    stderr: "pipe",
  });
  const wire = await connect(await debuggingUrl(child.stderr));
  return {
    page: (look) => openPage(wire, look),
    async close() {
      wire.close();
      child.kill();
      await child.exited;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function debuggingUrl(stderr: ReadableStream<Uint8Array>): Promise<string> {
  let said = "";
  const decoder = new TextDecoder();
  for await (const chunk of stderr) {
    said += decoder.decode(chunk, { stream: true });
    const [, url] = /DevTools listening on (ws:\S+)/.exec(said) ?? [];
    if (url) return url;
  }
  throw new Error(`The browser did not start: ${said}`);
}

interface Wire {
  send(method: string, params?: object, sessionId?: string): Promise<Json>;
  on(listener: (event: { method: string; params: Json; sessionId?: string }) => void): void;
  close(): void;
}

async function connect(url: string): Promise<Wire> {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const waiting = new Map<number, { resolve: (value: Json) => void; reject: (error: Error) => void }>();
  const listeners: Parameters<Wire["on"]>[0][] = [];
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data));
    const asked = waiting.get(message.id);
    if (!asked) for (const listener of listeners) listener(message);
    else if (message.error) asked.reject(new Error(message.error.message));
    else asked.resolve(message.result);
  };
  let last = 0;
  return {
    send: (method, params = {}, sessionId) =>
      new Promise((resolve, reject) => {
        const id = ++last;
        waiting.set(id, { resolve, reject });
        socket.send(JSON.stringify({ id, method, params, sessionId }));
      }),
    on: (listener) => void listeners.push(listener),
    close: () => socket.close(),
  };
}

async function openPage(wire: Wire, look: Look): Promise<Page> {
  const { browserContextId } = await wire.send("Target.createBrowserContext");
  const { targetId } = await wire.send("Target.createTarget", { url: "about:blank", browserContextId });
  const { sessionId } = await wire.send("Target.attachToTarget", { targetId, flatten: true });
  const send = (method: string, params: object = {}) => wire.send(method, params, sessionId);
  const complaints: string[] = [];
  let loaded = () => {};
  wire.on(({ method, params, sessionId: from }) => {
    if (from !== sessionId) return;
    if (method === "Page.loadEventFired") loaded();
    if (method === "Log.entryAdded") complaints.push(params.entry.text);
  });
  await Promise.all(["Page", "DOM", "Log", "Accessibility"].map((part) => send(`${part}.enable`)));
  await dress(send, look);
  const load = async (start: () => Promise<unknown>) => {
    const done = new Promise<void>((resolve) => {
      loaded = resolve;
    });
    await start();
    await done;
  };
  return {
    complaints,
    open: (url) => load(() => send("Page.navigate", { url })),
    follow: (selector) => load(() => click(send, selector)),
    fill: (selector, text) => fill(send, selector, text),
    html: async () => (await send("DOM.getOuterHTML", { nodeId: await root(send) })).outerHTML,
    spoken: async () =>
      (await send("Accessibility.getFullAXTree")).nodes
        .filter((node: Json) => !node.ignored && node.name?.value)
        .map((node: Json) => `${node.role.value} ${node.name.value}`),
    overflow: async () => {
      // A phone zooms out where a page is too wide, so that the viewport itself is no measure.
      const { cssContentSize } = await send("Page.getLayoutMetrics");
      return Math.max(0, cssContentSize.width - look.width);
    },
    screenshot: async () => {
      const { data } = await send("Page.captureScreenshot", { captureBeyondViewport: true });
      return Buffer.from(data, "base64");
    },
  };
}

type Send = (method: string, params?: object) => Promise<Json>;

async function dress(send: Send, { width, height, colours, scripts }: Look): Promise<void> {
  const mobile = width < 600;
  await send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 2, mobile });
  await send("Emulation.setEmulatedMedia", {
    features: [{ name: "prefers-color-scheme", value: colours }],
  });
  await send("Emulation.setScriptExecutionDisabled", { value: !scripts });
}

async function root(send: Send): Promise<number> {
  return (await send("DOM.getDocument")).root.nodeId;
}

async function find(send: Send, selector: string): Promise<number> {
  const { nodeId } = await send("DOM.querySelector", { nodeId: await root(send), selector });
  if (!nodeId) throw new Error(`The page has no ${selector}`);
  return nodeId;
}

async function click(send: Send, selector: string): Promise<void> {
  const nodeId = await find(send, selector);
  await send("DOM.scrollIntoViewIfNeeded", { nodeId });
  const [left, top, right, , , bottom] = (await send("DOM.getBoxModel", { nodeId })).model.content;
  const at = { x: (left + right) / 2, y: (top + bottom) / 2, button: "left", clickCount: 1 };
  await send("Input.dispatchMouseEvent", { ...at, type: "mousePressed" });
  await send("Input.dispatchMouseEvent", { ...at, type: "mouseReleased" });
}

async function fill(send: Send, selector: string, text: string): Promise<void> {
  await send("DOM.focus", { nodeId: await find(send, selector) });
  const key = { key: "a", code: "KeyA", commands: ["selectAll"] };
  await send("Input.dispatchKeyEvent", { ...key, type: "keyDown" });
  await send("Input.dispatchKeyEvent", { ...key, type: "keyUp" });
  await send("Input.insertText", { text });
}
