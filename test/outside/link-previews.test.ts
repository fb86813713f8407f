import { afterAll, describe, expect, test } from "bun:test";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import { keeping, looking } from "@/outside/link-previews/schema.ts";
import { createChannel } from "@/places/channel-administration/actions.ts";
import { runJob } from "../support/jobs.ts";
import { gif, png, pngOf } from "../support/pictures.ts";
import { until } from "../support/waiting.ts";
import { type CapturedEvent, type World, world } from "../support/world.ts";

type Page = (request: IncomingMessage, response: ServerResponse) => void;

/** A web site on this machine. */
async function site(pages: Record<string, Page>, host = "127.0.0.1") {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const page = pages[request.url ?? ""];
    if (page) page(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  running.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { asked, url: `http://127.0.0.1:${port}`, port };
}

const running: (() => void)[] = [];
afterAll(() => {
  for (const stop of running) stop();
});

const file =
  (type: string, body: string | Uint8Array, headers: Record<string, string> = {}): Page =>
  (_, response) =>
    response.writeHead(200, { "content-type": type, ...headers }).end(body);
const page = (head: string, type = "text/html; charset=utf-8") =>
  file(type, `<!doctype html><html><head>${head}</head><body>hi</body></html>`);
const picture = file("image/png", png(64, 48));
const redirect =
  (to: string): Page =>
  (_, response) =>
    response.writeHead(302, { location: to }).end();
const card = '<meta property="og:title" content="Cats"><meta name="description" content="All of them">';

/** An organization that may look at this machine, with a channel of mel and max. */
async function office(networks = "127.0.0.1"): Promise<World> {
  const w = world();
  await setServerOptions(w.app.system, { preview_networks: networks });
  await createChannel(w.ctx("mel"), { name: "pets", subscribers: [w.user("mel").id, w.user("max").id] });
  return w;
}

const send = async (w: World, content: string): Promise<number> =>
  (await w.as("mel").post("/messages", { type: "stream", to: "pets", topic: "cats", content })).body.id;
const look = (w: World) => runJob(w, "link-previews");
const contentOf = async (w: World, id: number): Promise<string> =>
  (await w.as("max").get(`/messages/${id}`)).body.message.content;
const updates = (events: readonly CapturedEvent[]) =>
  events.filter(({ event }) => event.type === "update_message");
const sources = (html: string) => [...html.matchAll(/\/external_content\/[0-9a-f]+\/[0-9a-f]+/g)].map(String);

const pictureOf = (w: World, src: string) => w.app.fetch(new Request(`http://localhost${src}`));

describe("a link to a picture", () => {
  test("is shown after the send, from this server, in an update of the rendering alone", async () => {
    const { url, asked } = await site({ "/cat.png": picture });
    const w = await office();
    const id = await send(w, `${url}/cat.png`);
    expect(asked).toEqual([]);
    expect(await contentOf(w, id)).toBe(`<p><a href="${url}/cat.png">${url}/cat.png</a></p>`);

    const events = await look(w);
    const html = await contentOf(w, id);
    const [src = ""] = sources(html);
    expect(html).toBe(
      `<div class="message_inline_image"><a href="${url}/cat.png">` +
        `<img data-original-dimensions="64x48" src="${src}"></a></div>`,
    );
    const update = { rendering_only: true, user_id: null, message_id: id, rendered_content: html };
    expect(events).toMatchObject([
      { audience: ["mel", "max"], event: { type: "update_message", ...update } },
    ]);
    expect((await w.as("max").get(`/messages/${id}`)).body.message).not.toHaveProperty("last_edit_timestamp");

    const answer = await pictureOf(w, src);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("image/webp");
    expect(answer.headers.get("content-security-policy")).toContain("sandbox");
    const facts = await new Bun.Image(Buffer.from(await answer.arrayBuffer())).metadata();
    expect(facts).toMatchObject({ width: 64, height: 48, format: "webp" });
    expect(asked).toEqual(["/cat.png"]);
  });

  test("of which another message knows is shown at once, without asking again", async () => {
    const { url, asked } = await site({ "/cat.png": picture });
    const w = await office();
    const first = await send(w, `${url}/cat.png`);
    await look(w);
    const second = await send(w, `${url}/cat.png`);
    expect(await contentOf(w, second)).toBe(await contentOf(w, first));
    expect(await look(w)).toEqual([]);
    expect(asked).toHaveLength(1);
  });

  test("is made smaller, and of an animation the first picture", async () => {
    const { url } = await site({
      "/large.png": file("image/png", png(1680, 60)),
      "/dance.gif": file("image/gif", gif(3)),
    });
    const w = await office();
    const id = await send(w, `${url}/large.png and ${url}/dance.gif`);
    await look(w);
    const html = await contentOf(w, id);
    expect(html).toContain('data-original-dimensions="1680x60"');
    expect(html).toContain('data-original-dimensions="2x2"');
    const sizes = sources(html).map(async (src) => {
      const { width, height } = await new Bun.Image(
        Buffer.from(await (await pictureOf(w, src)).arrayBuffer()),
      ).metadata();
      return [width, height];
    });
    expect(await Promise.all(sizes)).toEqual([
      [840, 30],
      [2, 2],
    ]);
  });

  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>';
  test.each<[string, Page]>([
    ["an SVG image", file("image/svg+xml", svg)],
    ["an SVG image under another type", file("image/png", svg)],
    ["a page under the type of a picture", file("image/png", "<html>")],
    ["a picture under another type", file("application/octet-stream", png(4, 4))],
    ["a picture that declares too many pixels", file("image/png", pngOf(30_000, 30_000, Buffer.alloc(64)))],
    ["a damaged picture", file("image/png", pngOf(40, 40, Buffer.alloc(64)))],
    ["a picture that is too large", file("image/png", new Uint8Array(looking.maxPictureBytes + 1))],
    [
      "a small answer that unpacks to a large one",
      file("image/png", gzipSync(Buffer.alloc(50_000_000)), { "content-encoding": "gzip" }),
    ],
    ["an answer in an unknown encoding", file("image/png", png(4, 4), { "content-encoding": "zstd9" })],
    [
      "an answer that breaks off",
      (_, response) => void response.writeHead(200, { "content-length": 99 }).destroy(),
    ],
    ["an error", (_, response) => void response.writeHead(500).end()],
    ["a redirect without end", redirect("/x.png")],
    ["a redirect to something else", redirect("file:///etc/passwd")],
  ])("stays a link if the site answers with %s", async (_, answer) => {
    const { url } = await site({ "/x.png": answer });
    const w = await office();
    const id = await send(w, `${url}/x.png`);
    const before = await contentOf(w, id);
    expect(await look(w)).toEqual([]);
    expect(await contentOf(w, id)).toBe(before);
    expect(await look(w)).toEqual([]);
  });
});

describe("a link to a page", () => {
  test("is shown with its title, text and picture", async () => {
    const { url, asked } = await site({
      "/cats": page(`${card}<meta property="og:image" content="/cat.png">`),
      "/cat.png": picture,
    });
    const w = await office();
    const id = await send(w, `See ${url}/cats#top`);
    const events = await look(w);
    const html = await contentOf(w, id);
    const [src = ""] = sources(html);
    const link = `${url}/cats#top`;
    expect(html).toBe(
      `<p>See <a href="${link}">${link}</a></p>\n<div class="message_embed">` +
        `<a class="message_embed_image" href="${link}" style="background-image: url(&quot;${src}&quot;)"></a>` +
        `<div class="data-container"><div class="message_embed_title"><a href="${link}" title="Cats">Cats</a></div>` +
        `<div class="message_embed_description">All of them</div></div></div>`,
    );
    expect(updates(events)).toHaveLength(1);
    expect((await pictureOf(w, src)).status).toBe(200);
    expect(asked).toEqual(["/cats", "/cat.png"]);
  });

  test.each<[string, string, { title: string; text?: string }]>([
    [
      "Twitter's names",
      '<meta name="twitter:title" content="T"><meta name="twitter:description" content="D">',
      { title: "T", text: "D" },
    ],
    [
      "its title",
      '<title>A &amp; B\n &#x1f638;</title><meta name="description" content="D">',
      { title: "A &amp; B 😸", text: "D" },
    ],
    [
      "entities and HTML",
      '<meta property="og:title" content="&lt;b&gt;&eacute;\\*&quot;"><meta name=description content="<script>">',
      { title: "&lt;b&gt;é\\*&quot;", text: "&lt;script&gt;" },
    ],
    [
      "too much",
      `<title>${"t".repeat(500)}</title><meta name="description" content="${"d".repeat(900)}">`,
      { title: `${"t".repeat(199)}…`, text: `${"d".repeat(399)}…` },
    ],
    [
      "turned text",
      '<title>a\u202eb\u0007</title><meta name="description" content="D">',
      { title: "a b", text: "D" },
    ],
    [
      "a broken head",
      '<meta property="og:title" content=Q><p><b><meta name="description" content="D"',
      { title: "Q", text: "D" },
    ],
    [
      "no comment, script or title of a drawing",
      '<!-- <meta property="og:title" content="No"> --><script>"<meta property=og:title content=No>"</script>' +
        '<TITLE lang=en>a < b</TITLE><META Name="Description" Content = \'1 > 0 "x"\'></HEAD><body><title>No</title>',
      { title: "a &lt; b", text: "1 &gt; 0 &quot;x&quot;" },
    ],
    [
      "what comes after a tag without an end",
      `<meta name="x" content="${"y".repeat(9_000)}<title>T</title><meta name=description content=D>`,
      { title: "T", text: "D" },
    ],
  ])("takes %s", async (_, head, { title, text }) => {
    const { url } = await site({ "/p": file("text/html", `<head>${head}></head>`) });
    const w = await office();
    const id = await send(w, `${url}/p`);
    await look(w);
    const html = await contentOf(w, id);
    expect(html).toContain(`>${title}</a>`);
    expect(html).toContain(`<div class="message_embed_description">${text}</div>`);
    expect(html).toContain("/external_content/page.png");
  });

  test("is read in its encoding", async () => {
    const latin = (head: string) =>
      Buffer.from(`<head>${head}<title>Grün</title><meta name=description content=x>`, "latin1");
    const { url } = await site({
      "/header": file("text/html; charset=ISO-8859-1", latin("")),
      "/meta": file(
        "text/html",
        latin('<meta http-equiv="Content-Type" content="text/html; charset=windows-1252">'),
      ),
      "/sjis": file(
        "text/html; charset=Shift_JIS",
        Buffer.concat([
          Buffer.from("<title>"),
          Buffer.from([0x94, 0x4c]),
          Buffer.from("</title><meta name=description content=x>"),
        ]),
      ),
      "/odd": file("text/html; charset=klingon", "<title>Grün</title><meta name=description content=x>"),
    });
    const w = await office();
    const id = await send(w, `${url}/header ${url}/meta ${url}/sjis ${url}/odd`);
    await look(w);
    const titles = [...(await contentOf(w, id)).matchAll(/title="([^"]*)"/g)].map(([, title]) => title);
    expect(titles).toEqual(["Grün", "Grün", "猫", "Grün"]);
  });

  test("is unpacked", async () => {
    const packed = file("text/html", gzipSync(`<head>${card}</head>`), { "content-encoding": "gzip" });
    const { url } = await site({ "/p": packed });
    const w = await office();
    const id = await send(w, `${url}/p`);
    await look(w);
    expect(await contentOf(w, id)).toContain("All of them");
  });

  test("shows a picture that has no picture's name", async () => {
    const { url } = await site({ "/random": picture });
    const w = await office();
    const id = await send(w, `${url}/random`);
    await look(w);
    expect(await contentOf(w, id)).toContain('<div class="message_inline_image">');
  });

  test("is not shown in a bot's message where the link has a text", async () => {
    const { url, asked } = await site({ "/a": page(card), "/b": page(card), "/cat.png": picture });
    const w = await office();
    const bot = (await w.as("mel").post("/bots", { full_name: "Builds", short_name: "builds" })).body;
    const { user_id } = bot;
    const { email } = (await w.as("mel").get(`/users/${user_id}`)).body.user;
    await w.as("mel").post("/users/me/subscriptions", {
      subscriptions: [{ name: "pets" }],
      principals: [user_id],
    });
    const id = (
      await w.login(email, bot.api_key).post("/messages", {
        ...{ type: "stream", to: "pets", topic: "builds" },
        content: `[Mel](${url}/a) built [it](${url}/cat.png): ${url}/b`,
      })
    ).body.id;
    await look(w);
    expect(asked.toSorted()).toEqual(["/b", "/cat.png"]);
    const html = await contentOf(w, id);
    expect([html.split("message_embed_title").length, sources(html).length]).toEqual([2, 1]);
  });

  test.each<[string, Page]>([
    ["has no title", page('<meta name="description" content="x">')],
    ["has nothing but a title", page("<title>x</title>")],
    ["is plain text", file("text/plain", "<title>x</title>")],
  ])("stays a link if it %s", async (_, answer) => {
    const { url } = await site({ "/p": answer });
    const w = await office();
    const id = await send(w, `${url}/p`);
    expect(await look(w)).toEqual([]);
    expect(await contentOf(w, id)).not.toContain("message_embed");
  });

  test("is read to the end of its head, or to the limit, if it never ends", async () => {
    let sent = 0;
    const endless: Page = (_, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.write(`<head>${card}</head>`);
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(65_536))) sent += 65_536;
      };
      response.on("drain", more);
      more();
    };
    const { url } = await site({ "/endless": endless });
    const w = await office();
    const id = await send(w, `${url}/endless`);
    await look(w);
    expect(await contentOf(w, id)).toContain("All of them");
    expect(sent).toBeLessThan(50_000_000);
  });

  test("stays a link if the site is slow, and the sender and other sites do not wait", async () => {
    const silent = await site({ "/p": () => {} });
    const other = await site({ "/p": page(card) });
    const w = await office();
    const id = await send(w, `${silent.url}/p ${other.url}/p`);
    const looked = look(w);
    await until(async () => (await contentOf(w, id)).includes("All of them"), "the other site is shown");
    expect(silent.asked).toEqual(["/p"]);
    await looked;
    expect((await contentOf(w, id)).split("message_embed_title")).toHaveLength(2);
  });
});

describe("the server's own network", () => {
  test("is not asked, whatever the way there", async () => {
    const inside = await site({ "/cat.png": picture, "/p": page(card) });
    const hosts = ["127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]", "0.0.0.0"];
    const w = await office("");
    const id = await send(w, hosts.map((host) => `http://${host}:${inside.port}/cat.png`).join(" "));
    await look(w);
    expect(inside.asked).toEqual([]);
    expect(await contentOf(w, id)).not.toContain("external_content");
  });

  test("is not asked by a redirect, or for a page's picture", async () => {
    const inside = await site({ "/cat.png": picture }, "0.0.0.0");
    const away = `http://127.0.0.2:${inside.port}/cat.png`;
    const { url, asked } = await site({
      "/r.png": redirect(away),
      "/p": page(`${card}<meta property="og:image" content="${away}">`),
    });
    const w = await office("127.0.0.1");
    const id = await send(w, `${url}/r.png ${url}/p`);
    await look(w);
    expect(asked.toSorted()).toEqual(["/p", "/r.png"]);
    expect(inside.asked).toEqual([]);
    expect(await contentOf(w, id)).toContain("All of them");
    expect(sources(await contentOf(w, id))).toEqual([]);
  });

  test("is not asked with a password, or by this server's own address", async () => {
    const { url, asked, port } = await site({ "/cat.png": picture });
    const w = await office();
    await send(
      w,
      `http://me:secret@127.0.0.1:${port}/cat.png ${w.app.env.site}/cat.png ftp://127.0.0.1/cat.png`,
    );
    await look(w);
    expect(asked).toEqual([]);
    expect(url).toContain(String(port));
  });
});

describe("the organization", () => {
  const both = { "/cat.png": picture, "/p": page(card) };
  test.each([
    ["linked_image_preview", "/p", "/cat.png"],
    ["inline_url_embed_preview", "/cat.png", "/p"],
    ["inline_image_preview", "/p", "/cat.png"],
  ])("is only looked at where %s is on", async (name, stays, goes) => {
    const { url, asked } = await site(both);
    const w = await office();
    const links = `${url}/cat.png ${url}/p`;
    const first = await send(w, links);
    await w.as("ada").patch("/realm", { [name]: false });
    const second = await send(w, links);
    await look(w);
    // What was sent before is only looked at for what is still shown.
    expect(asked).toContain(stays);
    expect(sources((await contentOf(w, second)).replace(/page\.png/, "")).length > 0).toBe(
      stays === "/cat.png",
    );
    for (const id of [first, second]) {
      expect((await contentOf(w, id)).includes("message_embed")).toBe(stays === "/p");
    }
    const { rendered } = (await w.as("mel").post("/messages/render", { content: `${url}${goes}` })).body;
    expect(rendered).toBe(`<p><a href="${url}${goes}">${url}${goes}</a></p>`);
  });

  test("asks nobody if it shows neither, or is closed", async () => {
    const { url, asked } = await site(both);
    const w = await office();
    await send(w, `${url}/p`);
    await w.as("ada").patch("/realm", { linked_image_preview: false, inline_url_embed_preview: false });
    await send(w, `${url}/cat.png`);
    expect(await look(w)).toEqual([]);
    await w.as("ada").patch("/realm", { linked_image_preview: true });
    await send(w, `${url}/cat.png`);
    await w.as("olive").post("/realm/deactivate");
    expect(await look(w)).toEqual([]);
    expect(asked).toEqual([]);
  });
});

describe("a message", () => {
  test("that is edited meanwhile shows what it links to now", async () => {
    let answer = () => {};
    const slow: Page = (request, response) => {
      answer = () => picture(request, response);
    };
    const { url, asked } = await site({ "/slow.png": slow, "/cat.png": picture });
    const w = await office();
    const id = await send(w, `Look: ${url}/slow.png`);
    const looked = look(w);
    await until(() => asked.length > 0, "the site is asked");
    await w.as("mel").patch(`/messages/${id}`, { content: `No: ${url}/cat.png` });
    answer();
    await looked;
    await look(w);
    const html = await contentOf(w, id);
    expect(sources(html)).toHaveLength(1);
    expect(html).toContain(`<a href="${url}/cat.png"><img`);
    expect(html).not.toContain("slow");
  });

  test("that is edited asks only for what is new, and loses what it no longer links to", async () => {
    const { url, asked } = await site({ "/a.png": picture, "/b.png": picture });
    const w = await office();
    const id = await send(w, `a ${url}/a.png`);
    await look(w);
    await w.as("mel").patch(`/messages/${id}`, { content: `b ${url}/a.png ${url}/b.png` });
    expect(sources(await contentOf(w, id))).toHaveLength(1);
    await look(w);
    expect(sources(await contentOf(w, id))).toHaveLength(2);
    await w.as("mel").patch(`/messages/${id}`, { content: "nothing" });
    expect(await contentOf(w, id)).toBe("<p>nothing</p>");
    expect(asked).toEqual(["/a.png", "/b.png"]);
  });

  test("that is deleted or archived meanwhile stays as it is", async () => {
    const { url, asked } = await site({ "/a.png": picture, "/b.png": picture });
    const w = await office();
    const gone = await send(w, `${url}/a.png`);
    const kept = await send(w, `${url}/b.png`);
    await w.as("ada").delete(`/messages/${gone}`);
    const { stream_id } = (await w.as("mel").get("/get_stream_id", { stream: "pets" })).body;
    await w.as("ada").delete(`/streams/${stream_id}`);
    expect(updates(await look(w))).toEqual([]);
    expect(asked).toEqual(["/b.png"]);
    expect(await contentOf(w, kept)).toBe(`<p><a href="${url}/b.png">${url}/b.png</a></p>`);
  });

  test("of a sender with many that wait keeps its links", async () => {
    const { url, asked } = await site({});
    const w = await office();
    for (let n = 0; n < looking.maxWaiting; n += 20) {
      await send(w, Array.from({ length: 20 }, (_, k) => `${url}/${n + k}.png`).join(" "));
    }
    await send(w, `${url}/more.png`);
    await look(w);
    expect(new Set(asked).size).toBe(looking.maxWaiting);
    expect(asked).not.toContain("/more.png");
  });

  test("that a draft of it shows finds only what is known", async () => {
    const { url, asked } = await site({ "/cat.png": picture });
    const w = await office();
    const draft = async () =>
      (await w.as("mel").post("/messages/render", { content: `${url}/cat.png` })).body.rendered;
    expect(await draft()).toStartWith("<p>");
    await look(w);
    expect(asked).toEqual([]);
    await send(w, `${url}/cat.png`);
    await look(w);
    expect(await draft()).toStartWith('<div class="message_inline_image">');
  });
});

describe("what was found", () => {
  test("is looked for again after a while: nothing soon, everything else later", async () => {
    const { url, asked } = await site({ "/cat.png": picture });
    const w = await office();
    const links = `${url}/cat.png ${url}/none.png`;
    await send(w, links);
    await look(w);
    w.clock.advance(keeping.nothingSeconds);
    await send(w, links);
    await look(w);
    expect(asked.toSorted()).toEqual(["/cat.png", "/none.png", "/none.png"]);
    w.clock.advance(keeping.seconds);
    await send(w, `${url}/cat.png`);
    await look(w);
    expect(asked.filter((path) => path === "/cat.png")).toHaveLength(2);
  });

  test("is deleted when it is too old, and looked for again when somebody sees it", async () => {
    const { url, asked } = await site({ "/cat.png": picture });
    const w = await office();
    const id = await send(w, `${url}/cat.png`);
    await look(w);
    const [src = ""] = sources(await contentOf(w, id));
    await runJob(w, "sweep-link-previews");
    expect((await pictureOf(w, src)).status).toBe(200);

    w.clock.advance(keeping.seconds + 1);
    await runJob(w, "sweep-link-previews");
    const away = await pictureOf(w, src);
    expect([away.status, away.headers.get("cache-control")]).toEqual([302, "no-store"]);
    const again = away.headers.get("location") as string;
    expect(asked).toHaveLength(1);
    const both = await Promise.all([pictureOf(w, again), pictureOf(w, again)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(asked).toHaveLength(2);
    expect((await pictureOf(w, src)).status).toBe(200);
  });
});

describe("get-page-symbol", () => {
  test("is a small picture", async () => {
    const answer = await pictureOf(world(), "/external_content/page.png");
    expect(answer.headers.get("content-type")).toBe("image/png");
    const facts = await new Bun.Image(Buffer.from(await answer.arrayBuffer())).metadata();
    expect(facts).toMatchObject({ width: 1, height: 1 });
  });
});

/** Nothing but what this server has signed, at the end of the address that an operation has. */
async function refusesForged(end: string): Promise<void> {
  const { url, asked } = await site({ "/cat.png": picture, "/dog.png": picture });
  const w = await office();
  const id = await send(w, `${url}/cat.png`);
  await look(w);
  const [src = ""] = sources(await contentOf(w, id));
  expect((await pictureOf(w, src + end)).status).toBe(200);
  const [, , signature = "", address = ""] = src.split("/");
  const dog = Buffer.from(`${url}/dog.png`).toString("hex");
  for (const [by, of] of [
    [signature, dog],
    [signature.replace(/^./, (first) => (first === "0" ? "1" : "0")), address],
    ["00", address],
  ]) {
    expect((await pictureOf(w, `/external_content/${by}/${of}${end}`)).status).toBe(404);
  }
  expect(asked).toEqual(["/cat.png"]);
}

describe("get-external-content", () => {
  test("knows no address that this server has not signed", () => refusesForged(""));
});

describe("get-external-content-again", () => {
  test("knows no address that this server has not signed", () => refusesForged("/again"));

  test("asks nobody where no previews are shown", async () => {
    const { url, asked } = await site({ "/cat.png": picture });
    const w = await office();
    const id = await send(w, `${url}/cat.png`);
    await look(w);
    const [src = ""] = sources(await contentOf(w, id));
    w.clock.advance(keeping.seconds + 1);
    await runJob(w, "sweep-link-previews");
    await w.as("ada").patch("/realm", { linked_image_preview: false, inline_url_embed_preview: false });
    expect((await pictureOf(w, `${src}/again`)).status).toBe(404);
    expect(asked).toHaveLength(1);
  });
});
