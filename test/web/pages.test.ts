// The pages and files of the web client. They need dist/web, which `npm test` builds.
import { describe, expect, test } from "bun:test";
import { givePassword, signedIn, webClient } from "../support/web-session.ts";
import { type World, world } from "../support/world.ts";

const page = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

async function shell(w: World): Promise<string> {
  return (await webClient(w.app).ask("GET", "/", {}, { headers: page })).body;
}

function bootIn(text: string) {
  return JSON.parse(/<script type="application\/json" id="boot">(.*?)<\/script>/s.exec(text)?.[1] ?? "null");
}

describe("get-client-page", () => {
  test("names the organization and says whether the browser is signed in", async () => {
    const w = world();
    await givePassword(w, "mel");
    const nobody = bootIn(await shell(w));
    expect(nobody).toMatchObject({
      signed_in: false,
      open_to_visitors: false,
      realm_name: "Test Organization",
      csrf_cookie: "__Host-csrftoken",
    });
    const browser = await signedIn(w, "mel");
    expect(bootIn((await browser.ask("GET", "/")).body).signed_in).toBe(true);
  });

  test("allows only its own scripts, styles and frames", async () => {
    const { headers, body } = await webClient(world().app).ask("GET", "/");
    const policy = headers.get("content-security-policy") ?? "";
    const rules = Object.fromEntries(policy.split("; ").map((rule) => rule.split(/ (.*)/s, 2)));
    expect(rules).toMatchObject({
      "default-src": "'none'",
      "script-src": "'self'",
      "style-src": "'self'",
      "connect-src": "'self'",
      "frame-ancestors": "'none'",
      "require-trusted-types-for": "'script'",
    });
    expect(policy).not.toContain("unsafe-eval");
    expect(body).not.toMatch(
      /<style|<script(?![^>]*(src="\/static\/web\/|type="application\/json"))|\son\w+=/,
    );
    expect(body).not.toMatch(/(src|href)="(https?:)?\/\//);
  });

  test("keeps a hostile name within its data and its title", async () => {
    const w = world();
    const name = "</script><img src=x>";
    expect((await w.as("olive").patch("/realm", { name })).status).toBe(200);
    const text = await shell(w);
    expect(text).not.toContain(name);
    expect(text).not.toContain("<img");
    expect(bootIn(text).realm_name).toBe(name);
  });
});

describe("get-sign-in-page", () => {
  test("returns the page of the client", async () => {
    const { status, body } = await webClient(world().app).ask("GET", "/login");
    expect([status, bootIn(body).signed_in]).toEqual([200, false]);
  });

  test("loads the texts of the browser's language before the client, and none for English", async () => {
    const w = world();
    const show = async (accepted: string, path = "/login") => {
      const headers = { ...page, "accept-language": accepted };
      const { body } = await webClient(w.app).ask("GET", path, {}, { headers });
      const [, tag, dir] = /<html lang="(\w+)" dir="(\w+)">/.exec(body) ?? [];
      const script =
        /<script defer src="(\/static\/web\/texts-\w+-[^"]+\.js)"><\/script>[\s\S]*<script type="module"/.exec(
          body,
        );
      return { tag, dir, texts: script ? await (await w.anonymous.request(script[1] ?? "")).text() : null };
    };
    const arabic = await show("ar-EG");
    expect(arabic).toMatchObject({ tag: "ar", dir: "rtl" });
    expect(arabic.texts).toContain("كلمة المرور");
    expect(arabic.texts).not.toContain("Unterwegs");
    expect((await show("fr", "/")).texts).toContain("Mot de passe");
    expect(await show("en-US, de")).toEqual({ tag: "en", dir: "ltr", texts: null });
  });
});

describe("get-client-file", () => {
  test("serves every file that the page names, compressed as the browser accepts, cacheable forever", async () => {
    const w = world();
    const named = [...(await shell(w)).matchAll(/(?:src|href)="(\/static\/web\/[^"]+)"/g)].map(
      ([, path = ""]) => path,
    );
    expect(named.length).toBeGreaterThan(3);
    for (const path of named) {
      const plain = await w.anonymous.request(path);
      expect([plain.status, plain.headers.get("cache-control")]).toEqual([
        200,
        "public, max-age=31536000, immutable",
      ]);
      const text = await plain.arrayBuffer();
      for (const encoding of ["br", "gzip", "zstd"]) {
        const packed = await w.anonymous.request(path, { headers: { "accept-encoding": encoding } });
        const given = packed.headers.get("content-encoding");
        if (path.endsWith(".png")) expect(given).toBeNull();
        else
          expect([given, (await packed.arrayBuffer()).byteLength < text.byteLength + 64]).toEqual([
            encoding,
            true,
          ]);
      }
    }
  });

  test("contains the data of the emoji picker", async () => {
    const w = world();
    const { emoji_data } = bootIn(await shell(w));
    const data = await w.anonymous.request(`${emoji_data}/en/data.json`);
    expect(data.headers.get("content-type")).toBe("application/json");
    expect(((await data.json()) as unknown[]).length).toBeGreaterThan(1500);
    expect((await w.anonymous.request(`${emoji_data}/en/messages.json`)).status).toBe(200);
  });

  test.each([
    ["index.js"],
    ["../package.json"],
    ["%2e%2e/%2e%2e/package.json"],
    ["constructor"],
    ["__proto__"],
  ])("answers %s with 404", async (name) => {
    const { status, body } = await webClient(world().app).ask("GET", `/static/web/${name}`);
    expect([status, body.code]).toEqual([404, "NOT_FOUND"]);
  });
});

describe("get-service-worker", () => {
  test("is served at the root, and revalidated", async () => {
    const w = world();
    const first = await w.anonymous.request("/service-worker.js");
    expect(first.headers.get("content-type")).toStartWith("text/javascript");
    const etag = first.headers.get("etag") ?? "";
    expect(
      (await w.anonymous.request("/service-worker.js", { headers: { "if-none-match": etag } })).status,
    ).toBe(304);
  });
});

describe("get-web-manifest", () => {
  test("names the organization, and icons that exist", async () => {
    const w = world();
    const manifest = (await (await w.anonymous.request("/manifest.webmanifest")).json()) as {
      name: string;
      icons: { src: string; type: string }[];
    };
    expect(manifest.name).toBe("Test Organization");
    expect(manifest.icons.length).toBeGreaterThan(2);
    for (const { src, type } of manifest.icons) {
      const icon = await w.anonymous.request(src);
      expect([icon.status, icon.headers.get("content-type")]).toEqual([200, type]);
    }
  });
});

describe("an address where there is nothing", () => {
  test("answers a page to browsers and JSON to programs", async () => {
    const browser = webClient(world().app);
    const shown = await browser.ask("GET", "/nowhere", {}, { headers: page });
    expect([shown.status, shown.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect(shown.body).toContain("There is nothing at this address");
    const received = await browser.ask("GET", "/nowhere");
    expect([received.status, received.body.code]).toEqual([404, "NOT_FOUND"]);
    const written = await browser.ask("POST", "/json/nowhere", {}, { headers: page });
    expect([written.status, written.body.code]).toEqual([404, "NOT_FOUND"]);
  });
});
